import { expect, it } from "vitest";
import { connectAs, v2Hello } from "./raw-client.js";

const work = { cwd: "/work", mcpServers: [] };
const isFull = { error: { code: -32603, message: expect.stringContaining("close some with session/close") } };

it.each([
  ["version 2", v2Hello],
  ["version 1", { ...v2Hello, protocolVersion: 1 }],
])("defect L1: a connection has a bound of open sessions, and a closed one makes room, %s", async (_, hello) => {
  const prompt = () => undefined;
  const restoreSession = () => undefined;
  const handlers = { prompt, restoreSession, closeSession: () => undefined };
  const { client } = await connectAs(hello, handlers, { limits: { openSessions: 2 } });
  const first = await client.newSession();
  await client.newSession();
  expect(await client.request("session/new", work)).toMatchObject(isFull);
  expect(await client.request("session/resume", { sessionId: "other", ...work })).toMatchObject(isFull);
  await client.result("session/close", { sessionId: first });
  await client.result("session/resume", { sessionId: "other", ...work });
  expect(await client.request("session/new", work)).toMatchObject(isFull);
});

it("defect L1: what open sessions keep of their requests is bounded, and a session that was refused takes no room", async () => {
  let isRefusing = true;
  const newSession = () => {
    if (isRefusing) throw new Error("not now");
  };
  const options = { limits: { openSessionBytes: 2_000 } };
  const { client } = await connectAs(v2Hello, { newSession, prompt: () => undefined }, options);
  const large = { ...work, cwd: `/${"a".repeat(1_200)}` };
  for (let n = 0; n < 3; n += 1)
    expect((await client.request("session/new", large)).error).not.toMatchObject(isFull.error);
  isRefusing = false;
  await client.result("session/new", large);
  expect(await client.request("session/new", large)).toMatchObject(isFull);
});

import type { Diagnostic } from "@turnkit/transport";
import { parseLine } from "@turnkit/transport/channels";
import { expect, it } from "vitest";
import { Stage } from "./raw-client.js";
import { SocketStage } from "./raw-socket.js";

// A deep message of 16 MiB would stop the whole process for half a minute.

const nested = (depth: number) =>
  `{"jsonrpc":"2.0","method":"_a","params":{"x":${"[".repeat(depth)}${"]".repeat(depth)}}}`;

it("REM-22: more than 1 000 lists inside of each other are refused, over HTTP and on a WebSocket", async () => {
  const stage = await Stage.connected();
  expect((await stage.post(nested(998))).status).toBe(202);
  for (const depth of [999, 1_000_000]) {
    const refused = await stage.post(nested(depth));
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { code: -32700 } });
  }
  expect(stage.agent.side.count("_a")).toBe(1);
  const sockets = new SocketStage();
  const socket = await sockets.begin();
  socket.write(nested(999));
  await socket.until(() => socket.frames.length === 2);
  expect(socket.frames[1]).toMatchObject({ id: null, error: { code: -32700 } });
});

/** A call that contains so many values: itself, its three members, the list, and the numbers in it. */
const manyValues = (count: number) => `{"jsonrpc":"2.0","method":"_a","params":{"x":[0${",0".repeat(count - 6)}]}}`;

it("defect M11: more than 200 000 values in a message are refused, over HTTP and on a WebSocket", async () => {
  const stage = await Stage.connected();
  expect((await stage.post(manyValues(200_000))).status).toBe(202);
  const error = { code: -32700, message: expect.stringContaining("more than 200000 values. Send fewer, or a text") };
  for (const count of [200_001, 8_000_000]) {
    const refused = await stage.post(manyValues(count));
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error });
  }
  expect(stage.agent.side.count("_a")).toBe(1);
  const sockets = new SocketStage();
  const socket = await sockets.begin();
  socket.write(manyValues(200_001));
  await socket.until(() => socket.frames.length === 2);
  expect(socket.frames[1]).toMatchObject({ id: null, error });
  socket.write(manyValues(200_000));
  await sockets.agent.side.call("_a");
});

it("defect M11: a cursor is added to a message with as many values as may be sent, and a client can read it", async () => {
  const stage = await Stage.connected({}, { _meta: { "acp/resumable": true } });
  const stream = await stage.events();
  const send = (method: string, count: number, more: object) => {
    const { params } = JSON.parse(manyValues(count)) as { readonly params: object };
    stage.agent.side.send({ method, params, ...more });
  };
  send("_refused", 199_001, {});
  send("_a", 199_000, {});
  send("_b", 198_998, { _meta: { own: 1 } });
  const cursor = { "acp/cursor": expect.any(String) };
  for (const wanted of [
    { method: "_a", _meta: cursor },
    { method: "_b", _meta: { own: 1, ...cursor } },
  ])
    expect(parseLine(JSON.stringify(await stream.next()))).toMatchObject(wanted);
});

it("REM-22: an answer of the agent that is nested too deeply becomes an error answer, and its update is dropped", async () => {
  const reports: Diagnostic[] = [];
  const stage = await Stage.connected({ onDiagnostic: (report) => reports.push(report) });
  const stream = await stage.events();
  const deep = JSON.parse(`${"[".repeat(1_000)}${"]".repeat(1_000)}`);
  stage.agent.side.send({ method: "_b", params: { deep } });
  await stage.post({ id: 9, method: "_a" });
  await stage.agent.side.call("_a");
  stage.agent.side.send({ id: 9, result: deep });
  const message = expect.stringContaining("more than 1000 lists or objects inside of each other");
  expect(await stream.next()).toMatchObject({ id: 9, error: { code: -32603, message } });
  expect(reports).toMatchObject([
    { code: "dropped", method: "_b", message },
    { code: "dropped", message },
  ]);
});

it("REM-22: brackets inside of texts, and lists beside each other, are no depth", async () => {
  const stage = await Stage.connected();
  const params = { text: `\\"${"[{".repeat(2_000)}\\`, "[": "]", lists: Array(2_000).fill([]), last: [["\\\\"]] };
  expect((await stage.post({ method: "_a", params })).status).toBe(202);
  expect((await stage.agent.side.call("_a")).params).toEqual(params);
});

import { describe, expect, test } from "vitest";
import { open, openSession, settle } from "./raw-agent.js";

test("defect N107: the sessions that listSessions returns are no list, and say so", async () => {
  const { client } = await open();
  const sessions: { readonly length?: number; readonly 0?: unknown } = await (client.listSessions() as never);
  expect(() => sessions.length).toThrow("listSessions returns no list: read it with for await");
  expect(() => sessions[0]).toThrow(TypeError);
});

test("defect N103: a value that JSON loses is reported in _meta of a prompt", async () => {
  const { session, diagnostics } = await openSession();
  session.prompt("hi", { _meta: { n: new Map() } });
  const text = 'The member "n" in the _meta of a prompt is of the type Map, which JSON cannot contain.';
  expect(diagnostics).toMatchObject([{ code: "unused_option", message: expect.stringContaining(text) }]);
});

test("defect N104: a notification whose name resembles that of an update is reported with that name", async () => {
  const { agent, diagnostics } = await open();
  for (const method of ["session/updat", "mcp/message"]) agent.send({ jsonrpc: "2.0", method, params: {} });
  await settle(agent);
  const message = "The notification session/updat was dropped: nothing handles it. Do you mean session/update?";
  expect(diagnostics).toMatchObject([{ code: "unhandled", method: "session/updat", message }]);
});

describe("defect N108: an error of a wrong call says what to do", () => {
  test("a method that was taken out of its object", async () => {
    const { client, session } = await openSession();
    const { prompt } = session;
    const { newSession } = client;
    expect(() => prompt("hi")).toThrow("session.prompt was called without its session: call it as session.prompt(…).");
    await expect(newSession({ cwd: "/work" })).rejects.toThrow("call it as client.newSession(…).");
  });

  test("an option that the session does not have", async () => {
    const configOptions = [{ id: "fast", name: "Fast", type: "boolean", currentValue: false }];
    const { session } = await openSession({}, { result: { configOptions } });
    await expect(session.setConfigOption("fsat", true)).rejects.toThrow("has no option fsat. It has: fast.");
    const bare = await openSession();
    await expect(bare.session.setConfigOption("fast", true)).rejects.toThrow("has no option fast. It has: none.");
  });
});

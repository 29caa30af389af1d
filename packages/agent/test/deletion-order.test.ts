import { describe, expect, test } from "vitest";
import { createMemoryLog, RpcError } from "../src/index.js";
import { clientInfo, connectAs, gate, openAs, seedHello, v2Hello } from "./raw-client.js";

const place = { cwd: "/work", mcpServers: [] };

describe.each([
  ["version 1", { protocolVersion: 1, clientInfo }, "session/load"],
  ["version 1, resumed", { protocolVersion: 1, clientInfo }, "session/resume"],
  ["version 2", v2Hello, "session/resume"],
  ["seed", seedHello, "session/load"],
] as const)("a deletion that takes its time, %s", (_, hello, method) => {
  const restore = (sessionId: string, id: string) => ({ id, method, params: { sessionId, ...place } });
  const remove = (sessionId: string, id: string) => ({ id, method: "session/delete", params: { sessionId } });

  test("defect B5: what follows it in one write finds no session", async () => {
    const gone = gate();
    const { client, sessionId } = await openAs(hello, { log: createMemoryLog(), deleteSession: () => gone.promise });
    client.send(remove(sessionId, "delete"), restore(sessionId, "restore"));
    const prompt = client.prompt(sessionId);
    client.send(restore(sessionId, "again"));
    await client.request("session/list");
    expect(client.story.slice(2)).toHaveLength(1);
    gone.open();
    expect((await client.answer("delete")).result).toEqual({});
    for (const id of ["restore", prompt, "again"]) expect((await client.answer(id)).error?.code).toBe(-32002);
  });

  test("defect B5: a restore that is received while the handler works waits for it", async () => {
    const began = gate();
    const gone = gate();
    const { client, sessionId } = await openAs(hello, {
      log: createMemoryLog(),
      async deleteSession() {
        began.open();
        await gone.promise;
      },
    });
    client.send(remove(sessionId, "delete"));
    await began.promise;
    client.send(restore(sessionId, "restore"));
    await client.request("session/list");
    gone.open();
    expect((await client.answer("delete")).result).toEqual({});
    expect((await client.answer("restore")).error).toMatchObject({ code: -32002 });
  });

  test("defect B5: of a session that is not open here, or twice, it is waited for too", async () => {
    const log = createMemoryLog();
    const gates = [gate(), gate()];
    const began = [gate(), gate()];
    let calls = 0;
    const { client } = await connectAs(hello, {
      log,
      async deleteSession() {
        const at = calls++;
        began[at]?.open();
        await gates[at]?.promise;
      },
    });
    const sessionId = await client.newSession();
    await client.result("session/close", { sessionId });
    client.send(remove(sessionId, "one"), remove(sessionId, "two"), restore(sessionId, "restore"));
    await began[0]?.promise;
    gates[0]?.open();
    await client.answer("one");
    await began[1]?.promise;
    client.send(restore(sessionId, "late"));
    await client.request("session/list");
    gates[1]?.open();
    for (const id of ["one", "two"]) expect((await client.answer(id)).result).toEqual({});
    for (const id of ["restore", "late"]) expect((await client.answer(id)).error?.code).toBe(-32002);
  });

  test("defect B5: a restore behind one that fails brings the session back", async () => {
    const tried = gate();
    const { client, sessionId } = await openAs(hello, { log: createMemoryLog(), deleteSession: () => tried.promise });
    client.send(remove(sessionId, "delete"), restore(sessionId, "restore"));
    const prompt = client.prompt(sessionId);
    tried.fail(RpcError.invalidRequest("not now"));
    expect((await client.answer("delete")).error).toMatchObject({ code: -32600 });
    expect((await client.answer("restore")).error).toBeUndefined();
    expect((await client.answer(prompt)).error).toBeUndefined();
  });

  test("defect R15: the end of the connection waits for it", async () => {
    const began = gate();
    const gone = gate();
    const log = createMemoryLog();
    const held = {
      ...log,
      async delete(id: string) {
        began.open();
        await gone.promise;
        await log.delete(id);
      },
    };
    const { client, sessionId, served } = await openAs(hello, { log: held });
    await client.result("session/close", { sessionId });
    client.send(remove(sessionId, "delete"));
    await began.promise;
    await client.close();
    const closed = served.closed.then(() => log.list({}));
    await new Promise((resolve) => setImmediate(resolve));
    gone.open();
    expect((await closed).sessions).toEqual([]);
  });

  test("defect B5: other sessions do not wait for it", async () => {
    const gone = gate();
    const { client, sessionId, served } = await openAs(hello, {
      log: createMemoryLog(),
      deleteSession: () => gone.promise,
    });
    const other = await client.newSession();
    client.send(remove(sessionId, "delete"), restore(sessionId, "restore"));
    expect((await client.ask(other)).error).toBeUndefined();
    expect((await client.request(method, { sessionId: other, ...place })).error).toBeUndefined();
    await client.close();
    gone.open();
    await served.closed;
  });
});

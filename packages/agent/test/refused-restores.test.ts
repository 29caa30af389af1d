import { describe, expect, test, vi } from "vitest";
import { type AgentHandlers, createMemoryLog, keepSessions, RpcError, type SessionLog } from "../src/index.js";
import { aborted, clientInfo, everything, gate, openAs, seedHello, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: everything };
const dialects = [
  ["version 1", v1Hello, "session/load"],
  ["version 1, resumed", v1Hello, "session/resume"],
  ["version 2", v2Hello, "session/resume"],
  ["seed", seedHello, "session/load"],
] as const;

const untilCancelled: AgentHandlers["prompt"] = async (turn) => {
  turn.say("running");
  await aborted(turn.signal);
};

const textOf = ([block]: readonly { readonly type: string }[]): string => String((block as { text?: string }).text);

/** A log that is not read before the gate opens. */
function slowLog() {
  const log = createMemoryLog();
  const reading = gate();
  const slow: SessionLog = {
    keep: keepSessions,
    open: (id, info) => log.open(id, info),
    list: (query) => log.list(query),
    delete: (id) => log.delete(id),
    async *read(id) {
      await reading.promise;
      yield* log.read(id);
    },
  };
  return { log: slow, reading };
}

describe.each(dialects)("restores that are refused, %s", { timeout: 2_000 }, (name, hello, method) => {
  const isV2 = name === "version 2";
  const restore = (sessionId: string, id: string, cwd = "/other") => ({
    id,
    method,
    params: { sessionId, cwd, mcpServers: [] },
  });

  describe.each([1, 2, 3, 5])("%i of them in one write", (count) => {
    test.each(["session/cancel", "session/close", "session/delete"])(
      "defect B2: %s behind them ends the turn that was running",
      async (what) => {
        const { client, sessionId } = await openAs(hello, { log: createMemoryLog(), prompt: untilCancelled });
        const running = client.prompt(sessionId);
        await client.update("agent_message_chunk");
        for (let n = 0; n < count; n++) client.send(restore(sessionId, `restore ${n}`));
        if (what === "session/cancel") client.cancel(sessionId);
        else expect(await client.result(what, { sessionId })).toEqual({});
        for (let n = 0; n < count; n++) expect((await client.answer(`restore ${n}`)).error?.code).toBe(-32602);
        if (isV2) expect(await client.update("state_update", 1)).toMatchObject({ stopReason: "cancelled" });
        else expect((await client.answer(running)).result).toEqual({ stopReason: "cancelled" });
        if (what === "session/cancel")
          expect((await client.request("session/close", { sessionId })).result).toEqual({});
        expect((await client.ask(sessionId)).error).toMatchObject({ code: -32002 });
      },
    );
  });

  test("defect B2: a cancel while the second of three works reaches every prompt", async () => {
    const { log, reading } = slowLog();
    const prompt = vi.fn(untilCancelled);
    const { client, sessionId } = await openAs(hello, { log, prompt });
    const running = client.prompt(sessionId);
    await client.update("agent_message_chunk");
    const behind: number[] = [];
    for (const [id, cwd] of [
      ["one", "/other"],
      ["two", "/work"],
      ["three", "/other"],
    ] as const) {
      client.send(restore(sessionId, id, cwd));
      behind.push(client.prompt(sessionId));
    }
    expect((await client.answer("one")).error).toBeDefined();
    client.cancel(sessionId);
    reading.open();
    expect((await client.answer("two")).error).toBeUndefined();
    expect((await client.answer("three")).error).toBeDefined();
    for (const id of behind) {
      const { result, error } = await client.answer(id);
      if (isV2) expect(error).toMatchObject({ code: -32800 });
      else expect(result).toEqual({ stopReason: "cancelled" });
    }
    if (!isV2) expect((await client.answer(running)).result).toEqual({ stopReason: "cancelled" });
    expect(prompt).toHaveBeenCalledTimes(1);
  });

  test("defect B2: without a log, one that waits leaves the open session in the list", async () => {
    const asked = gate();
    const handlers: Partial<AgentHandlers> = {
      async restoreSession() {
        await asked.promise;
        throw RpcError.invalidRequest("not now");
      },
      listSessions: undefined as never,
    };
    const { client, sessionId } = await openAs(hello, handlers);
    client.send(restore(sessionId, "one"), restore(sessionId, "two"));
    const { result, error } = await client.request("session/list");
    if (error !== undefined) expect(error.code).toBe(-32601);
    else expect(result.sessions).toMatchObject([{ sessionId }]);
    asked.open();
    expect((await client.answer("two")).error).toMatchObject({ code: -32600 });
  });

  describe("prompts that came behind them", () => {
    /** A first prompt that runs until it is let go on, one restore that is refused, and further prompts. */
    async function behindRestores(whilePrompting: "queue" | "reject" | "replace", batches: readonly number[]) {
      const goOn = gate();
      const heard: string[] = [];
      const { client, sessionId } = await openAs(hello, {
        log: createMemoryLog(),
        whilePrompting,
        async prompt(turn) {
          heard.push(textOf(turn.prompt));
          turn.say("running");
          await Promise.race([goOn.promise, aborted(turn.signal)]);
          return turn.signal.aborted ? "cancelled" : "end_turn";
        },
      });
      const first = client.prompt(sessionId, "first");
      await client.update("agent_message_chunk");
      const behind: number[] = [];
      for (const [at, size] of batches.entries()) {
        client.send(restore(sessionId, `restore ${at}`));
        for (let n = 0; n < size; n++) behind.push(client.prompt(sessionId, `${at} ${n}`));
      }
      for (const at of batches.keys()) expect((await client.answer(`restore ${at}`)).error?.code).toBe(-32602);
      return { client, sessionId, goOn, heard, first, behind };
    }

    test.each([{ batches: [1] }, { batches: [1, 1] }, { batches: [0, 1] }])(
      "defect B5: are refused if one is being answered, $batches",
      async ({ batches }) => {
        const { client, sessionId, goOn, heard, first, behind } = await behindRestores("reject", batches);
        for (const id of behind) expect((await client.answer(id)).error).toMatchObject({ code: -32600 });
        goOn.open();
        if (isV2) await client.update("state_update", 1);
        else expect((await client.answer(first)).result).toEqual({ stopReason: "end_turn" });
        expect(heard).toEqual(["first"]);
        expect((await client.ask(sessionId, "last")).error).toBeUndefined();
        await vi.waitFor(() => expect(heard).toEqual(["first", "last"]));
      },
    );

    test.each([{ batches: [1] }, { batches: [1, 1] }, { batches: [0, 1] }])(
      "defect B5: cancel the one before, $batches",
      async ({ batches }) => {
        const { client, goOn, heard, first, behind } = await behindRestores("replace", batches);
        if (isV2) expect(await client.update("state_update", 1)).toMatchObject({ stopReason: "cancelled" });
        else expect((await client.answer(first)).result).toEqual({ stopReason: "cancelled" });
        await vi.waitFor(() => expect(heard).toHaveLength(2));
        expect(heard[1]).toBe(`${batches.length - 1} 0`);
        goOn.open();
        // In version 2 it may have been inserted before.
        for (const id of isV2 ? [] : behind.slice(0, -1)) {
          expect((await client.answer(id)).result).toEqual({ stopReason: "cancelled" });
        }
        expect((await client.answer(behind.at(-1))).error).toBeUndefined();
      },
    );

    test("defect B5: beyond a hundred are refused", async () => {
      const { client, sessionId, behind } = await behindRestores("queue", [60, 60]);
      for (const id of behind.slice(100)) expect((await client.answer(id)).error).toMatchObject({ code: -32600 });
      client.cancel(sessionId);
      for (const id of behind.slice(0, 100)) {
        const { result, error } = await client.answer(id);
        if (isV2) expect(error).toMatchObject({ code: -32800 });
        else expect(result).toEqual({ stopReason: "cancelled" });
      }
    });
  });
});

describe.each(["tool_call", "terminal"] as const)("%s/cancel of version 2", (kind) => {
  test.each([1, 2])("defect B2: reaches the open session behind %i restores", async (count) => {
    const { log, reading } = slowLog();
    const onCancel = vi.fn();
    let id = "";
    const { client, sessionId } = await openAs(v2Hello, {
      log,
      async prompt(turn) {
        if (kind === "tool_call") id = turn.toolCall({ title: "Build", onCancel }).id;
        else id = turn.session.terminal({ onCancel }).terminalId;
        turn.say("running");
        await aborted(turn.signal);
      },
    });
    client.prompt(sessionId);
    await client.update("agent_message_chunk");
    const name = kind === "tool_call" ? "toolCallId" : "terminalId";
    const cancel = (one: string) => client.request(`${kind}/cancel`, { sessionId, [name]: one });
    for (let n = 0; n < count; n++) {
      const params = { sessionId, cwd: n === 0 ? "/work" : "/other", mcpServers: [] };
      client.send({ id: `restore ${n}`, method: "session/resume", params });
    }
    expect((await cancel("nothing")).error).toMatchObject({ code: -32602 });
    expect((await cancel(id)).result).toEqual({});
    expect(onCancel).toHaveBeenCalledTimes(1);
    reading.open();
    expect((await client.answer("restore 0")).error).toBeUndefined();
    expect((await cancel(id)).error).toMatchObject({ code: -32602 });
  });
});

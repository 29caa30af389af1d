import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  type AgentHandlers,
  compactEvents,
  createMemoryLog,
  type RestoreSession,
  type SessionEvent,
  type SessionLog,
} from "../src/index.js";
import { createFileLog, type FileLogOptions } from "../src/node/index.js";
import { clientInfo, connectAs, openAs, v2Hello } from "./raw-client.js";

const place = { cwd: "/work", mcpServers: [] };
const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: {} };

async function fileLog(options: FileLogOptions = {}): Promise<SessionLog> {
  const folder = await mkdtemp(join(tmpdir(), "session-data-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return createFileLog(folder, options);
}

type Data = { history: unknown[] };

/** An agent that remembers each prompt in its data. */
const remembering = (log: SessionLog): Partial<AgentHandlers<Data>> => ({
  log,
  newSession: () => ({ data: { history: [] } }),
  prompt({ session, prompt }) {
    const [block] = prompt;
    session.data.history.push(block?.type === "text" ? block.text : block);
  },
});

/** Restores a session, and returns its data and the reports. */
async function dataAfterRestore(handlers: Partial<AgentHandlers<any>>, sessionId: string, method = "session/load") {
  const seen: unknown[] = [];
  const prompt: AgentHandlers<any>["prompt"] = ({ session }) => void seen.push(structuredClone(session.data));
  const { client, served, diagnostics } = await connectAs(v1Hello, { ...handlers, prompt });
  await client.result(method, { sessionId, ...place });
  await client.ask(sessionId);
  await client.close();
  await served.closed;
  return { data: seen[0], diagnostics };
}

describe.each([
  ["memory", async () => createMemoryLog()],
  ["files", () => fileLog()],
  ["files that are compacted after each turn", () => fileLog({ compactBytes: 1 })],
  ["memory that is compacted after each turn", async () => createMemoryLog({ compactAbove: 0 })],
])("defect F9: session.data in %s", (_, createLog) => {
  test.each([
    ["version 1", v1Hello],
    ["version 2", v2Hello],
  ])("comes back after a restart, %s", async (_name, hello) => {
    const log = await createLog();
    const { client, served, sessionId } = await openAs(hello, remembering(log));
    for (const text of ["one", "two", "three"]) {
      await client.ask(sessionId, text);
      await vi.waitFor(() => expect(JSON.stringify(client.received.at(-1))).toMatch(/end_turn/));
    }
    await client.close();
    await served.closed;
    const { data, diagnostics } = await dataAfterRestore(remembering(log), sessionId);
    expect(data).toEqual({ history: ["one", "two", "three"] });
    expect(diagnostics).toEqual([]);
  });

  test("is on the disk when the client gets the end of a turn", async () => {
    const log = await createLog();
    const { client, sessionId } = await openAs(v1Hello, remembering(log));
    await client.ask(sessionId, "one");
    const stored: SessionEvent[] = [];
    for await (const event of log.read(sessionId)) stored.push(event);
    expect(stored.filter(({ type }) => type === "session_data").at(-1)).toMatchObject({
      ...{ data: { history: ["one"] }, dataVersion: 1 },
    });
  });

  test("is given to `restoreSession` with its version", async () => {
    const log = await createLog();
    const first = await openAs(v1Hello, { ...remembering(log), dataVersion: 7 });
    await first.client.ask(first.sessionId, "one");
    await first.client.close();
    await first.served.closed;
    const requests: RestoreSession[] = [];
    const restoreSession = (request: RestoreSession) => {
      requests.push(request);
      return { data: { history: ["converted"] } };
    };
    const next = { ...remembering(log), dataVersion: 8, restoreSession };
    expect((await dataAfterRestore(next, first.sessionId)).data).toEqual({ history: ["converted"] });
    await dataAfterRestore(next, first.sessionId);
    expect(requests).toMatchObject([
      { data: { history: ["one"] }, dataVersion: 7 },
      { data: { history: ["converted"] }, dataVersion: 8 },
    ]);
  });
});

describe("defect F9: data", () => {
  const turns = async (handlers: Partial<AgentHandlers<any>>, count = 1) => {
    const opened = await openAs(v1Hello, handlers);
    for (let turn = 0; turn < count; turn += 1) {
      expect(await opened.client.ask(opened.sessionId, `${turn}`)).toMatchObject({
        result: { stopReason: "end_turn" },
      });
    }
    await opened.client.close();
    await opened.served.closed;
    return opened;
  };

  class Workbench {}
  const circle: { self?: unknown } = {};
  circle.self = circle;
  const throwing = {
    get a(): number {
      throw new Error("no");
    },
  };

  test.each<[string, unknown, RegExp]>([
    ["a class", { bench: new Workbench() }, /data\.bench is not JSON/],
    ["a Map", new Map(), /data is not JSON/],
    ["a Date", { at: [new Date(0)] }, /data\.at\.0 is not JSON/],
    ["a function", { f: () => 1 }, /data\.f is not JSON/],
    ["a circle", circle, /data\.self is not JSON/],
    ["a bigint", { n: 1n }, /data\.n is not JSON/],
    ["NaN", { n: Number.NaN }, /data\.n is not JSON/],
    [
      "a list with members of its own (defect N142: JSON leaves them out)",
      { l: Object.assign([1], { total: 1 }) },
      /data\.l\.total is not JSON/,
    ],
    [
      "an object with a symbol (defect N142: JSON leaves it out)",
      { o: { [Symbol("key")]: 1 } },
      /data\.o\.Symbol\(key\) is not JSON/,
    ],
    ["a getter that throws", throwing, /no/],
    ["too much", "x".repeat(1024 * 1024), /1048578 bytes/],
    ["too many", Array.from({ length: 1_100_000 }, () => 0), /too many values/],
  ])("that is %s is reported once, the turns go on, and earlier data stays", async (_, bad, message) => {
    const log = createMemoryLog();
    const { sessionId, diagnostics } = await turns(
      {
        log,
        newSession: () => ({ data: { history: ["first"] } }),
        prompt({ session }) {
          (session as { data: unknown }).data = bad;
        },
      },
      2,
    );
    expect(diagnostics).toMatchObject([{ code: "log_failed", sessionId }]);
    expect(String(diagnostics[0]?.error)).toMatch(message);
    const requests: RestoreSession[] = [];
    const restoreSession = (request: RestoreSession) => {
      requests.push(request);
      return { data: { history: [] } };
    };
    await dataAfterRestore({ ...remembering(log), restoreSession }, sessionId);
    expect(requests).toMatchObject([{ data: { history: ["first"] }, isDataOutdated: true }]);
  });

  test("is not outdated any more once it can be stored again", async () => {
    const log = createMemoryLog();
    let turn = 0;
    const { sessionId } = await turns(
      {
        log,
        newSession: () => ({ data: 0 }),
        prompt({ session }) {
          (session as { data: unknown }).data = [new Map(), 0][turn++];
        },
      },
      2,
    );
    const events: SessionEvent[] = [];
    for await (const event of log.read(sessionId)) events.push(event);
    const fewer = await compactEvents(events);
    expect(fewer.at(-1)).toEqual({ type: "session_data", data: 0, dataVersion: 1 });
  });

  test("of a log without any is that of `newSession`, and `restoreSession` gets none", async () => {
    const log = createMemoryLog();
    const { sessionId } = await turns({ log });
    expect((await dataAfterRestore({ ...remembering(log), newSession: () => ({ data: "new" }) }, sessionId)).data).toBe(
      "new",
    );
    const other = await turns({ log });
    const seen: object[] = [];
    await dataAfterRestore({ log, restoreSession: (request) => void seen.push(request) }, other.sessionId);
    expect(seen).toEqual([expect.objectContaining({ data: undefined, dataVersion: undefined })]);
  });

  test("of another version is not used without `restoreSession`, and that is reported", async () => {
    const log = createMemoryLog();
    const { sessionId } = await turns(remembering(log));
    const { data, diagnostics } = await dataAfterRestore({ ...remembering(log), dataVersion: 2 }, sessionId);
    expect(data).toEqual({ history: [] });
    expect(diagnostics).toMatchObject([{ code: "log_failed", message: expect.stringContaining("version 1") }]);
  });

  test("that changed between turns is stored when the session closes, or is restored while it is open", async () => {
    const log = createMemoryLog();
    const { client, sessionId } = await openAs(v1Hello, {
      ...remembering(log),
      extensions: { _x: () => 1 },
      setConfigOption(session) {
        session.data.history.push("set");
      },
      newSession: () => ({
        data: { history: [] },
        configOptions: [{ type: "boolean", configId: "b", name: "B", currentValue: false }],
      }),
      prompt: (turn) => void turn.say(JSON.stringify(turn.session.data)),
    });
    const choose = (value: string) => client.result("session/set_config_option", { sessionId, configId: "b", value });
    await choose("on");
    await client.result("session/load", { sessionId, ...place });
    await client.ask(sessionId);
    expect(client.text).toContain('"set"');
    await choose("off");
    await client.result("session/close", { sessionId });
    expect((await dataAfterRestore(remembering(log), sessionId)).data).toMatchObject({
      history: expect.arrayContaining(["set", "set"]),
    });
  });

  test("cannot be given by a client", async () => {
    const seen: RestoreSession[] = [];
    const { client } = await connectAs(v1Hello, { restoreSession: (request) => void seen.push(request) });
    await client.result("session/load", { sessionId: "s", ...place, data: "evil", dataVersion: 1 });
    expect(seen).toEqual([expect.objectContaining({ data: undefined, dataVersion: undefined })]);
  });

  test("stays within a small record of the log", async () => {
    const log = await fileLog({ maxRecordBytes: 4_096 });
    const { diagnostics } = await turns({ log, newSession: () => ({ data: "x".repeat(5_000) }) });
    expect(diagnostics).toMatchObject([{ code: "log_failed" }]);
  });
});

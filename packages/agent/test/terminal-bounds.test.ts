import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type AgentSession, createMemoryLog, keepSessions, type SessionLog } from "../src/index.js";
import { createFileLog, createLocalTerminals } from "../src/node/index.js";
import { clientInfo, everything, type Frame, openAs, seedHello, v2Hello } from "./raw-client.js";

// Megabytes are written and read here, on whatever machine.
vi.setConfig({ testTimeout: 60_000 });

const KIB = 1024;
const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: everything };
const program = (letters: number) => ({
  command: process.execPath,
  args: ["-e", `process.stdout.write("x".repeat(${letters}) + "end")`],
});

async function smallLog(maxRecordBytes: number): Promise<SessionLog> {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return createFileLog(folder, { maxRecordBytes });
}

const written = (updates: readonly Frame[]): string =>
  updates.reduce((text, { output, data }) => (output ? atob(output.data) : text + atob(data ?? "")), "");

describe.each([
  ["v1", v1Hello],
  ["v2", v2Hello],
  ["seed", seedHello],
] as const)("output of a terminal that cannot be said (%s)", (dialect, hello) => {
  test("defect B13: a command that floods inside newSession ends, and its newest output comes after the announcement", async () => {
    let exit: unknown;
    const { client, diagnostics } = await openAs(hello, {
      async newSession(_, session) {
        const terminals = createLocalTerminals({ ...place(session), cwd: process.cwd(), roots: [process.cwd()] });
        exit = await (await terminals.create(program(8 * KIB * KIB))).waitForExit();
      },
    });
    expect(exit).toMatchObject({ exitCode: 0 });
    expect(diagnostics.filter(({ code }) => code !== "loss")).toEqual([]);
    if (dialect !== "v2") return;
    const text = written(client.updates());
    expect(text.endsWith("xend")).toBe(true);
    expect(text.length).toBeGreaterThan(100 * KIB);
  });

  test("defect B13: many terminals that flood inside newSession all end, and none throws", async () => {
    const { client } = await openAs(hello, {
      newSession(_, session) {
        for (let n = 0; n < 30; n++) {
          const terminal = session.terminal();
          for (let at = 0; at < 100; at++) terminal.write("y".repeat(4 * KIB));
          terminal.exit({ exitCode: n });
        }
      },
    });
    if (dialect !== "v2") return;
    await expect.poll(() => client.updates().filter(({ exitStatus }) => exitStatus).length).toBe(30);
  });

  test.each([
    ["small", 64 * KIB],
    ["tiny", KIB],
  ])("defect B13: a command under a log of %s records is told and stored whole", async (_, maxRecordBytes) => {
    const log = await smallLog(maxRecordBytes);
    const letters = 100 * KIB;
    const { client, sessionId, diagnostics } = await openAs(hello, {
      log,
      async prompt(turn) {
        const terminals = createLocalTerminals({ ...place(turn.session), cwd: process.cwd(), roots: [process.cwd()] });
        await (await terminals.create(program(letters))).waitForExit();
        const terminal = turn.session.terminal();
        for (let n = 0; n < 200; n++) terminal.write("small pieces");
        terminal.exit();
        await turn.say("after");
      },
    });
    const answer = await client.ask(sessionId);
    expect(answer).not.toHaveProperty("error");
    // The answer of version 2 comes before the command has run. Its turn ends when the log has stored everything.
    if (dialect === "v2") await client.next(({ params }) => params?.update?.state === "idle");
    expect(client.text).toBe("after");
    expect(diagnostics.filter(({ code }) => code !== "loss")).toEqual([]);
    let output = "";
    for await (const event of log.read(sessionId))
      if (event.type === "terminal_output_chunk") output += atob(event.data);
    expect(output.length).toBe(letters + 3 + 200 * 12);
  });
});

test("defect B13: a log that takes no output fails no turn, and is reported once in a row", async () => {
  const log = createMemoryLog();
  const failing: SessionLog = {
    keep: keepSessions,
    read: (id) => log.read(id),
    list: (query) => log.list(query),
    delete: (id) => log.delete(id),
    async open(id, info) {
      const writer = await log.open(id, info);
      return {
        append(event) {
          if ("data" in event || ("output" in event && event.output)) throw new Error("no output, please");
          return writer.append(event);
        },
        commit: () => writer.commit(),
        [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
      };
    },
  };
  const { client, sessionId, diagnostics } = await openAs(v1Hello, {
    log: failing,
    async prompt(turn) {
      const terminal = turn.session.terminal();
      for (let n = 0; n < 10; n++) terminal.write(new Uint8Array(64 * KIB));
      await turn.say("after");
      terminal.exit();
    },
  });
  expect((await client.ask(sessionId)).result).toMatchObject({ stopReason: "end_turn" });
  expect(client.text).toBe("after");
  expect(diagnostics.filter(({ code }) => code !== "loss")).toHaveLength(1);
});

const place = (session: AgentSession<unknown>) => ({
  signal: session.signal,
  terminal: (start?: Parameters<typeof session.terminal>[0]) => session.terminal(start),
});

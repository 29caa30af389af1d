import { describe, expect, test, vi } from "vitest";
import { type CreateTerminal, type HostSession, type HostTerminal, RpcError, type TerminalExit } from "../src/index.js";
import { gate, newSession, openSession, settle } from "./raw-agent.js";

const read = { sessionId: "s-1", path: "/work/a.ts" };

describe("files", () => {
  test("reads and writes are put to the host with the session's place (V1-FS-02, V1-FS-05)", async () => {
    const calls: unknown[] = [];
    const note = (request: unknown, { signal, ...session }: HostSession) => void calls.push([request, session, signal]);
    const { agent } = await openSession({
      files: {
        readTextFile: (request, session) => {
          note(request, session);
          return "text";
        },
        writeTextFile: note,
      },
    });
    agent.request(1, "fs/read_text_file", { ...read, line: 3, limit: 2 });
    agent.request(2, "fs/write_text_file", { ...read, content: "new" });
    expect(await agent.answerTo(1)).toMatchObject({ result: { content: "text" } });
    expect(await agent.answerTo(2)).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
    const session = { sessionId: "s-1", cwd: "/work", roots: ["/work"] };
    expect(calls).toEqual([
      [{ path: "/work/a.ts", line: 3, limit: 2 }, session, expect.any(AbortSignal)],
      [{ path: "/work/a.ts", content: "new" }, session, expect.any(AbortSignal)],
    ]);
  });

  test("the host's error is the answer (V1-FS-07)", async () => {
    const { agent } = await openSession({
      files: {
        readTextFile: () => {
          throw RpcError.resourceNotFound({ uri: "file:///work/a.ts" });
        },
        writeTextFile: async () => {
          throw new Error("disk full");
        },
      },
    });
    agent.request(1, "fs/read_text_file", read);
    agent.request(2, "fs/write_text_file", { ...read, content: "" });
    expect(await agent.answerTo(1)).toMatchObject({ error: { code: -32002, data: { uri: "file:///work/a.ts" } } });
    expect(await agent.answerTo(2)).toMatchObject({ error: { code: -32603 } });
  });

  test("a flood of reads begins eight at a time, and every read is answered", async () => {
    let [running, most] = [0, 0];
    const { agent } = await openSession({
      files: {
        readTextFile: async ({ path }) => {
          running += 1;
          most = Math.max(most, running);
          await new Promise(setImmediate);
          running -= 1;
          return path;
        },
      },
    });
    for (let n = 0; n < 500; n++) agent.request(n, "fs/read_text_file", { ...read, path: `/${n}` });
    for (const n of [0, 250, 499]) expect(await agent.answerTo(n)).toMatchObject({ result: { content: `/${n}` } });
    expect(most).toBe(8);
  });

  test("what is not offered does not exist (V1-INIT-18)", async () => {
    const { agent } = await openSession({ files: { readTextFile: () => "" } });
    agent.request(1, "fs/write_text_file", { ...read, content: "" });
    agent.request(2, "terminal/create", { sessionId: "s-1", command: "ls" });
    expect(await agent.answerTo(1)).toMatchObject({ error: { code: -32601 } });
    expect(await agent.answerTo(2)).toMatchObject({ error: { code: -32601 } });
  });

  test("only sessions of this connection are served (V1-SESS-43)", async () => {
    const readTextFile = vi.fn(() => "");
    const { agent, session } = await openSession({ files: { readTextFile } }, { agentCapabilities: {} });
    agent.request(1, "fs/read_text_file", { ...read, sessionId: "stranger" });
    expect(await agent.answerTo(1)).toMatchObject({ error: { code: -32002, data: { sessionId: "stranger" } } });
    await session.close();
    agent.request(2, "fs/read_text_file", read);
    expect(await agent.answerTo(2)).toMatchObject({ error: { code: -32002 } });
    expect(readTextFile).not.toHaveBeenCalled();
  });

  test("malformed params never reach the host (V1-RPC-13)", async () => {
    const readTextFile = vi.fn(() => "");
    const { agent } = await openSession({ files: { readTextFile } });
    agent.request(1, "fs/read_text_file", { ...read, line: -1 });
    expect(await agent.answerTo(1)).toMatchObject({ error: { code: -32602 } });
    expect(readTextFile).not.toHaveBeenCalled();
  });

  test("handlers start in the order of the wire, after listeners were told what came before", async () => {
    const log: string[] = [];
    const slow = gate();
    const { agent, session } = await openSession({
      files: {
        readTextFile: ({ path }) => {
          log.push(path);
          return new Promise(() => undefined);
        },
      },
    });
    session.onEvent(async (event) => {
      log.push(event.type);
      await slow.promise;
    });
    agent.say("s-1", "before");
    agent.request(1, "fs/read_text_file", { ...read, path: "/1" });
    agent.request(2, "fs/read_text_file", { ...read, path: "/2" });
    await settle(agent);
    expect(log).toEqual(["agent_message_chunk"]);
    slow.open();
    await vi.waitFor(() => expect(log).toEqual(["agent_message_chunk", "/1", "/2"]));
  });

  test("the signal fires when the agent withdraws, and when the session ends (V1-CANCEL-14)", async () => {
    const signals: AbortSignal[] = [];
    const { agent, session } = await openSession(
      {
        files: {
          readTextFile: (_, { signal }) => {
            signals.push(signal);
            return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
          },
        },
      },
      { agentCapabilities: {} },
    );
    agent.request(1, "fs/read_text_file", read);
    agent.request(2, "fs/read_text_file", read);
    agent.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 1 } });
    expect(await agent.answerTo(1)).toMatchObject({ error: { code: -32800 } });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    await session.close();
    expect(await agent.answerTo(2)).toMatchObject({ error: { code: -32800 } });
  });

  test("a write that was withdrawn before its turn came is not started", async () => {
    const writeTextFile = vi.fn();
    const slow = gate();
    const { agent, session } = await openSession({ files: { writeTextFile } });
    session.onEvent(() => slow.promise);
    agent.say("s-1", "hold");
    agent.request(1, "fs/write_text_file", { ...read, content: "" });
    agent.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 1 } });
    await settle(agent);
    slow.open();
    expect(await agent.answerTo(1)).toMatchObject({ error: { code: -32800 } });
    expect(writeTextFile).not.toHaveBeenCalled();
  });

  test("many open reads cause no warning of leaking listeners", async () => {
    const warned = vi.fn();
    process.on("warning", warned);
    const done = gate();
    const { agent } = await openSession({ files: { readTextFile: () => done.promise.then(() => "") } });
    for (let id = 0; id < 50; id++) agent.request(id, "fs/read_text_file", read);
    await settle(agent);
    done.open();
    await agent.answerTo(49);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", warned);
    expect(warned).not.toHaveBeenCalled();
  });
});

class FakeTerminal implements HostTerminal {
  readonly exited: Promise<TerminalExit>;
  readonly release = vi.fn(async () => this.exit({ exitCode: null, signal: "SIGKILL" }));
  readonly kill = vi.fn(async () => this.exit({ exitCode: null, signal: "SIGTERM" }));
  exit!: (status: TerminalExit) => void;
  write: (text: string) => void = () => undefined;
  #output = "";

  constructor() {
    this.exited = new Promise((resolve) => {
      this.exit = resolve;
    });
  }

  output() {
    return { output: this.#output, truncated: false };
  }

  onData(listener: (bytes: Uint8Array) => void): () => void {
    this.write = (text) => {
      this.#output += text;
      listener(new TextEncoder().encode(text));
    };
    return () => undefined;
  }
}

describe("terminals", () => {
  async function openTerminal(options: { agentCapabilities?: object } = {}) {
    const made: FakeTerminal[] = [];
    const create = vi.fn((_request: CreateTerminal, _session: HostSession): HostTerminal => {
      const terminal = new FakeTerminal();
      made.push(terminal);
      return terminal;
    });
    const opened = await openSession({ terminals: { create } }, options);
    opened.agent.request("c", "terminal/create", { sessionId: "s-1", command: "make", args: ["check"] });
    const { result } = await opened.agent.answerTo("c");
    const names = { sessionId: "s-1", terminalId: result.terminalId as string };
    return { ...opened, create, made, terminal: made[0] as FakeTerminal, names };
  }

  test("run through the host, from create to release (V1-TERM-02, V1-TERM-03, V1-TERM-08, V1-TERM-10..13)", async () => {
    const { agent, create, terminal, names } = await openTerminal();
    expect(create.mock.calls[0]).toMatchObject([{ command: "make", args: ["check"] }, { sessionId: "s-1" }]);
    terminal.write("ok\n");
    agent.request(1, "terminal/output", names);
    expect(await agent.answerTo(1)).toMatchObject({ result: { output: "ok\n", truncated: false } });
    agent.request(2, "terminal/wait_for_exit", names);
    agent.request(3, "terminal/wait_for_exit", names);
    agent.request(4, "terminal/kill", names);
    expect(await agent.answerTo(4)).toMatchObject({ result: {} });
    for (const id of [2, 3]) {
      expect(await agent.answerTo(id)).toMatchObject({ result: { exitCode: null, signal: "SIGTERM" } });
    }
    agent.request(5, "terminal/release", names);
    expect(await agent.answerTo(5)).toMatchObject({ result: {} });
    expect(terminal.release).toHaveBeenCalledTimes(1);
    for (const method of ["output", "wait_for_exit", "kill", "release"]) {
      agent.request(method, `terminal/${method}`, names);
      expect(await agent.answerTo(method)).toMatchObject({ error: { code: -32002 } });
    }
  });

  test("show their output in the state, also after the release (V1-TERM-14, V1-TOOL-09)", async () => {
    const { agent, session, terminal, names } = await openTerminal();
    terminal.write("héllo ".repeat(5_000));
    agent.request(1, "terminal/release", names);
    await agent.answerTo(1);
    await vi.waitFor(() => expect(session.state.terminals.at(0)?.exitStatus).toMatchObject({ signal: "SIGKILL" }));
    expect(session.state.terminals.at(0)).toMatchObject({
      terminalId: names.terminalId,
      command: "make check",
      cwd: "/work",
      text: "héllo ".repeat(5_000),
    });
  });

  test("belong to their session (V1-TERM-16)", async () => {
    const opened = await openTerminal();
    await newSession(opened, "s-2");
    opened.agent.request(1, "terminal/output", { ...opened.names, sessionId: "s-2" });
    expect(await opened.agent.answerTo(1)).toMatchObject({ error: { code: -32002 } });
    opened.agent.request(2, "terminal/create", { sessionId: "stranger", command: "ls" });
    expect(await opened.agent.answerTo(2)).toMatchObject({ error: { code: -32002 } });
  });

  test("die with the session (V1-TERM-17)", async () => {
    const { session, terminal } = await openTerminal({ agentCapabilities: {} });
    const received: string[] = [];
    session.onEvent((event) => void received.push(event.type));
    await session.close();
    expect(terminal.release).toHaveBeenCalledTimes(1);
    await vi.waitFor(() => expect(session.state.terminals.at(0)?.exitStatus).toMatchObject({ signal: "SIGKILL" }));
    // The end of the session is the last that listeners hear of it.
    expect(received).toEqual(["session_closed"]);
  });

  test("die with the connection (V1-TERM-17)", async () => {
    const { agent, client, terminal } = await openTerminal();
    await agent.close();
    await client.closed;
    expect(terminal.release).toHaveBeenCalledTimes(1);
  });

  test("one whose release fails is reported, and the others are released", async () => {
    const { agent, client, made, terminal, diagnostics } = await openTerminal();
    agent.request("c2", "terminal/create", { sessionId: "s-1", command: "ls" });
    await agent.answerTo("c2");
    terminal.release.mockRejectedValue(new Error("stuck"));
    await agent.close();
    await client.closed;
    expect(made[1]?.release).toHaveBeenCalledTimes(1);
    await vi.waitFor(() => expect(diagnostics).toMatchObject([{ message: "A terminal could not be released." }]));
  });

  test("one that comes to be after its session ended is released at once", async () => {
    const started = gate<HostTerminal>();
    const { agent, session } = await openSession(
      { terminals: { create: () => started.promise } },
      { agentCapabilities: {} },
    );
    agent.request("c", "terminal/create", { sessionId: "s-1", command: "make" });
    await settle(agent);
    await session.close();
    const terminal = new FakeTerminal();
    started.open(terminal);
    expect(await agent.answerTo("c")).toMatchObject({ error: { code: -32800 } });
    expect(terminal.release).toHaveBeenCalledTimes(1);
  });

  test("a wait that the agent withdraws is answered, and the command runs on (V1-CANCEL-15)", async () => {
    const { agent, terminal, names } = await openTerminal();
    agent.request(1, "terminal/wait_for_exit", names);
    agent.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 1 } });
    expect(await agent.answerTo(1)).toMatchObject({ error: { code: -32800 } });
    expect(terminal.kill).not.toHaveBeenCalled();
  });

  test("are bounded, those that are starting included; a release makes room", async () => {
    const { agent, create, names } = await openTerminal();
    for (let id = 0; id < 100; id++) agent.request(id, "terminal/create", { sessionId: "s-1", command: "ls" });
    expect(await agent.answerTo(99)).toMatchObject({ error: { code: -32603 } });
    expect(create).toHaveBeenCalledTimes(100);
    agent.request("r", "terminal/release", names);
    await agent.answerTo("r");
    agent.request("again", "terminal/create", { sessionId: "s-1", command: "ls" });
    expect(await agent.answerTo("again")).toHaveProperty("result.terminalId");
  });

  test("a command that cannot start fails the create (V1-TERM-04)", async () => {
    const { agent } = await openSession({
      terminals: {
        create: () => {
          throw RpcError.internalError("no such program");
        },
      },
    });
    agent.request("c", "terminal/create", { sessionId: "s-1", command: "nope" });
    expect(await agent.answerTo("c")).toMatchObject({ error: { code: -32603, data: { details: "no such program" } } });
  });
});

import { inspect } from "node:util";
import { isAlive, processDeath } from "@turnkit/testing/node";
import type { Diagnostic } from "@turnkit/transport";
import { childEnvironment } from "@turnkit/transport/node";
import { readWireLog, recordChannel } from "@turnkit/transport/trace";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { ClientOptions } from "../client-options.js";
import { type LaunchOptions, launch } from "./launch.js";

const info = { name: "test-client", version: "1.0.0" };

/** An agent in a few lines of plain JavaScript; `prompt` is what it does with a prompt. */
const agent = (prompt: string, start = "") => `
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  const update = (update) => send({ method: "session/update", params: { sessionId: "s-1", update } });
  const say = (text) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  ${start}
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (method === "initialize") send({ id, result: { protocolVersion: 1 } });
    if (method === "session/new") send({ id, result: { sessionId: "s-1" } });
    if (method === "session/prompt") { ${prompt} }
  });
`;

const start = (script: string, options: Partial<ClientOptions & LaunchOptions> = {}) =>
  launch([process.execPath, "-e", script], { info, ...options });

describe("launch", () => {
  test("talks to a real process over its stdin and stdout, from prompt to end (V1-STDIO-01, V2-TRA-07)", async () => {
    const client = await start(
      agent("say('hello ' + process.cwd()); send({ id, result: { stopReason: 'end_turn' } })"),
      {
        cwd: "/",
      },
    );
    // defect F12: the handle names the process.
    expect(() => process.kill(client.pid, 0)).not.toThrow();
    const session = await client.newSession({ cwd: "/work" });
    expect(await session.prompt("hi").ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
    expect(session.state.timeline.at(1)).toMatchObject({ role: "agent" });
    await client.close();
    expect(await client.closed).toMatchObject({ kind: "local", exitCode: 0 });
  });

  test("defect F1: what an agent built with turnkit prints about its mistakes reaches a client that reads no stderr", async () => {
    const script = agent(
      "send({ id, result: { stopReason: 'end_turn' } })",
      "console.error('loading'); console.error('turnkit: The option onPrompt of createAgent is not used.'); console.error('turnkit');",
    );
    for (const onStderr of [undefined, () => undefined]) {
      const diagnostics: Diagnostic[] = [];
      const received = new Promise<void>((resolve) => {
        const take = (one: Diagnostic) => {
          diagnostics.push(one);
          if (one.message.includes("says on stderr")) resolve();
        };
        void start(script, { onDiagnostic: take, ...(onStderr && { onStderr }) })
          .then((client) => client.close())
          .then(resolve);
      });
      await received;
      const reports = diagnostics
        .map(({ code, message }) => [code, message])
        .filter(([code]) => code?.startsWith("agent_"));
      const line = "The agent says on stderr: The option onPrompt of createAgent is not used.";
      const first = expect.stringContaining("The agent prints on stderr. Pass onStderr");
      const both = [
        ["agent_stderr", first],
        ["agent_report", line],
      ];
      expect(reports).toEqual(onStderr === undefined ? both : []);
    }
  });

  test("an exit in the middle of a turn is told within a second, with the last lines of stderr (V1-STDIO-10)", async () => {
    const client = await start(
      agent("say('so far'); console.error('out of memory'); process.exitCode = 3; process.exit()"),
    );
    const received: string[] = [];
    const session = await client.newSession({ cwd: "/work" }, (event) => void received.push(event.type));
    const before = performance.now();
    const { ended } = session.prompt("hi");
    await expect(ended).rejects.toMatchObject({
      code: "connection_closed",
      message: expect.stringMatching(/exited with code 3\.\nout of memory/),
      reason: { kind: "exit", exitCode: 3, stderr: "out of memory\n" },
    });
    expect(performance.now() - before).toBeLessThan(1_000);
    expect(received).toContain("agent_message_chunk");
    expect(received.at(-1)).toBe("session_closed");
    expect(await client.closed).toMatchObject({ kind: "exit", exitCode: 3 });
  });

  test("goes through what is put between it and the agent, such as a recorder", async () => {
    const lines: string[] = [];
    const client = await start(agent(""), {
      wrapChannel: (channel) => recordChannel(channel, (line) => lines.push(line)),
    });
    await client.newSession({ cwd: "/work" });
    await client.close();
    const methods = readWireLog(lines.join("")).flatMap((entry) => ("sent" in entry ? entry.sent : []));
    expect(methods).toMatchObject([{ method: "initialize" }, { method: "session/new" }]);
  });

  test("lines that are no JSON are noise, and reported", async () => {
    const diagnostics: string[] = [];
    const client = await start(agent("", "console.log('Welcome!');"), {
      onDiagnostic: ({ code }) => diagnostics.push(code),
    });
    expect(diagnostics).toEqual(["invalid_line"]);
    await client.close();
  });

  test("nothing but messages goes to the agent, not even an answer to its noise (V1-STDIO-04)", async () => {
    const noise = "console.log('noise'); console.log('[]'); console.log('{\"jsonrpc\": 1}');";
    const record = `${noise} process.stdin.on("data", (bytes) => process.stderr.write(bytes));`;
    let stdin = "";
    const client = await start(agent(`${noise} send({ id, result: { stopReason: "end_turn" } })`, record), {
      onStderr: (text) => (stdin += text),
    });
    const session = await client.newSession({ cwd: "/work" });
    await session.prompt("two\nlines").ended;
    await client.close();
    expect(stdin.endsWith("\n")).toBe(true);
    const frames = stdin
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(frames).toMatchObject(frames.map(() => ({ jsonrpc: "2.0" })));
    expect(frames.flatMap(({ method }) => method ?? [])).toEqual(["initialize", "session/new", "session/prompt"]);
    // Broken messages that are JSON are answered, as the protocol has it; a line of text is not.
    expect(frames.filter((frame) => !("method" in frame)).every(({ error }) => error.code === -32600)).toBe(true);
  });

  test("what the agent writes to stderr is drained, told and kept within a bound (V1-STDIO-05)", async () => {
    // Written synchronously: an agent whose pipe nobody drains would hang in there.
    const flood = "require('node:fs').writeSync(2, 'x'.repeat(1024 * 1024 - 1) + '\\n');";
    const once = agent(`${flood} send({ id, result: { stopReason: "end_turn" } })`, flood);
    let received = 0;
    const client = await start(once, { onStderr: (text) => (received += text.length), stderrBytes: 100 });
    const session = await client.newSession({ cwd: "/work" });
    expect(await session.prompt("hi").ended).toMatchObject({ stopReason: "end_turn" });
    await client.close();
    expect(received).toBe(2 * 1024 * 1024);
    expect((await client.closed).stderr).toHaveLength(100);
    const silent = await start(once);
    await (await silent.newSession({ cwd: "/work" })).prompt("hi").ended;
    await silent.close();
  });

  test("a close ends its stdin, and then the process (V2-TRA-07, V1-STDIO-09)", async () => {
    let said = "";
    const linger = `setInterval(() => {}, 1000);
      process.stdin.on("end", () => console.error("end of stdin"));
      process.on("SIGTERM", () => { console.error("SIGTERM"); process.exit(0); });`;
    const client = await start(agent("", linger), { graceMs: 100, onStderr: (text) => (said += text) });
    await client.close();
    expect(said).toBe("end of stdin\nSIGTERM\n");
  });

  test("no process is left after a close, grandchildren included", async () => {
    const spawn = "const { pid } = require('node:child_process').spawn('sleep', ['60']);";
    const client = await start(
      agent("say(pid + ' ' + process.pid); send({ id, result: { stopReason: 'end_turn' } })", spawn),
    );
    const session = await client.newSession({ cwd: "/work" });
    await session.prompt("hi").ended;
    const message = session.state.timeline.at(1);
    const text =
      message?.type === "message" ? String((message.content.at(0) as { text?: string } | undefined)?.text) : "";
    const pids = text.split(" ").map(Number);
    expect(pids.every(isAlive)).toBe(true);
    await client.close();
    for (const pid of pids) await processDeath(pid);
  });
});

describe("a launch that fails", () => {
  test("for want of a program says what to do (V1-STDIO-10)", async () => {
    await expect(launch(["turnkit-no-such-agent"], { info })).rejects.toMatchObject({
      name: "SpawnError",
      code: "spawn",
      message: expect.stringMatching(/^Could not start turnkit-no-such-agent: .*PATH; install it or name it/),
    });
  });

  test("because the program ends at once tells how, and its last words", async () => {
    const ended = start("console.error('usage: agent [--acp]'); process.exit(2)");
    await expect(ended).rejects.toMatchObject({
      code: "connection_closed",
      message: expect.stringMatching(
        /^initialize: .*exited with code 2\. Run the agent in a terminal .*\nusage: agent \[--acp\]/s,
      ),
    });
  });

  // Each prints its process id to stderr and ignores the end of its stdin.
  const stubborn = "process.stderr.write(process.pid + '\\n'); setInterval(() => {}, 1000);";

  test("because nobody answers in time names the command, what it wrote and what to try, and ends it", async () => {
    let pid = 0;
    const late = start(stubborn, { startTimeoutMs: 1_500, graceMs: 50, onStderr: (text) => (pid = Number(text)) });
    await expect(late).rejects.toMatchObject({
      name: "SpawnError",
      message: expect.stringMatching(/-e .* did not answer within 1\.5 s\. .*uses ACP.*startTimeoutMs\.\n\d+/s),
    });
    expect(pid).toBeGreaterThan(0);
    await processDeath(pid);
  });

  test("shows no secret of its command line", async () => {
    const command = [process.execPath, "-e", "setInterval(() => {}, 1000)", "--", "--api-key", "hunter2"] as const;
    const late = launch([...command], { info, startTimeoutMs: 100, graceMs: 50 });
    await expect(late).rejects.toThrow("--api-key [redacted] was ended");
  });

  test.each([
    ["an unknown version", "{ protocolVersion: 99 }", "negotiation"],
    ["an answer that cannot be read", "{ version: 1 }", "invalid_message"],
  ])("because of %s ends the program", async (_, result, code) => {
    let pid = 0;
    const script = `${stubborn} process.stdin.once("data", () =>
      process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: 0, result: ${result} }) + "\\n"));`;
    await expect(start(script, { graceMs: 50, onStderr: (text) => (pid = Number(text)) })).rejects.toMatchObject({
      code,
    });
    expect(pid).toBeGreaterThan(0);
    await processDeath(pid);
  });
});

describe("an agent that ends before it answered", () => {
  test.each([
    ["process.exit(0)", /exited with code 0\. The agent ended without an error\. Many agents need an argument/],
    ["process.exit(127)", /exited with code 127\. The agent or a program that it starts was not found\. Install it/],
    ["process.exit(126)", /exited with code 126\. The agent or a program that it starts may not be executed/],
    ["process.kill(process.pid, 'SIGKILL')", /was ended by SIGKILL\. Another process or the system killed the agent/],
    [
      "process.exit(1)",
      /exited with code 1\. Run the agent in a terminal to find what it needs, .*: .*-e process\.exit\(1\)$/,
    ],
  ])("by %s: the error says what to try", async (script, message) => {
    await expect(start(script)).rejects.toMatchObject({
      code: "connection_closed",
      message: expect.stringMatching(message),
      reason: { kind: "exit" },
    });
  });

  test("defect F5: names the keys that it did not get, and how to grant one", async () => {
    vi.stubEnv("SOME_MODEL_API_KEY", "hunter2");
    onTestFinished(() => void vi.unstubAllEnvs());
    const failing = start("process.exit(1)");
    await expect(failing).rejects.toThrow(
      /did not get these variables.*SOME_MODEL_API_KEY.*childEnvironment\(\{ names: \["/s,
    );
    await expect(failing).rejects.not.toThrow(/hunter2/);
  });

  test("defect F5: names no key that it got", async () => {
    vi.stubEnv("SOME_MODEL_API_KEY", "hunter2");
    onTestFinished(() => void vi.unstubAllEnvs());
    const env = childEnvironment({ names: ["SOME_MODEL_API_KEY"] });
    const failing = launch([process.execPath, "-e", "process.exit(1)"], { info, env });
    await expect(failing).rejects.not.toThrow(/SOME_MODEL_API_KEY/);
  });

  test("defect N6: an agent that does not answer names the keys that it did not get", async () => {
    vi.stubEnv("SOME_MODEL_API_KEY", "hunter2");
    onTestFinished(() => void vi.unstubAllEnvs());
    const waiting = launch([process.execPath, "-e", "setInterval(() => {}, 1e6)"], { info, startTimeoutMs: 50 });
    await expect(waiting).rejects.toThrow(/did not answer within.*did not get these variables.*SOME_MODEL_API_KEY/s);
  });

  test("defect N6: names a granted variable that this process does not have", async () => {
    const env = childEnvironment({ names: ["NO_SUCH_TURNKIT_KEY"] });
    const failing = launch([process.execPath, "-e", "process.exit(1)"], { info, env });
    await expect(failing).rejects.toThrow(/this process has no such variables: NO_SUCH_TURNKIT_KEY/);
  });

  test("defect N29: a granted variable that this process does not have is reported at the launch, once", async () => {
    const diagnostics: Diagnostic[] = [];
    const env = childEnvironment({ names: ["NO_SUCH_TURNKIT_KEY", "NO_SUCH_TURNKIT_URL"] });
    const script = agent("", "console.error('set NO_SUCH_TURNKIT_KEY first')");
    const client = await start(script, { env, onDiagnostic: (one) => diagnostics.push(one) });
    await client.close();
    expect(diagnostics.filter(({ code }) => code === "withheld_variable")).toEqual([
      {
        code: "withheld_variable",
        message:
          "childEnvironment got these names, but this process has no such variables: NO_SUCH_TURNKIT_KEY, NO_SUCH_TURNKIT_URL. Set them before you start this program, or remove their names.",
      },
    ]);
  });

  test.each([
    ["an error answer", 'console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32603, message } }))'],
    [
      "stderr",
      "process.stderr.write(message.slice(0, 12)); setTimeout(() => process.stderr.write(message.slice(12)), 20)",
    ],
  ])("defect N6: a variable that the agent names in %s is reported once", async (_, how) => {
    vi.stubEnv("TURNKIT_TEST_BASE_URL", "hunter2");
    onTestFinished(() => void vi.unstubAllEnvs());
    const diagnostics: Diagnostic[] = [];
    const script = `process.stdin.on("data", (line) => {
      const { id } = JSON.parse(line); const message = "Set TURNKIT_TEST_BASE_URL, TURNKIT_TEST_BASE_URL."; ${how};
    })`;
    const options = { info, startTimeoutMs: 3_000, onDiagnostic: (one: Diagnostic) => diagnostics.push(one) };
    const failing = launch([process.execPath, "-e", script], options).catch(() => undefined);
    const reports = () => diagnostics.filter(({ code }) => code === "withheld_variable");
    await vi.waitFor(() => expect(reports()).toHaveLength(1), 3_000);
    expect(reports()[0]?.message).toBe(
      'The agent names TURNKIT_TEST_BASE_URL, which it did not get. This process has it. To pass it, use env: childEnvironment({ names: ["TURNKIT_TEST_BASE_URL"] }).',
    );
    await failing;
    expect(reports()).toHaveLength(1);
  });

  test("defect F5: a console shows its last lines once", async () => {
    const script = "console.error(['no', 'such', 'model'].join(' ')); process.exit(1)";
    const failure = await start(script).catch((error: unknown) => error);
    expect(inspect(failure).split("no such model")).toHaveLength(2);
  });

  test("shows no secret of its command line in what to try", async () => {
    const failing = launch([process.execPath, "-e", "process.exit(1)", "--", "--api-key", "hunter2"], { info });
    await expect(failing).rejects.toThrow(/Run the agent in a terminal.*--api-key \[redacted\]/);
  });
});

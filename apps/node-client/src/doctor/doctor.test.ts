import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { createPage } from "../render/page.js";
import { createPaint } from "../render/style.js";
import { examine } from "./examine.js";
import { createReport, type Report, showReport } from "./run-doctor.js";

/** Source of an agent in plain JavaScript; its faults are in its answers. */
const agent = (answers: string, more = "") => `
  const send = (...messages) =>
    process.stdout.write(messages.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n").join(""));
  const update = (update) => send({ method: "session/update", params: { sessionId: "s", update } });
  const say = (text) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  let prompts = 0;
  const answers = { ${answers} };
  const lines = require("node:readline").createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === undefined) return;
    const answer = answers[method];
    if (answer) answer(id, params);
    else if (id !== undefined) send({ id, error: { code: -32601, message: "Method not found" } });
  });
  ${more}
`;
const initialize = `initialize: (id) => send({ id, result: { protocolVersion: 1, agentInfo: { name: "a", version: "1" } } }),`;
const newSession = `"session/new": (id) => send({ id, result: { sessionId: "s" } }),`;
const prompt = `"session/prompt": (id) => { say("Hi."); send({ id, result: { stopReason: "end_turn" } }); },`;

async function examined(script: string, stop = new AbortController(), stopAt?: string): Promise<Report> {
  const command = [process.execPath, "-e", script] as const;
  const setup = { command, directory: tmpdir(), dialects: ["v1", "v2", "seed"] as const, mcpServers: [] };
  const evidence = await examine(setup, {
    ...{ turn: true, signal: stop.signal, onStep: (step) => step === stopAt && stop.abort() },
    patience: { answer: 3000, turn: 10_000, signOfLife: 3000, cancel: 2000, late: 200 },
  });
  return createReport(command, evidence);
}

function shown(report: Report): string {
  let drawn = "";
  const page = createPage((text) => (drawn += text), createPaint(false));
  showReport(page, report);
  return drawn;
}

const findings = ({ checks }: Report) =>
  checks.flatMap((check) => (check.result === "finding" ? [`${check.severity} ${check.id}: ${check.seen}`] : []));

describe("the doctor", () => {
  it("has nothing to complain about a small agent that does everything right", async () => {
    const report = await examined(agent(`${initialize}${newSession}${prompt}`));
    expect(findings(report)).toEqual([]);
    expect(report).toMatchObject({ problems: 0, hints: 0, login: "not needed", protocol: "v1", agent: { name: "a" } });
  });

  it("shows the mistakes that an agent built with turnkit names on stderr, and no other line", async () => {
    const lines = `console.error("turnkit: The option promt is not used."); console.error("ready");`;
    const report = await examined(agent(`${initialize}${newSession}${prompt}`, lines));
    expect(findings(report)).toEqual(["hint own-reports: The agent says on stderr: The option promt is not used."]);
  });

  it("complains of nothing that it did not get to, when it is interrupted", async () => {
    const capabilities = "{ loadSession: true, sessionCapabilities: { close: {} } }";
    const hello = `initialize: (id) => send({ id, result: {
      protocolVersion: 1, agentInfo: { name: "a", version: "1" }, agentCapabilities: ${capabilities},
    } }),`;
    const report = await examined(agent(`${hello}${newSession}`), new AbortController(), "turn");
    expect(findings(report)).toEqual([]);
    const untested = report.checks.flatMap(({ id, result }) => (result === "untested" ? [id] : []));
    expect(untested).toEqual(expect.arrayContaining(["prompt", "restore-unknown", "session-close", "exit"]));
    expect(report.interrupted).toBe(true);
    expect(shown(report)).toMatch(/\nNothing to complain about up to where it was interrupted\.\n$/);
  });

  it("finds nothing good in the messages of an agent that said none", async () => {
    const { checks } = await examined("process.exit(3)");
    expect(checks.flatMap(({ id, result }) => (result === "fine" ? [id] : []))).toEqual([]);
  });

  it("finds what an agent does wrong in a conversation", async () => {
    const report = await examined(
      agent(
        `
        initialize: (id) => send({ id, result: {
          protocolVersion: 1,
          agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, close: {} } },
        } }),
        "session/new": (id) => send(
          { id, result: { sessionId: "s" } }, { id: null, method: "_a/ping", params: {} }, { id: 999, result: {} },
        ),
        "session/list": (id) => send({ id, error: { code: -32603, message: "no disk" } }),
        "session/load": (id) => send({ id, result: {} }),
        "session/close": (id) => send({ id, error: { code: -32603, message: "busy" } }),
        "_turnkit/doctor": (id) => send({ id, result: {} }),
        "session/prompt": (id) => {
          prompts += 1;
          if (prompts > 1) return say("I go on.");
          update({ sessionUpdate: "sparkle" });
          update({ sessionUpdate: "agent_message_chunk" });
          update({ sessionUpdate: "tool_call", toolCallId: "t", title: "Look", status: "in_progress" });
          update({ sessionUpdate: "tool_call", toolCallId: "u", title: "Read", status: "in_progress" });
          send({ id, result: { stopReason: "end_turn" } });
          say("One thing more.");
        },`,
        `console.log("debug: ready"); process.stdin.on("end", () => {}); setInterval(() => {}, 1000);`,
      ),
    );
    expect(findings(report)).toEqual([
      "hint agent-info: no agentInfo in the answer to initialize",
      'problem stdout-noise: one line on stdout that is not JSON: "debug: ready"',
      "problem message-form: one fault: an answer without an id",
      "problem null-id: one request with the id null: _a/ping",
      "problem unknown-answer: 2 answers to no open request",
      expect.stringMatching(
        /^problem valid-messages: one message that had to be dropped or refused: .*session\/update/,
      ),
      "problem unknown-method: as the answer to the request _turnkit/doctor: a result",
      "problem session-list: session/list is offered, but fails: no disk (code -32603)",
      expect.stringMatching(/^problem known-updates: one unknown update: sparkle/),
      "problem update-order: one update after the answer that ended its turn: agent_message_chunk",
      "hint finished-tool-calls: 2 tool calls without a final status at the end of their turn, the first: t",
      expect.stringMatching(/^problem cancel: after session\/cancel: nothing came within/),
      "problem restore-unknown: a session with an invented id was brought back",
      "problem session-close: session/close is offered, but fails: busy (code -32603)",
      "problem exit: no exit within 2.0 s after the end of stdin",
    ]);
    expect(report).toMatchObject({ problems: 13, hints: 2 });
  });

  it.each([
    [
      "that leaves out the version",
      `initialize: (id) => send({ id, result: {} }),`,
      ["problem starts: ", "problem protocol-version: the answer to initialize has no protocolVersion"],
    ],
    ["that is no agent", `initialize: () => process.exit(3),`, ["problem starts: "]],
    [
      "that wants a login and names none",
      `${initialize}"session/new": (id) => send({ id, error: { code: -32000, message: "Log in" } }),`,
      ["problem login: it refuses a session without a login (-32000), but offers no login method"],
    ],
    [
      "that wants a login, without complaint where it names one",
      `initialize: (id) => send({ id, result: {
        protocolVersion: 1, agentInfo: { name: "a", version: "1" }, authMethods: [{ id: "web", name: "Browser" }],
        agentCapabilities: { sessionCapabilities: { list: {} } },
      } }),
      "session/list": (id) => send({ id, error: { code: -32000, message: "Log in" } }),
      "session/new": (id) => send({ id, error: { code: -32000, message: "Log in" } }),`,
      [],
    ],
    [
      "that opens no session",
      `${initialize}"session/new": (id) => send({ id, error: { code: -32603, message: "full" } }),`,
      ["problem new-session: full (code -32603)"],
    ],
    [
      "that refuses the prompt",
      `${initialize}${newSession}"session/prompt": (id) => send({ id, error: { code: -32602, message: "no links" } }),`,
      ["problem prompt: no links (code -32602)"],
    ],
    [
      "that dies in a turn",
      `${initialize}${newSession}"session/prompt": () => process.exit(7),`,
      ["problem prompt: ", "problem exit: it ended by itself: "],
    ],
    [
      "that answers a cancel with an error",
      `${initialize}${newSession}"session/prompt": (id) => {
        prompts += 1;
        say("Hi.");
        if (prompts > 1) answers["session/cancel"] = () => send({ id, error: { code: -32603, message: "aborted" } });
        else send({ id, result: { stopReason: "end_turn" } });
      },`,
      ["problem cancel: the cancelled turn ended with an error: aborted"],
    ],
  ])("finds an agent %s", async (_, answers, found) => {
    const report = await examined(agent(answers));
    expect(findings(report)).toEqual(found.map((text) => expect.stringContaining(text)));
  });

  describe("with an agent of version 2", () => {
    /** Agent with a child session, markers and keys; `over` replaces answers. */
    const preview = (over = "", { marker = "", announced = true, cancels = 1 } = {}) =>
      agent(
        `
        initialize: (id) => send({ id, result: {
          protocolVersion: 2, info: { name: "a", version: "1" }, capabilities: { session: {} },
        } }),
        "session/list": (id) => send({ id, result: { sessions: [] } }),
        "session/close": (id) => send({ id, result: {} }),
        ${newSession}
        "session/prompt": (id, { idempotencyKey: key }) => {
          globalThis.keys ??= {};
          if (keys[key]) return send({ id, result: { messageId: keys[key] } });
          keys[key] = "u" + ++prompts;
          send({ id, result: { messageId: keys[key] } });
          update({ sessionUpdate: "user_message", messageId: keys[key], content: [] });
          update({ sessionUpdate: "state_update", state: "running", background: [] });
          if (${announced}) update({ sessionUpdate: "subagent_update", sessionId: "kid", title: "Helper" });
          of("kid", { sessionUpdate: "state_update", state: "running", background: [] });
          of("kid", { sessionUpdate: "agent_message", messageId: "k", content: [{ type: "text", text: "Yes." }] });
          if (prompts === 1) done("end_turn");
        },
        "session/cancel": () => { cancels += 1; done("cancelled"); },
        "session/resume": (id, { sessionId }) => {
          if (sessionId !== "s") return send({ id, error: { code: -32002, message: "no session" } });
          update({ sessionUpdate: "user_message", messageId: "u1", content: [{ type: "text", text: "What?" }] });
          ${marker || `update({ sessionUpdate: "replay_complete" });`}
          update({ sessionUpdate: "state_update", state: "idle", background: [] });
          if (cancels > ${cancels}) return send({ id, error: { code: -32603, message: "too many cancels" } });
          send({ id, result: {} });
        },
        ${over}`,
        `
        let cancels = 0;
        const of = (sessionId, update) => send({ method: "session/update", params: { sessionId, update } });
        const done = (stopReason) => {
          of("kid", { sessionUpdate: "state_update", state: "idle", stopReason, background: [] });
          update({ sessionUpdate: "state_update", state: "idle", stopReason, background: [] });
        };`,
      );

    it("P-SUB-03, P-REPLAY-01, P-IDEM-04: checks children, markers and keys, and finds nothing in an agent that keeps its word", async () => {
      const report = await examined(preview());
      expect(findings(report)).toEqual([]);
      const fine = report.checks.flatMap(({ id, result }) => (result === "fine" ? [id] : []));
      const ids = ["restore", "replay-marker", "prompt-key", "children-announced", "children-end"];
      expect(fine).toEqual(expect.arrayContaining(ids));
    });

    it("P-CONF-04: calls an ignored key and a missing marker a hint, because the older draft has neither", async () => {
      const ignores = `"session/prompt": (id) => {
        send({ id, result: { messageId: "m" + ++prompts } });
        update({ sessionUpdate: "subagent_update", sessionId: "kid", title: "Helper" });
        update({ sessionUpdate: "user_message", messageId: "m" + prompts, content: [] });
        update({ sessionUpdate: "state_update", state: "running", background: [] });
        if (prompts === 1) done("end_turn");
      },`;
      const older = await examined(preview(ignores, { marker: ";", cancels: 2 }));
      const oddity = "hint coherent-updates: one oddity: prompt accepted under another id than its echo had (m2)";
      expect(findings(older)).toEqual([
        oddity,
        "hint replay-marker: a replay without replay_complete",
        "hint prompt-key: one key with two messages: m1 and m2",
      ]);
      const report = await examined(preview(ignores, { cancels: 2 }));
      expect(findings(report)).toEqual([oddity, "problem prompt-key: one key with two messages: m1 and m2"]);
    });

    it.each([
      [
        "that marks a replay twice",
        `for (const sessionUpdate of ["replay_complete", "replay_complete"]) update({ sessionUpdate });`,
      ],
      [
        "that marks a replay after its answer",
        `send({ id, result: {} }); update({ sessionUpdate: "replay_complete" }); return;`,
      ],
    ])("P-REPLAY-01: finds an agent %s", async (_, marker) => {
      const report = await examined(preview("", { marker }));
      expect(findings(report)).toEqual([
        "hint coherent-updates: one oddity: an unexpected end of a replay",
        "problem replay-marker: a replay with 2 times replay_complete",
      ]);
    });

    it("P-SUB-03: finds messages of a child session that nobody announced, and a replay that fails", async () => {
      const broken = `"session/resume": (id) => send({ id, error: { code: -32603, message: "no disk" } }),`;
      const report = await examined(preview(broken, { announced: false }));
      expect(findings(report)).toEqual([
        expect.stringContaining("problem valid-messages: "),
        "problem restore: a restore is offered, but fails: no disk (code -32603)",
        "problem children-announced: 6 messages about unknown sessions, the first: session/update names kid",
      ]);
    });

    it("P-SUB-14: finds a child session that never ends", async () => {
      const endless = `"session/cancel": () => update({ sessionUpdate: "state_update", state: "idle", stopReason: "cancelled" }),`;
      const report = await examined(preview(endless));
      expect(findings(report)).toEqual(["hint children-end: one child session without an end: kid (running)"]);
    });
  });

  it("draws a report in which nothing of the agent reaches the screen raw", async () => {
    const report = await examined(
      agent(
        `initialize: (id) => send({ id, result: { protocolVersion: 1, agentInfo: { name: "a\\u001b[2Jb", version: "1" } } }),
         ${newSession}${prompt}`,
        `console.log("\\u001b]52;c;cHduZWQ=\\u0007");`,
      ),
    );
    const drawn = shown(report);
    expect(drawn).toContain("agent     a␛[2Jb 1\n");
    expect(drawn).toContain("✗ writes nothing but messages to stdout: no  (stdout-noise)\n");
    expect(drawn).toContain("1 problem.\n");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not come out
    expect(drawn).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
});

import { tmpdir } from "node:os";
import { chooseAgentChecks } from "@turnkit/conformance";
import { describe, expect, it } from "vitest";
import { createPage } from "../render/page.js";
import { createPaint } from "../render/style.js";
import { advice } from "./advice.js";
import { examine } from "./examine.js";
import type { Report } from "./report.js";
import { showAgent, showCheck, showVerdict } from "./show-report.js";

/** Source of an agent in plain JavaScript; its faults are in its answers. */
const agent = (answers: string, more = "") => `
  const send = (...messages) =>
    process.stdout.write(messages.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n").join(""));
  const fail = (id, code, message) => send({ id, error: { code, message } });
  const update = (sessionId, update) => send({ method: "session/update", params: { sessionId, update } });
  const say = (sessionId, text) =>
    update(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  const open = new Set();
  const answers = { ${answers} };
  const read = (line) => {
    try {
      return JSON.parse(line);
    } catch {
      fail(null, -32700, "No JSON");
    }
  };
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const message = read(line);
    if (Array.isArray(message)) return fail(null, -32600, "A list");
    const { id, method, params } = message ?? {};
    if (id === undefined || method === undefined) return answers[method]?.(params);
    if (!answers[method]) return fail(id, -32601, "Method not found");
    if (method === "session/new" && typeof params?.cwd !== "string") return fail(id, -32602, "No cwd");
    const isKnown = params?.sessionId === undefined || open.has(params.sessionId);
    if (isKnown) answers[method](id, params);
    else fail(id, -32002, "No session");
  });
  ${more}
`;
const initialize = `initialize: (id) => send({ id, result: { protocolVersion: 1, agentInfo: { name: "a", version: "1" } } }),`;
const newSession = `"session/new": (id) => {
  open.add("s" + open.size);
  send({ id, result: { sessionId: "s" + (open.size - 1) } });
},`;
const prompt = `"session/prompt": (id, { sessionId }) => {
  say(sessionId, "Hi.");
  send({ id, result: { stopReason: "end_turn" } });
},`;

type Examined = {
  readonly only?: string;
  readonly turn?: boolean;
  readonly stop?: AbortController;
  readonly stopAt?: string;
};

async function examined(script: string, { only, turn = true, stop = new AbortController(), stopAt }: Examined = {}) {
  const command = [process.execPath, "-e", script] as const;
  const setup = { command, directory: tmpdir(), dialects: ["v1", "v2", "seed"] as const, mcpServers: [] };
  return examine(setup, {
    ...{ turn, signal: stop.signal, timeoutMs: 2000, ...(only !== undefined && { only: only.split(" ") }) },
    onCheck: ({ id }) => id === stopAt && stop.abort(),
  });
}

function shown(report: Report): string {
  let drawn = "";
  const page = createPage((text) => (drawn += text), createPaint(false));
  showAgent(page, report);
  for (const check of report.checks) showCheck(page, check);
  showVerdict(page, report);
  return drawn;
}

const findings = ({ checks }: Report) =>
  checks.flatMap((check) => (check.result === "finding" ? [`${check.severity} ${check.id}: ${check.seen}`] : []));
const idsWith = (wanted: string, { checks }: Report) =>
  checks.flatMap(({ id, result }) => (result === wanted ? [id] : []));

describe("the doctor", { timeout: 120_000 }, () => {
  it("has nothing to complain about a small agent that does everything right, and calls what it did not see untested", async () => {
    const report = await examined(agent(`${initialize}${newSession}${prompt}`));
    expect(findings(report)).toEqual([]);
    expect(report).toMatchObject({ problems: 0, hints: 0, login: "not needed", protocol: "v1", agent: { name: "a" } });
    const fine = ["starts", "new-session", "ACP-TRANSPORT-001", "ACP-SHUTDOWN-001", "ACP-PROMPT-001"];
    expect(idsWith("fine", report)).toEqual(expect.arrayContaining(fine));
    expect(report.checks.find(({ id }) => id === "ACP-LOAD-001")).toMatchObject({
      result: "untested",
      reason: expect.stringContaining("does not offer"),
    });
    expect(shown(report)).toMatch(/\nNothing to complain about\.\n$/);
  });

  it("defect N66: repeats the problems after the last check, if there were more lines than a person has in view", async () => {
    const report = await examined(agent(`${initialize}${newSession}`));
    expect(report.problems).toBeGreaterThan(0);
    const problems = report.checks.filter((check) => check.result === "finding" && check.severity === "problem");
    const [, result = ""] = shown(report).split(/\n\d+ problems?.*\n/);
    for (const { id, title } of problems) expect(result).toContain(`✗ ${title}  (${id})`);
    const short = { ...report, checks: problems.slice(0, 1) };
    expect(shown(short).split(`(${problems[0]?.id})`)).toHaveLength(2);
  });

  it("is the quick suite of conformance, and its advice belongs to checks of that suite", async () => {
    const silent = await examined(agent(`${initialize}${newSession}${prompt}`), { turn: false });
    const suite = chooseAgentChecks({ protocol: 1, suite: "quick" }).map(({ id }) => id);
    expect(silent.checks.map(({ id }) => id).slice(5)).toEqual(suite);
    expect(silent.checks.find(({ id }) => id === "ACP-PROMPT-001")).toMatchObject({
      reason: "No prompt is sent (profile silent).",
    });
    const known = new Set(
      ([1, 2] as const).flatMap((protocol) => chooseAgentChecks({ protocol, suite: "quick" })).map(({ id }) => id),
    );
    expect(Object.keys(advice).filter((id) => !known.has(id))).toEqual([]);
  });

  it("shows the mistakes that an agent built with turnkit names on stderr, and no other line", async () => {
    const lines = `console.error("turnkit: The option promt is not used."); console.error("ready");`;
    const report = await examined(agent(`${initialize}${newSession}${prompt}`, lines), { only: "ACP-INIT-001" });
    expect(findings(report)).toEqual(["hint own-reports: The agent says on stderr: The option promt is not used."]);
  });

  it("complains of nothing that it did not get to, when it is interrupted", async () => {
    const report = await examined(agent(`${initialize}${newSession}`), { stopAt: "ACP-INIT-001" });
    expect(findings(report)).toEqual([]);
    expect(idsWith("untested", report)).toEqual(expect.arrayContaining(["ACP-PROMPT-001", "ACP-TRANSPORT-001"]));
    expect(report.interrupted).toBe(true);
    expect(shown(report)).toMatch(/\nNothing to complain about up to where it was interrupted\.\n$/);
  });

  it("finds nothing good in the messages of an agent that said none", async () => {
    const report = await examined("process.exit(3)");
    expect(idsWith("fine", report)).toEqual([]);
    expect(findings(report)[0]).toMatch(/^problem starts: /);
  });

  it("finds what an agent does wrong in a conversation, with the messages that show it", async () => {
    const report = await examined(
      agent(
        `
        initialize: (id) => send({ id, result: {
          protocolVersion: 1,
          agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, close: {} } },
        } }),
        ${newSession.replace("},", "send({ id: 999, result: {} }); },")}
        "session/list": (id) => send({ id, error: { code: -32603, message: "no disk" } }),
        "session/load": (id) => send({ id, result: {} }),
        "session/close": (id) => send({ id, error: { code: -32603, message: "busy" } }),
        "session/prompt": (id, { sessionId, prompt: [{ text }] }) => {
          if (text.startsWith("Count")) return say(sessionId, "I go on.");
          update(sessionId, { sessionUpdate: "sparkle" });
          update(sessionId, { sessionUpdate: "agent_message_chunk" });
          update(sessionId, { sessionUpdate: "tool_call", toolCallId: "t" + id, title: "Look", status: "in_progress" });
          send({ id, result: { stopReason: "end_turn" } });
          say(sessionId, "One thing more.");
        },`,
        `console.log("debug: ready"); process.stdin.on("end", () => {}); setInterval(() => {}, 1000);`,
      ),
    );
    const found = findings(report).map((line) => line.split(":")[0]);
    expect(found).toEqual([
      "problem ACP-TRANSPORT-001",
      "hint ACP-SHUTDOWN-001",
      "problem TK-JSONRPC-07",
      "hint ACP-INIT-004",
      "problem TK-PROMPT-09",
      "hint TK-TOOL-03",
      "problem ACP-PROMPT-002",
      "hint ACP-ENUM-202",
      "problem ACP-CANCEL-001",
      "problem ACP-CANCEL-002",
      "problem TK-CANCEL-06",
      "problem TK-LOAD-04",
      "problem ACP-LIST-001",
      "problem ACP-CLOSE-001",
    ]);
    expect(report).toMatchObject({ problems: 10, hints: 4 });
    expect(report.checks.find(({ id }) => id === "ACP-LIST-001")).toMatchObject({
      messages: [expect.stringMatching(/^-> .*"session\/list"/), expect.stringMatching(/^<- .*"no disk"/)],
      pages: [expect.stringContaining("https://agentclientprotocol.com/")],
    });
    expect(shown(report)).toContain("\n    Write all logs to stderr, including logs of libraries.");
  });

  it.each([
    [
      "that leaves out the version",
      `initialize: (id) => send({ id, result: {} }),`,
      ["problem starts: ", "problem ACP-INIT-001: protocolVersion is undefined."],
    ],
    ["that is no agent", `initialize: () => process.exit(3),`, ["problem starts: ", "problem ACP-INIT-001: "]],
    [
      "that wants a login and names none",
      `${initialize}"session/new": (id) => fail(id, -32000, "Log in"),`,
      ["problem login: it refuses a session without a login (-32000), but offers no login method"],
    ],
    [
      "that wants a login, without complaint where it names one",
      `initialize: (id) => send({ id, result: {
        protocolVersion: 1, agentInfo: { name: "a", version: "1" }, authMethods: [{ id: "web", name: "Browser" }],
      } }),
      "session/new": (id) => fail(id, -32000, "Log in"),`,
      [],
    ],
    [
      "that opens no session",
      `${initialize}"session/new": (id) => fail(id, -32603, "full"),`,
      ["problem new-session: full (code -32603)"],
    ],
    [
      "that refuses the prompt",
      `${initialize}${newSession}"session/prompt": (id) => fail(id, -32602, "no links"),`,
      [
        'problem ACP-PROMPT-001: The error of session/prompt came, not a result: {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no links"}}.',
      ],
    ],
    [
      "that dies in a turn",
      `${initialize}${newSession}"session/prompt": () => process.exit(7),`,
      ["problem ACP-PROMPT-001: No answer to session/prompt came before the agent ended."],
    ],
    [
      "that answers a cancel with an error",
      `${initialize}${newSession}"session/prompt": (id, { sessionId, prompt: [{ text }] }) => {
        say(sessionId, "Hi.");
        if (text.startsWith("Count")) answers["session/cancel"] = () => fail(id, -32603, "aborted");
        else send({ id, result: { stopReason: "end_turn" } });
      },`,
      ["problem ACP-CANCEL-001: The error of session/prompt came, not a result: "],
    ],
  ])("finds an agent %s", async (_, answers, found) => {
    const only = "ACP-INIT-001 ACP-PROMPT-001 ACP-CANCEL-001";
    const report = await examined(agent(answers), { only });
    expect(findings(report)).toEqual(found.map((text) => expect.stringContaining(text)));
  });

  it("draws a report in which nothing of the agent reaches the screen raw", async () => {
    const report = await examined(
      agent(
        `initialize: (id) => send({ id, result: { protocolVersion: 1, agentInfo: { name: "a\\u001b[2Jb", version: "1" } } }),
         ${newSession}${prompt}`,
        `console.log("\\u001b]52;c;cHduZWQ=\\u0007");`,
      ),
      { only: "ACP-TRANSPORT-001 ACP-INIT-001" },
    );
    const drawn = shown(report);
    expect(drawn).toContain("agent     a␛[2Jb 1\n");
    expect(drawn).toContain("✗ Every line on stdout is one JSON-RPC 2.0 message.  (ACP-TRANSPORT-001)\n");
    expect(drawn).toContain("1 problem.\n");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not come out
    expect(drawn).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
});

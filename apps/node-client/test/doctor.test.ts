import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder, turnkit } from "./turnkit.js";

/** Source of an agent in plain JavaScript, with answers by method and code that runs at its start. */
const agent = (answers: string, more = "") => `
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  const raw = (text) => process.stdout.write(text + "\\n");
  const update = (update, sessionId = "s") => send({ method: "session/update", params: { sessionId, update } });
  const odd = { toString: 1 };
  const answers = {
    initialize: (id) => send({ id, result: { protocolVersion: 1, agentInfo: { name: "a", version: "1" } } }),
    "session/new": (id) => send({ id, result: { sessionId: "s" } }),
    ${answers}
  };
  ${more}
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === undefined) return;
    if (answers[method]) answers[method](id, params);
    else if (id !== undefined) send({ id, error: { code: -32601, message: "Method not found" } });
  });
`;

type Report = {
  readonly problems: number;
  readonly checks: readonly { readonly id: string; readonly result: string; readonly seen?: string }[];
};

async function examined(script: string, only = "", ...options: readonly string[]) {
  const began = performance.now();
  const args = [
    "doctor",
    "--json",
    ...(only ? ["--only", only] : []),
    ...options,
    "--",
    process.execPath,
    "-e",
    script,
  ];
  const { code, stdout, stderr } = await turnkit(args);
  expect(stderr).not.toMatch(/^ +at /m);
  const report = JSON.parse(stdout) as Report;
  const seen = (id: string) => report.checks.find((check) => check.id === id)?.seen;
  const result = (id: string) => report.checks.find((check) => check.id === id)?.result;
  return { code, report, seen, result, stderr, seconds: (performance.now() - began) / 1000 };
}

const V2 = `initialize: (id) => send({ id, result: { protocolVersion: 2, info: { name: "a", version: "1" }, capabilities: { session: {} } } }),`;

describe("turnkit doctor", () => {
  it.each([
    ["objects", "{ toString: 1 }", '{"toString":1}'],
    ["lists", "[[]]", "[[]]"],
    ["lists of 900 levels", `JSON.parse("[".repeat(900) + "]".repeat(900))`, "[[["],
    ["numbers of 20 digits", "7", "7"],
    ["names of members of every object", '"__proto__"', "__proto__"],
  ])("shows the values of an agent whose ids, kinds and errors are %s", async (_, value, shown) => {
    const { code, seen, report } = await examined(
      agent(
        `${V2}
        "session/list": (id) => send({ id, error: { code: odd, message: value, data: value } }),
        "session/prompt": (id) => {
          for (const message of [
            { id: value, result: value }, { id: value, method: value, params: value }, { id: value, error: value },
            { id: 99, method: "session/update", params: value }, { id: value, method: "_x", params: value },
            { jsonrpc: value, method: "_x" },
          ]) send(message);
          update(value);
          update({ sessionUpdate: value, sessionId: value });
          update({ sessionUpdate: "subagent_update", sessionId: value, title: value, state: value }, value);
          update({ sessionUpdate: "state_update", state: value, background: value }, value);
          update({ sessionUpdate: "state_update", state: { state: value }, background: [value, null, { type: value }] });
          update({ sessionUpdate: "session_message", senderSessionId: value, recipientSessionId: value, content: value });
          update({ sessionUpdate: "tool_call_update", toolCallId: value, content: [value], status: value });
          raw('{"jsonrpc":"2.0","id":12345678901234567890,"result":{"messageId":1}}');
          raw('{"jsonrpc":"2.0","method":"_x","params":{"__proto__":{"sessionId":1}},"__proto__":1}');
          send({ id, result: { messageId: value } });
          process.stdin.destroy();
        },`,
        `const value = ${value};`,
      ),
      "ACP-TRANSPORT-001,ACP-LIST-201,ACP-PROMPT-201,ACP-PROMPT-205,TK-CHILD-01,ACP-ENUM-202,TK-SCHEMA-05",
    );
    expect(code).toBe(5);
    expect(seen("ACP-TRANSPORT-001")).toBeDefined();
    expect(JSON.stringify(report.checks)).toContain(JSON.stringify(shown).slice(1, -1));
  });

  it.each([
    ["examines messages of 900 levels", 900, "ACP-ENUM-202"],
    ["counts messages of 50 000 levels as lines that are no JSON", 50_000, "ACP-TRANSPORT-001"],
  ])("%s", async (_, levels, id) => {
    const prompt = `"session/prompt": (id) => {
      const deep = "[".repeat(${levels}) + "]".repeat(${levels});
      raw('{"jsonrpc":' + deep + ',"method":"_x"}');
      raw('{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"x","a":' + deep + '}}}');
      send({ id, result: { stopReason: "end_turn" } });
    },`;
    const { result } = await examined(agent(prompt), "ACP-ENUM-202,ACP-TRANSPORT-001");
    expect(result(id)).toBe("finding");
  });

  it("shows an initialize whose names are no texts", async () => {
    const hello = `initialize: (id) => send({ id, result: {
      protocolVersion: 1, agentInfo: { name: odd, version: [] }, agentCapabilities: { __proto__: odd, loadSession: odd },
      authMethods: [odd, null, { id: odd, name: odd }],
    } }),`;
    const { seen } = await examined(agent(hello), "ACP-INIT-004", "--no-turn");
    expect(seen("ACP-INIT-004")).toContain('{"toString":1}');
    const version = await examined(agent(`initialize: (id) => send({ id, result: { protocolVersion: odd } }),`));
    expect(version.seen("ACP-INIT-001")).toBe('protocolVersion is {"toString":1}.');
  });

  it("cuts long texts of an agent in its report", async () => {
    const refusal = `"session/new": (id) => send({ id, error: { code: 1, message: "x".repeat(1e6) } }),`;
    const { seen } = await examined(agent(refusal), "ACP-SESSION-001");
    expect(seen("new-session")?.length).toBeLessThan(5000);
    expect(seen("new-session")).toMatch(/^x+…$/);
    expect(seen("ACP-SESSION-001")?.length).toBeLessThan(5000);
  });

  it("shows no secrets of an agent", async () => {
    const prompt = `"session/prompt": (id) => {
      raw("debug: OPENAI_API_KEY=sk-proj-Zq8Yt3Lm5Np7Qr9Sv2Wx");
      send({ jsonrpc: "Bearer sk-proj-Zq8Yt3Lm5Np7Qr9Sv2Wx", method: "_x" });
      update({ sessionUpdate: "x", token: "sk-proj-Zq8Yt3Lm5Np7Qr9Sv2Wx" });
      send({ id, error: { code: 1, message: "API key sk-proj-Zq8Yt3Lm5Np7Qr9Sv2Wx is over" } });
    },`;
    const { report, seen } = await examined(agent(prompt), "ACP-TRANSPORT-001,ACP-PROMPT-001,ACP-ENUM-202");
    expect(seen("ACP-TRANSPORT-001")).toContain("debug: ");
    expect(seen("ACP-PROMPT-001")).toContain("is over");
    expect(JSON.stringify(report.checks)).not.toContain("Zq8Yt3Lm5");
  });

  it.each([
    ["messages of unknown methods", `"_x/flood", params: { list: Array(5_000).fill("some text") }`],
    [
      "an endless answer",
      `"session/update", params: { sessionId: "s", update: {
        sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x".repeat(100_000) },
      } }`,
    ],
  ])("ends the conversation with an agent that floods with %s, and calls it a problem", async (_, message) => {
    const prompt = `"session/prompt": () => {
      const line = JSON.stringify({ jsonrpc: "2.0", method: ${message} }) + "\\n";
      const flood = () => {
        while (process.stdout.write(line));
        process.stdout.once("drain", flood);
      };
      flood();
    },`;
    const { code, seen } = await examined(agent(prompt), "ACP-PROMPT-001");
    expect(code).toBe(5);
    expect(seen("ACP-PROMPT-001")).toBe(
      "No answer to session/prompt came before the agent had sent more than 64 MiB or 20000 lines.",
    );
  });

  it("defect P60: deletes the sessions that its checks have left, and no others", async () => {
    const kept = join(createFolder(), "kept");
    const offers = "sessionCapabilities: { list: {}, delete: {} }";
    const script = agent(
      `initialize: (id) => send({ id, result: {
        protocolVersion: 1, agentInfo: { name: "a", version: "1" }, agentCapabilities: { ${offers} },
      } }),
      "session/new": (id, { cwd }) => {
        const sessionId = String(process.pid) + "-" + id;
        fs.appendFileSync(kept, JSON.stringify({ sessionId, cwd }) + "\\n");
        send({ id, result: { sessionId } });
      },
      "session/list": (id) => send({ id, result: { sessions: read() } }),
      "session/delete": (id, { sessionId }) => {
        const left = read().filter((one) => one.sessionId !== sessionId);
        fs.writeFileSync(kept, left.map((one) => JSON.stringify(one) + "\\n").join(""));
        send({ id, result: {} });
      },`,
      `const fs = require("node:fs");
      const kept = ${JSON.stringify(kept)};
      const read = () => fs.readFileSync(kept, "utf8").split("\\n").filter(Boolean).map((line) => JSON.parse(line));`,
    );
    const own = `${JSON.stringify({ sessionId: "mine", cwd: "/work" })}\n`;
    writeFileSync(kept, own);
    await examined(script, "ACP-SESSION-001,ACP-PROMPT-001");
    expect(readFileSync(kept, "utf8")).toBe(own);
  });

  it("says that a check of --only does not exist", async () => {
    const args = ["doctor", "--only", "ACP-NONE-001", "--", process.execPath, "-e", agent("")];
    const { code, stderr } = await turnkit(args);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "turnkit: --only: No check of protocol 1 has the id ACP-NONE-001.\n",
    });
  });

  it.each([
    ["never answers", "process.stdin.resume();", 4],
    [
      "answers with half a line",
      `process.stdin.once("data", () => process.stdout.write('{"jsonrpc":"2.0","id":0,'));`,
      4,
    ],
    ["closes its stdin", "process.stdin.destroy(); setInterval(() => {}, 1000);", 4],
    [
      "ignores SIGTERM",
      `process.on("SIGTERM", () => {}); process.on("SIGINT", () => {}); setInterval(() => {}, 1000);`,
      8,
    ],
  ])("ends at its time limit with an agent that %s", async (_, script, most) => {
    const { code, report, seconds, stderr } = await examined(script, "", "--timeout", "1s");
    expect({ code, stderr }).toEqual({ code: 124, stderr: "turnkit: --timeout was over before the agent was done.\n" });
    expect(report.checks.every(({ result }) => result !== "fine")).toBe(true);
    expect(seconds).toBeLessThan(most + 6);
  });
});

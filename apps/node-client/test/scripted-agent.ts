import { type AgentScript, createScriptedAgent } from "@turnkit/testing";
import { createStdioChannel } from "@turnkit/transport/node";

/** Agent as a process that follows one of these scripts, in bare frames: `scripted-agent.ts SCENE`. */

const hello = (agentCapabilities: object = {}, more: object = {}) => ({
  initialize: { protocolVersion: 1, agentInfo: { name: "scripted", version: "1.2.3" }, agentCapabilities, ...more },
});
const text = (value: string) => ({ type: "text", text: value });
const evil = "\u001b]52;c;cHduZWQ=\u0007\u202e\u009b1A\u200b\u0000";

const scripts: Readonly<Record<string, AgentScript>> = {
  talk: {
    answers: hello(),
    steps: [
      {
        turn: [
          { think: "Hm." },
          { say: ["Hel", "lo."] },
          {
            update: {
              ...{ sessionUpdate: "tool_call", toolCallId: "c1", title: "Look", kind: "read", status: "completed" },
              locations: [{ path: "/work/a.ts", line: 3 }],
            },
          },
          { say: "Done." },
          { update: { sessionUpdate: "usage_update", used: 5, size: 10, cost: { amount: 0.5, currency: "EUR" } } },
        ],
      },
    ],
  },

  "talk in version 2": { dialect: "v2", steps: [{ turn: [{ think: "Hm." }, { say: ["Hel", "lo."] }] }] },

  "talk in the draft": { dialect: "seed", steps: [{ turn: [{ think: "Hm." }, { say: ["Hel", "lo."] }] }] },

  /** Sends text with terminal sequences. */
  hostile: {
    answers: hello(),
    steps: [
      {
        turn: [
          { say: `a${evil}b` },
          {
            update: {
              sessionUpdate: "tool_call",
              toolCallId: evil,
              title: `Look${evil}`,
              kind: "read",
              status: "completed",
            },
          },
          { say: "[click](https://example.org/real)" },
        ],
      },
    ],
  },

  /** Sends more than a pipe holds. */
  talkative: { answers: hello(), steps: [{ turn: [{ say: ["x".repeat(1024 * 1024)] }] }] },

  /** Works until it is cancelled. */
  slow: {
    answers: hello(),
    steps: [{ turn: [{ say: "I begin." }, { expect: "session/cancel" }], stopReason: "cancelled" }],
    patienceMs: 60_000,
  },

  /** Ignores a cancel. */
  stubborn: {
    answers: hello(),
    steps: [
      { turn: [{ say: "I begin." }, { expect: "session/cancel" }, { say: "No." }], stopReason: null },
      { silent: true },
    ],
    patienceMs: 60_000,
  },

  login: {
    answers: hello({}, { authMethods: [{ id: "web", name: "Browser" }] }),
    steps: [{ expect: "session/new" }, { refuse: { code: -32000, message: "Authentication required" } }],
  },

  /** Asks three questions, and repeats the answers. */
  ask: {
    answers: hello(),
    steps: [
      {
        turn: [
          ...[
            { toolCallId: "c1", kind: "execute", title: "Status", rawInput: { command: ["git", "status"] } },
            { toolCallId: "c2", kind: "execute", title: "Push", rawInput: { command: ["git", "push", "--force"] } },
            { toolCallId: "c3", kind: "edit", title: "Edit", locations: [{ path: "/etc/passwd" }] },
          ].flatMap((toolCall) => [
            { update: { sessionUpdate: "tool_call", status: "pending", ...toolCall } },
            {
              call: "session/request_permission",
              params: {
                ...{ sessionId: "s-1", toolCall },
                options: [
                  { optionId: "yes", name: "Allow", kind: "allow_once" },
                  { optionId: "no", name: "Reject", kind: "reject_once" },
                ],
              },
            },
          ]),
          { say: "Asked." },
        ],
      },
    ],
  },

  /** Keeps sessions. */
  keeper: {
    answers: {
      ...hello({ loadSession: true, sessionCapabilities: { list: {}, delete: {} } }),
      "session/list": {
        sessions: [
          { sessionId: "s-7", cwd: "/somewhere", title: `Old${evil} talk`, updatedAt: "2026-11-20T10:00:00Z" },
          { sessionId: "s-8", cwd: "/else" },
        ],
      },
      "session/delete": {},
    },
    steps: [
      { expect: "session/load" },
      ...[
        { sessionUpdate: "user_message_chunk", content: text("What was it?") },
        { sessionUpdate: "agent_message_chunk", content: text("It was **this**.") },
        { sessionUpdate: "tool_call", toolCallId: "t", title: "Look", kind: "read", status: "completed" },
      ].map((update) => ({ notify: "session/update", params: { sessionId: "s-7", update } })),
      { answer: {} },
    ],
    patienceMs: 20_000,
  },

  forgetful: {
    answers: hello({ loadSession: true }),
    steps: [{ expect: "session/load" }, { refuse: { code: -32002, message: "Resource not found" } }],
  },

  /** Reports the MCP servers that it got. */
  servers: {
    answers: hello({ mcpCapabilities: { http: true } }),
    steps: [
      {
        expect: "session/new",
        params: {
          mcpServers: [
            {
              name: "files",
              command: "/bin/sh",
              args: ["--root", "/work"],
              env: [{ name: "KEY", value: "from-env" }],
            },
            { type: "http", name: "web", url: "https://example.org/mcp", headers: [{ name: "X-Key", value: "k" }] },
          ],
        },
      },
      { answer: { sessionId: "s-1" } },
      { turn: [{ say: "Got them." }] },
    ],
  },
};

const [name = "talk"] = process.argv.slice(2);
const script = scripts[name];
if (script === undefined) throw new Error(`There is no scene ${name}.`);
const channel = createStdioChannel({ input: process.stdin, output: process.stdout });
const agent = createScriptedAgent(channel, { patienceMs: 20_000, ...script });
agent.done.catch((error: Error) => process.stderr.write(`${error.message}\n`));
void channel.closed.then(() => process.exit());

import { type AgentScript, createScriptedAgent } from "@turnkit/testing";
import { createStdioChannel } from "@turnkit/transport/node";

/** Agent as a process that follows one of these scripts, in bare frames: `scripted-agent.ts SCENE`. */

const hello = (agentCapabilities: object = {}, more: object = {}) => ({
  initialize: { protocolVersion: 1, agentInfo: { name: "scripted", version: "1.2.3" }, agentCapabilities, ...more },
});
const text = (value: string) => ({ type: "text", text: value });
const evil = "\u001b]52;c;cHduZWQ=\u0007\u202e\u009b1A\u200b\u0000";

/** Standard answers of an agent whose session has a model, a mode and a switch. */
const settings = {
  "session/new": {
    sessionId: "s-1",
    configOptions: [
      {
        ...{ id: "llm", name: "Model", category: "model", type: "select", currentValue: "small" },
        options: [
          { value: "small", name: "Small" },
          { value: "large-4", name: "Large" },
        ],
      },
      {
        ...{ id: "mode", name: "Mode", category: "mode", type: "select", currentValue: "ask" },
        options: [
          { value: "ask", name: "Ask" },
          { value: "plan", name: "Plan" },
        ],
      },
      { id: "fast", name: "Fast", type: "boolean", currentValue: false },
    ],
  },
};

/** A question about a command, with the ids of its options. */
const asks = (toolCallId: string, title: string) => [
  { update: { sessionUpdate: "tool_call", status: "pending", toolCallId, title, kind: "execute" } },
  {
    call: "session/request_permission",
    params: {
      ...{ sessionId: "s-1", toolCall: { toolCallId, title, kind: "execute" } },
      options: [
        { optionId: "yes", name: "Allow", kind: "allow_once" },
        { optionId: "no", name: "Reject", kind: "reject_once" },
      ],
    },
  },
];

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

  /** Has no login method. Its refusal says what to do. */
  keyless: {
    answers: hello(),
    steps: [
      { expect: "session/prompt" },
      { refuse: { code: -32000, message: "There is no key for the model. Set SOME_API_KEY." } },
    ],
  },

  /** Accepts a prompt only with a picture, audio and a text file. */
  pictures: {
    answers: hello({ promptCapabilities: { image: true, audio: true, embeddedContext: true } }),
    steps: [
      {
        prompt: [
          { type: "text", text: "Compare @shot @note.txt and @a.wav." },
          { type: "image", mimeType: "image/png", data: "iVBORw0KGgouLi4=" },
          { type: "resource", resource: { text: "a note" } },
          { type: "audio", mimeType: "audio/wav", data: "UklGRi4uLi5XQVZF" },
        ],
        turn: [{ say: "Got all." }],
      },
    ],
  },

  /** Accepts a prompt only with links. */
  links: {
    answers: hello(),
    steps: [
      {
        prompt: [
          { type: "text" },
          { type: "resource_link", name: "shot", mimeType: "image/png" },
          { type: "resource_link", name: "note.txt" },
        ],
        turn: [{ say: "Got links." }],
      },
    ],
  },

  /** Repeats the text of its prompt. */
  echo: {
    answers: hello(),
    steps: [
      { expect: "session/prompt" },
      {
        answer: ({ params }) => {
          const [first] = (params as { prompt: { text: string }[] }).prompt;
          const update = { sessionUpdate: "agent_message_chunk", content: text(`<${first?.text}>`) };
          const received = { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s-1", update } };
          process.stdout.write(`${JSON.stringify(received)}\n`);
          return { stopReason: "end_turn" };
        },
      },
    ],
  },

  /** Answers a prompt only after its model, mode and switch were set in this order. */
  settings: {
    answers: { ...hello(), ...settings },
    steps: [
      ...[
        { configId: "llm", value: "large-4" },
        { configId: "mode", value: "plan" },
        { configId: "fast", value: true },
      ].flatMap((params) => [
        { expect: "session/set_config_option", params },
        { answer: { configOptions: settings["session/new"].configOptions } },
      ]),
      { turn: [{ say: "All set." }] },
    ],
  },

  /** Has options, and can delete sessions. */
  "settings and delete": {
    answers: { ...hello({ sessionCapabilities: { delete: {} } }), ...settings },
    steps: [{ expect: "session/delete", params: { sessionId: "s-1" } }, { answer: {} }],
  },

  /** Asks for one permission and then for another. */
  "two questions": {
    answers: hello(),
    steps: [{ turn: [...asks("c1", "Build"), ...asks("c2", "Push"), { say: "Asked." }] }],
  },

  /** Runs a command in its own terminal. */
  "own terminal": {
    dialect: "v2",
    steps: [
      {
        turn: [
          { update: { sessionUpdate: "terminal_update", terminalId: "t", command: "make" } },
          {
            update: {
              ...{ sessionUpdate: "terminal_output_chunk", terminalId: "t" },
              data: Buffer.from("zwölf\n").toString("base64"),
            },
          },
          { update: { sessionUpdate: "terminal_update", terminalId: "t", exitStatus: { exitCode: 0 } } },
          { say: "Made." },
        ],
      },
    ],
  },

  /** Keeps three sessions, two of them in its folder. */
  "keeper here": {
    answers: {
      ...hello({ loadSession: true, sessionCapabilities: { list: {}, delete: {} } }),
      "session/list": {
        sessions: [
          { sessionId: "4f1c-one", cwd: process.cwd(), title: "Old talk", updatedAt: "2026-01-01T10:00:00Z" },
          { sessionId: "4f1d-two", cwd: process.cwd(), title: "New talk", updatedAt: "2026-01-02T10:00:00Z" },
          { sessionId: "9a00-far", cwd: "/elsewhere", title: "Far talk", updatedAt: "2026-01-03T10:00:00Z" },
        ],
      },
      "session/delete": {},
    },
    steps: [
      { expect: "session/load", params: { sessionId: "4f1d-two" } },
      {
        notify: "session/update",
        params: {
          ...{ sessionId: "4f1d-two" },
          update: { sessionUpdate: "agent_message_chunk", content: text("Long ago.") },
        },
      },
      { answer: {} },
      { turn: [{ say: "I go on." }] },
    ],
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

  /** Another program has its session open, so it can only be read. */
  locked: {
    answers: {
      ...hello({ loadSession: true, sessionCapabilities: { list: {}, delete: {} } }),
      "session/list": { sessions: [{ sessionId: "4f1d-open", cwd: process.cwd() }] },
    },
    steps: [
      { expect: "session/load", params: { _meta: { "turnkit.readOnly": true } } },
      {
        notify: "session/update",
        params: {
          ...{ sessionId: "4f1d-open" },
          update: { sessionUpdate: "agent_message_chunk", content: text("Still open.") },
        },
      },
      { answer: {} },
    ],
  },

  "locked for all": {
    answers: {
      ...hello({ loadSession: true, sessionCapabilities: { list: {}, delete: {} } }),
      "session/list": { sessions: [{ sessionId: "4f1d-open", cwd: process.cwd() }] },
    },
    steps: [
      { expect: "session/load" },
      { refuse: { code: -32600, message: "another process has the session open", data: { problem: "locked" } } },
    ],
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

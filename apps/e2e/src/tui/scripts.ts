import type { AgentScript, AgentStep } from "@turnkit/testing";
import { showcase } from "./showcase.js";

/** A door of the test: a step behind it waits until it is opened. */
type Gate = (name: string) => PromiseLike<void>;

const edit = {
  toolCallId: "t-1",
  title: "Edit price.ts",
  kind: "edit",
  content: [{ type: "diff", path: "/work/price.ts", oldText: "a = 1\n", newText: "a = 2\n" }],
};
const says = (text: string) => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
const heard = (text: string) => ({ sessionUpdate: "user_message_chunk", content: { type: "text", text } });

const offersReview = {
  sessionUpdate: "available_commands_update",
  availableCommands: [{ name: "review", description: "Review a file" }],
};

const form = {
  message: "Who are you?",
  mode: "form",
  requestedSchema: {
    type: "object",
    required: ["name"],
    properties: {
      name: { type: "string", title: "Name" },
      colour: { type: "string", title: "Colour", enum: ["red", "green"] },
    },
  },
};

/** A program that counts until a file exists, and then ends with exit code 3. */
const counting = `
  let n = 0;
  setInterval(() => {
    console.log("counted " + n++);
    if (require("node:fs").existsSync("enough")) process.exit(3);
  }, 20);
`;

/** An answer by turns whose end the client asks for. */
const untilCancelled: AgentStep = {
  turn: [{ say: "A long story" }, { expect: "session/cancel" }],
  stopReason: "cancelled",
};

/** Asks whether a file may be written, and waits until the client says no. */
const asksToWrite: AgentStep = {
  call: "session/request_permission",
  params: ({ sessionId }) => ({
    sessionId,
    toolCall: edit,
    options: [
      { optionId: "yes", name: "Write it", kind: "allow_once" },
      { optionId: "no", name: "Leave it", kind: "reject_once" },
    ],
  }),
  result: { outcome: { outcome: "selected", optionId: "no" } },
};

/** Asks whether a command may run, in an order of its own and with names that look like answers. */
const asksToRun = (toolCallId: string, command: unknown, optionId: unknown): AgentStep => ({
  call: "session/request_permission",
  params: ({ sessionId }) => ({
    sessionId,
    toolCall: { toolCallId, title: "Run the tests", kind: "execute", rawInput: { command } },
    options: [
      { optionId: "never", name: "y", kind: "reject_always" },
      { optionId: "always", name: "n) No, never", kind: "allow_always" },
      { optionId: "no", name: "Leave it", kind: "reject_once" },
      { optionId: "yes", name: "Run it", kind: "allow_once" },
    ],
  }),
  result: { outcome: { outcome: "selected", optionId } },
});

/** A command that has no room on one screen. Its end decides. */
export const longCommand = `${Array.from({ length: 40 }, (_, n) => `echo line ${n}`).join("\n")}; rm -rf build`;

/** Blocks of an answer. Each sentence has a mark at its beginning, and another at its end. */
export const marked = {
  blocks: 10,
  sentences: 8,
  mark: (block: number, sentence: number) => `b${block}s${sentence}z`,
  end: (block: number, sentence: number) => `b${block}s${sentence}y`,
};

/** Returns the sentences of a block: a paragraph, a list, code or a quote, by its number. */
function markedBlock(block: number): readonly string[] {
  return Array.from({ length: marked.sentences }, (_, n) => {
    const text = `Sentence ${marked.mark(block, n)} says something **bold** about \`code\` and much else ${marked.end(block, n)}`;
    if (block % 5 === 1) return `- ${text}.\n`;
    if (block % 5 === 3)
      return `${n === 0 ? "```ts\n" : ""}const ${marked.mark(block, n)} = compute(${n}, "a text that is long enough to be wrapped ${marked.end(block, n)}");\n`;
    return `${text}. `;
  });
}

/** Behaviour of the agents of these tests, by name. */
export const scripts: Readonly<Record<string, (gate: Gate) => AgentScript>> = {
  hello: (gate) => ({
    steps: [{ turn: [{ say: ["**Hel", "lo** the"] }, { wait: gate("more") }, { say: "re, and good day.\n" }] }],
  }),
  "marked blocks": (gate) => ({
    steps: [
      {
        turn: Array.from({ length: marked.blocks }, (_, block): readonly AgentStep[] => {
          const sentences = markedBlock(block);
          const half = sentences.length - 2;
          return [
            { say: sentences.slice(0, half) },
            { wait: gate(`block ${block}`) },
            { say: [...sentences.slice(half), block % 5 === 3 ? "```\n\n" : "\n\n"] },
          ];
        }).flat(),
      },
    ],
  }),
  permission: () => ({
    steps: [
      {
        turn: [
          { update: { sessionUpdate: "tool_call", status: "pending", ...edit } },
          asksToWrite,
          { update: { sessionUpdate: "tool_call_update", toolCallId: "t-1", status: "failed" } },
          { say: "Then not." },
        ],
      },
    ],
  }),
  "late question": (gate) => ({
    steps: [
      {
        turn: [{ say: "I look." }, { wait: gate("ask") }, asksToWrite, { say: "Then not." }],
      },
    ],
  }),
  "one key": () => ({
    steps: [
      { turn: [asksToRun("c1", "npm test -- --run", "yes"), { say: "Ran." }] },
      { turn: [asksToRun("c2", ["rm", "-rf", "a b"], "no"), { say: "Left." }] },
      {
        turn: [{ say: "I see." }],
        prompt: [{ text: /^I did not allow “Run the tests”, because it is mine\n\nGo on$/ }],
      },
    ],
  }),
  "long command": () => ({ steps: [{ turn: [asksToRun("c1", longCommand, "yes"), { say: "Ran." }] }] }),
  remember: () => {
    let chosen = "";
    const isNamed = (id: unknown) => {
      chosen = String(id);
      return true;
    };
    const received: AgentStep = {
      notify: "session/update",
      params: ({ sessionId }) => ({ sessionId, update: says(`Chosen: ${chosen}`) }),
    };
    return {
      steps: [
        { turn: [asksToRun("c1", "npm test", isNamed), received] },
        { turn: [asksToRun("c2", "npm test", isNamed), received] },
      ],
    };
  },
  "two questions": () => ({
    steps: [
      { expect: "session/prompt", as: "the prompt" },
      ...["one", "two"].map(
        (name): AgentStep => ({
          ...{ start: "session/request_permission", as: name },
          params: ({ sessionId }) => ({
            sessionId,
            toolCall: { toolCallId: name, title: `Run ${name}` },
            options: [{ optionId: `ok ${name}`, name: `Yes, ${name}`, kind: "allow_once" }],
          }),
        }),
      ),
      { finish: "two", result: { outcome: { outcome: "selected", optionId: "ok two" } } },
      { finish: "one", result: { outcome: { outcome: "selected", optionId: "ok one" } } },
      { answer: { stopReason: "end_turn" }, to: "the prompt" },
      { turn: [{ say: "Both." }] },
    ],
  }),
  form: () => ({
    steps: [
      {
        turn: [
          {
            call: "elicitation/create",
            params: ({ sessionId }) => ({ sessionId, ...form }),
            result: { action: "accept", content: { name: "Ada", colour: "green" } },
          },
          { say: "Hello Ada." },
        ],
      },
    ],
  }),
  cancel: () => ({ steps: [untilCancelled, { turn: [{ say: "Again." }], prompt: [{ text: "Next\nthing" }] }] }),
  queue: (gate) => ({
    steps: [
      { turn: [{ say: "First answer." }, { wait: gate("first") }], prompt: [{ text: "One" }] },
      { turn: [{ say: "Second answer." }], prompt: [{ text: "Two" }] },
    ],
  }),
  restore: () => ({
    steps: [
      { expect: "session/load", params: { sessionId: "old-1" } },
      ...Array.from({ length: 300 }, (_, n): readonly AgentStep[] => [
        { notify: "session/update", params: { sessionId: "old-1", update: heard(`Question ${n}`) } },
        { notify: "session/update", params: { sessionId: "old-1", update: says(`Answer ${n}`) } },
      ]).flat(),
      { answer: {} },
      { turn: [{ say: "I remember." }] },
    ],
    answers: { "session/list": { sessions: [] } },
  }),
  settings: () => ({
    steps: [
      { expect: "session/set_mode", params: { modeId: "auto" } },
      { answer: {} },
      { notify: "session/update", params: { sessionId: "s-1", update: offersReview } },
      { turn: [{ say: "Done by myself." }], prompt: [{ text: "/review file.ts" }] },
    ],
    answers: {
      "session/new": () => ({
        sessionId: "s-1",
        modes: {
          currentModeId: "ask",
          availableModes: [
            { id: "ask", name: "Ask me" },
            { id: "auto", name: "By itself" },
          ],
        },
      }),
    },
  }),
  fold: () => ({
    steps: [
      {
        turn: [
          { think: Array.from({ length: 6 }, (_, n) => `Thought number ${n}.\n`) },
          {
            update: {
              ...{ sessionUpdate: "tool_call", toolCallId: "t-2", title: "List", kind: "search", status: "completed" },
              content: [{ type: "content", content: { type: "text", text: "match\n".repeat(40) } }],
            },
          },
          { say: "That is all." },
        ],
      },
    ],
  }),
  terminal: () => {
    let terminalId = "";
    const named = () => ({ terminalId });
    const isNamed = (id: unknown) => {
      terminalId = String(id);
      return true;
    };
    const shows = (status: string): AgentStep => ({
      notify: "session/update",
      params: ({ sessionId }) => ({
        sessionId,
        update: {
          ...{ sessionUpdate: "tool_call_update", toolCallId: "t-3", title: "Count", kind: "execute", status },
          content: [{ type: "terminal", ...named() }],
        },
      }),
    });
    return {
      steps: [
        {
          turn: [
            {
              call: "terminal/create",
              params: ({ sessionId }) => ({ sessionId, command: process.execPath, args: ["-e", counting] }),
              result: { terminalId: isNamed },
            },
            shows("in_progress"),
            {
              call: "terminal/wait_for_exit",
              params: ({ sessionId }) => ({ sessionId, ...named() }),
              result: { exitCode: 3 },
            },
            shows("completed"),
          ],
        },
      ],
    };
  },
  hostile: () => ({
    steps: [
      {
        turn: [
          {
            say: [
              "\u001b]0;owned\u0007\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u001b[1;1H",
              "clean \u202ekcab\u0007 text\n\n",
            ],
          },
          {
            update: {
              sessionUpdate: "tool_call",
              toolCallId: "\u001b[31m",
              title: "a\u001b[8mb\nfake",
              kind: "read",
              status: "completed",
            },
          },
          { say: "[bank](https://evil.example)" },
        ],
      },
    ],
  }),
  showcase,
  death: () => ({ steps: [{ turn: [{ say: "I am g" }, { die: true }] }] }),
};

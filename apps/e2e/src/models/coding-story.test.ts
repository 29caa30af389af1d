import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Dialect, type SessionState, v1Dialect, v2Dialect } from "@turnkit/client";
import { messageText } from "@turnkit/session";
import { describe, expect, it, vi } from "vitest";
import { startedWith, whenGone } from "../chaos/process-groups.js";
import { type CodingAgent, createProject, KEY, startCodingAgent, type WireName } from "./coding-agent.js";
import { call, type Part, type ReceivedRequest, type Step, say, think } from "./step.js";

// Each test starts two agents.
vi.setConfig({ testTimeout: 90_000 });

const source = `// Averages for the shop.
export function average(numbers) {
  const sum = numbers.reduce((total, number) => total + number, 0);
  return sum / (numbers.length + 1);
}
`;

const fixed = source
  .replace("(numbers.length + 1)", "numbers.length")
  .replace("  const sum", "  if (numbers.length === 0) return 0;\n  const sum");

const project = {
  "package.json": '{ "name": "numbers", "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/average.js": source,
  "test/average.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { average } from "../src/average.js";
test("of some numbers", () => assert.equal(average([2, 4, 6]), 4));
test("of no number", () => assert.equal(average([]), 0));
`,
};

const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from("logo of the shop")]);

/** Starts a child process too, and writes a text that is not in the command itself. */
const serve = (name: string) =>
  `node -e 'require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e3)"]); ` +
  `console.log("ready", "${name}".toUpperCase()); setInterval(() => {}, 1e3)'`;

const edit = (oldText: string, newText: string) =>
  call("edit_file", { path: "src/average.js", edits: [{ oldText, newText }] });

type Answer = readonly [expected: readonly (string | RegExp)[], parts: readonly Part[]];

/** Prompts of the story. Each answer names what the model must see before it. */
const story: readonly { readonly prompt: string; readonly answers: readonly Answer[] }[] = [
  {
    prompt: "The average is wrong. Please fix it.",
    answers: [
      [
        [],
        [
          think("An average divides by the count."),
          say("I look first."),
          call("read_file", { path: "src/average.js" }),
          call("search", { pattern: "average\\(", glob: "*.js" }),
        ],
      ],
      // The client shows no tool call between these two messages.
      [
        [/numbers\.length \+ 1/, /average\.test\.js:4/],
        [say("I have a plan."), call("update_plan", { entries: [] })],
      ],
      [[/plan is shown/], [say("I divide by the count."), edit("(numbers.length + 1)", "numbers.length")]],
      [[/written/], [say("Now the tests."), call("run_command", { command: "node --test" })]],
      [[/of no number[\s\S]*Exit code 1/], [edit("  const sum", "  if (numbers.length === 0) return 0;\n  const sum")]],
      [[/written/], [call("run_command", { command: "node --test" })]],
      [[/pass 2[\s\S]*Exit code 0/], [say("It is **fixed**.")]],
    ],
  },
  {
    prompt: "Does the server start? What does the logo show?",
    answers: [
      [[], [call("run_command", { command: serve("shop"), background: true })]],
      [[/It is command 1/], [call("command_output", { id: "1" }), call("read_file", { path: "logo.png" })]],
      [[/is running/, /logo\.png/], [call("stop_command", { id: "1" })]],
      [[/stopped/], [call("task", { title: "Count the tests", prompt: "How many tests are there? Look." })]],
      [["The subagent counted two tests."], [call("run_command", { command: serve("left"), background: true })]],
      [[/It is command 2/], [say("It runs, and the logo shows a shop.")]],
    ],
  },
  {
    prompt: "Now throw it all away.",
    answers: [
      [[], [call("write_file", { path: "src/average.js", text: "// away\n" })]],
      [[/written/], [call("write_file", { path: "src/other.js", text: "// new\n" })]],
      [[/written/], [say("It is gone.")]],
    ],
  },
];

const child: readonly Answer[] = [
  [[], [say("I count."), call("search", { pattern: "^test\\(", glob: "*.test.js" })]],
  [[/average\.test\.js:5/], [say("The subagent counted two tests.")]],
];

/** Answers by the last prompt of the request, and checks the results that came with it. */
function script(): (request: ReceivedRequest) => Step {
  const received = new Map<string, number>();
  return (request) => {
    const answers = story.find(({ prompt }) => request.prompt === prompt)?.answers ?? child;
    const answer = answers[received.get(request.prompt) ?? 0] ?? [[], [say("I have no more to say.")]];
    received.set(request.prompt, (received.get(request.prompt) ?? 0) + 1);
    expect(request.results).toEqual(answer[0].map((text) => expect.stringMatching(text)));
    return answer[1];
  };
}

const messages = ({ timeline }: SessionState): string[] =>
  [...timeline].flatMap((entry) => (entry.type === "message" && entry.role === "agent" ? [messageText(entry)] : []));

const toolCalls = ({ timeline }: SessionState): string[] =>
  [...timeline].flatMap((entry) => {
    if (entry.type !== "tool_call") return [];
    const diffs = entry.content.toArray().flatMap((item) => (item.type === "diff" ? item.changes : []));
    const changes = diffs.map(({ operation, path }) => ` ${String(operation)} ${path.split("/").slice(-2).join("/")}`);
    return [`${entry.kind} ${entry.status}: ${entry.title?.slice(0, 30)}${changes.join()}`];
  });

/** Counts each text in what the model got. */
const counts = (request: ReceivedRequest | undefined, texts: readonly string[]) =>
  Object.fromEntries(texts.map((text) => [text, JSON.stringify(request?.body).split(text).length - 1]));

const once = (...texts: readonly string[]) => Object.fromEntries(texts.map((text) => [text, 1]));

describe("bar 4: the whole story of a coding turn", () => {
  it.each<[WireName, string, Dialect, "is killed" | "is closed"]>([
    ["anthropic", "v1", v1Dialect, "is killed"],
    ["openai", "v2", v2Dialect, "is closed"],
    ["google", "v2", v2Dialect, "is killed"],
    ["openai-compatible", "v1", v1Dialect, "is closed"],
  ])("%s over %s, until the agent is ended, and after it", async (wire, version, dialect, end) => {
    const mark = `story-${randomUUID()}`;
    const shared = {
      wire,
      dialects: [dialect],
      env: { STORY_MARK: mark, XDG_STATE_HOME: await createProject({}) },
    };
    const first = await startCodingAgent({ ...shared, files: project, script: script() });
    const read = (name: string) => readFile(join(first.folder, name), "utf8").catch(() => "missing");
    await writeFile(join(first.folder, "logo.png"), png);
    const ask = async ({ session }: Pick<CodingAgent, "session">, prompt: string) =>
      expect(await session.prompt(prompt).ended).toMatchObject({ stopReason: "end_turn", agentConfirmed: true });
    const { session, server } = first;
    const [fix, look, spoil] = story.map(({ prompt }) => prompt) as [string, string, string];

    await ask(first, fix);
    expect(await read("src/average.js")).toBe(fixed);
    const said = ["I look first.", "I have a plan.", "I divide by the count.", "Now the tests.", "It is **fixed**."];
    expect(messages(session.state)).toEqual(said);
    const fixing = [
      "read completed: Read src/average.js",
      "search completed: Search for average\\( in *.js",
      "edit completed: Edit src/average.js modify src/average.js",
      "execute failed: node --test",
      "edit completed: Edit src/average.js modify src/average.js",
      "execute completed: node --test",
    ];
    expect(toolCalls(session.state)).toEqual(fixing);

    await ask(first, look);
    const looking = [
      expect.stringMatching(/^execute completed: node -e/),
      "execute completed: Read the output of background ",
      "read completed: Read logo.png",
      expect.stringMatching(/^execute completed: Stop node/),
      "think completed: Count the tests",
      expect.stringMatching(/^execute completed: node -e/),
    ];
    expect(toolCalls(session.state)).toEqual([...fixing, ...looking]);
    expect(session.children.map(({ state }) => messages(state))).toEqual([
      ["I count.", "The subagent counted two tests."],
    ]);
    expect(counts(server.requests.at(-1), [png.toString("base64"), "READY SHOP", "ready SHOP"])).toEqual({
      ...once(png.toString("base64"), "ready SHOP"),
      "READY SHOP": 0,
    });

    await ask(first, spoil);
    expect([await read("src/average.js"), await read("src/other.js")]).toEqual(["// away\n", "// new\n"]);
    await ask(first, "/diff");
    await ask(first, "/undo");
    expect([await read("src/average.js"), await read("src/other.js")]).toEqual([fixed, "missing"]);
    const undoing = [
      "edit completed: Write src/average.js modify src/average.js",
      "edit completed: Write src/other.js add src/other.js",
      "read completed: Show the changed files modify src/average.js, add src/other.js",
      // Version 1 has no operations: a deleted file is one with an empty text.
      `edit completed: Undo the last prompt modify src/average.js, ${version === "v1" ? "modify" : "delete"} src/other.js`,
    ];
    expect(toolCalls(session.state).slice(-4)).toEqual(undoing);

    expect(startedWith(mark).length).toBeGreaterThanOrEqual(3);
    const before = { calls: toolCalls(session.state), said: messages(session.state) };
    if (end === "is killed") first.kill();
    await first.client.close();
    expect(await whenGone(() => startedWith(mark), 10_000)).toEqual([]);

    const second = await startCodingAgent({
      ...shared,
      script: [[say("I look."), call("read_file", { path: "src/average.js", line: 2 })], [say("As I said.")]],
    });
    const outcome = await second.client.restore(session.id, { cwd: first.folder });
    if (outcome.status !== "replayed") throw new Error(`The session is ${outcome.status}.`);
    expect({ calls: toolCalls(outcome.session.state), said: messages(outcome.session.state) }).toEqual(before);
    await ask(outcome, "What did we do?");
    const texts = [
      ...[fix, look, "What did we do?", "I look.", "This session was restored."],
      ...[...said, "It runs, and the logo shows a shop."],
      ...["// Averages for the shop.", "The plan is shown.", "Exit code 1.", "ready SHOP", "ready LEFT"],
      ...["average.test.js:4", "The subagent counted two tests.", "It was not kept: read it again."],
    ];
    const [resumed, next] = second.server.requests;
    expect(counts(next, texts)).toEqual(once(...texts));
    expect(counts(resumed, texts)).toEqual({ ...once(...texts), "I look.": 0 });
    for (const gone of [spoil, "// away", "It is gone.", "I took back", "/undo", "/diff", KEY]) {
      expect(JSON.stringify(next?.body)).not.toContain(gone);
    }

    // Checkpoints of the first process take back its turns.
    for (let count = 0; count < 3; count += 1) await ask(outcome, "/undo");
    expect(await read("src/average.js")).toBe(source);
    expect(JSON.stringify(outcome.session.state)).not.toContain(KEY);
    await second.client.close();
    expect(await whenGone(() => startedWith(mark), 10_000)).toEqual([]);
  });
});

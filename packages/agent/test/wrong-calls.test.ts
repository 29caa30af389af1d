import { describe, expect, test } from "vitest";
import { type AgentHandlers, createAgent, type ServeOptions, type Turn } from "../src/index.js";
import { connectAs, info, serve, v2Hello } from "./raw-client.js";

/** Runs one prompt of version 2, and returns the reports of its session. */
async function reportsOf(prompt: (turn: Turn) => unknown): Promise<readonly string[]> {
  const handlers = { prompt: prompt as AgentHandlers["prompt"] };
  const { client, diagnostics } = await connectAs(v2Hello, handlers, { validateOutgoing: undefined as never });
  const { sessionId } = await client.result("session/new", { cwd: "/w", mcpServers: [] });
  client.prompt(sessionId);
  const allow = client.call("session/request_permission");
  void allow.then((call) => client.reply(call, { outcome: { outcome: "selected", optionId: "allow_once" } }));
  await client.next(({ params }) => params?.update?.state === "idle" && params.update.stopReason !== undefined);
  return diagnostics.filter(({ code }) => code !== "loss").map(({ message }) => message);
}

async function* parts() {
  yield { type: "text-delta", text: "Hi" };
}

describe("defect N8: a mistake in a call of a turn is reported in one sentence", () => {
  test.each<[string, (turn: Turn) => unknown, string]>([
    [
      "permission that nobody awaits",
      (turn) => {
        const call = turn.toolCall({ title: "rm -r build" });
        const isAllowed: unknown = call.ask();
        if (isAllowed) call.finish();
      },
      'Tool call "rm -r build" went on while its question was open. Await `ask` before the work.',
    ],
    [
      "work before the answer",
      async (turn) => {
        const call = turn.toolCall({ title: "Delete" });
        void call.requestPermission();
        await call.run(() => 1);
      },
      'Tool call "Delete" went on while its question was open.',
    ],
    [
      "a stream of objects",
      (turn) => turn.say(parts() as never),
      "turn.say stream got an object of another form: pass a",
    ],
    ["a misspelled member of a tool call", call({ location: [] }), "Do you mean locations?"],
    ["a misspelled kind", call({ kind: "reed" }), 'kind of a tool call is "reed". It can be read, edit'],
    ["a content that is text", call({ content: "done" }), 'toolCall content got "done": pass a list'],
    ["locations that are one path", call({ locations: "/a" }), 'toolCall locations got "/a": pass a list'],
    [
      "a misspelled option of run",
      (turn) => turn.toolCall({ title: "a" }).run(() => 1, { results: () => ({}) } as never),
      "The option results of run of a tool call is not used: there is no such option. Do you mean result?",
    ],
    [
      "a result that is no function",
      (turn) => turn.toolCall({ title: "a" }).run(() => 1, { result: { rawOutput: 1 } } as never),
      "run of a tool call result got an object of another form: pass a function",
    ],
    [
      "a question that is text",
      (turn) => turn.ask("May I?" as never),
      "turn.ask got no question, and counts as refused. Pass a question",
    ],
    ["a result without a stop reason", () => ({ reason: "end" }), "The option reason of the result of prompt is not"],
    ["a child without a title", (turn) => turn.session.child({ title: "x" } as never), "session.child title got an"],
    [
      "a misspelled option of a child",
      (turn) => turn.session.child("x", { cancle: true } as never).idle(),
      "The option cancle of session.child is not used: there is no such option. Do you mean cancel?",
    ],
  ])("%s", async (_, prompt, message) => {
    expect((await reportsOf(prompt)).join("\n")).toContain(message);
  });

  test.each<[string, (turn: Turn) => unknown, string]>([
    [
      "an update of version 1",
      (turn) => turn.emit({ type: "tool_call" } as never),
      "call turn.toolCall({ title }), or pass",
    ],
    [
      "a plan of version 1",
      (turn) => turn.emit({ type: "plan" } as never),
      'call turn.plan(entries), or pass an update such as { type: "plan_update"',
    ],
  ])("which names its method: %s", async (_, prompt, message) => {
    expect((await reportsOf(prompt)).join("\n")).toContain(message);
  });

  test("defect N84: the agent hears of an error that the toolkit throws", async () => {
    const prompt = (turn: Turn) => [1, 2].map(() => turn.toolCall({ title: "a", toolCallId: "x" }));
    expect((await reportsOf(prompt)).join("\n")).toContain('already has a tool call "x"');
  });

  test("and correct calls are not reported", async () => {
    const reports = await reportsOf(async (turn) => {
      const tool = turn.toolCall({ title: "a", kind: "_own" as never, name: "x", locations: [], content: [] });
      if (await tool.ask()) await tool.run(() => 1, { result: () => ({ rawOutput: 1 }) });
      turn.session.child("x", { cancel: true }).idle();
      return { stopReason: "end_turn", usage: { totalTokens: 1, inputTokens: 1, outputTokens: 0 } };
    });
    expect(reports).toEqual([]);
  });
});

describe("defect N8: a wrong option of an agent", () => {
  test.each<[object, string]>([
    [{ whilePrompting: "que" }, 'createAgent whilePrompting got "que": pass queue, reject or replace'],
    [{ onKeyReuse: "orig" }, 'createAgent onKeyReuse got "orig": pass error or original'],
  ])("is refused: %j", (handlers, message) => {
    expect(() => createAgent({ info, prompt() {}, ...handlers } as never)).toThrow(message);
  });

  test.each<[object, string]>([
    [{ cancelGraceMs: "5s" }, 'serve cancelGraceMs got "5s": pass a number of milliseconds'],
    [{ onDiagnostic: "x" }, 'serve onDiagnostic got "x": pass a function'],
    [{ limits: { stateBytes: "1MB" } }, 'limits stateBytes got "1MB": pass a number'],
  ])("of serve is refused: %j", (options, message) => {
    expect(() => serve({}, options as ServeOptions)).toThrow(message);
  });

  test("a stream of the official SDK in place of a channel leads to createMessageStreamChannel", () => {
    const stream = new TransformStream();
    expect(() => createAgent({ info, prompt() {} }).serve(stream as never)).toThrow(
      "createMessageStreamChannel(stream)",
    );
  });

  test("a misspelled limit is reported", () => {
    const { diagnostics } = serve({}, { limits: { mesages: 1, waitingCall: 1, stateBytes: 1 } } as never);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining("The option mesages of limits is not used"),
      expect.stringContaining("Do you mean waitingCalls?"),
    ]);
  });
});

function call(members: object) {
  return (turn: Turn) => turn.toolCall({ title: "a", ...members }).finish();
}

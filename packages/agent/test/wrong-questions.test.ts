import { describe, expect, test } from "vitest";
import type { ToolCall, Turn } from "../src/index.js";
import { clientInfo, openAs, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientInfo };
const dialects: readonly [string, object][] = [
  ["version 1", v1Hello],
  ["version 2", v2Hello],
];

const yes = { optionId: "yes", name: "Yes", kind: "allow_once" } as const;
const no = { optionId: "no", name: "No", kind: "reject_once" } as const;

/** Asks once. Returns the reports, the answer, and the methods of the questions that the client got. */
async function askedAs(hello: object, ask: (turn: Turn, call: ToolCall) => Promise<unknown>) {
  let answer: unknown;
  const { client, sessionId, diagnostics } = await openAs(
    hello,
    {
      async prompt(turn) {
        const call = turn.toolCall({ title: "Delete all" });
        answer = await ask(turn, call);
        call.finish();
      },
    },
    { validateOutgoing: undefined as never },
  );
  client.prompt(sessionId);
  await client.next(({ result, error, params }) => {
    const isIdle = params?.update?.state === "idle" || result?.stopReason !== undefined;
    return isIdle || error !== undefined || params?.options !== undefined;
  });
  const questions = client.received.filter(({ method }) => method === "session/request_permission");
  const reports = diagnostics.filter(({ code }) => code !== "loss" && code !== "unfinished");
  return { reports, answer, questions };
}

const subjects: readonly [string, (call: ToolCall) => unknown, string][] = [
  ["a tool call", (call) => call, "got a tool call as its subject"],
  ["a subject without its type", (call) => ({ toolCall: { toolCallId: call.id } }), "got a subject of another form"],
  ["a call as its toolCall", (call) => ({ type: "tool_call", toolCall: call }), "got a subject of another form"],
  ["an id in place of the call", ({ id }) => ({ type: "tool_call", toolCallId: id }), "got a subject of another form"],
  ["a text", ({ id }) => id, "got a subject of another form"],
  ["a list", ({ id }) => [{ toolCallId: id }], "got a subject of another form"],
  ["a command without its folder", () => ({ type: "command", command: "rm" }), "got a command without"],
  ["an unknown type", () => ({ type: "tool" }), 'got a subject of the type "tool"'],
  [
    "contents of another form",
    ({ id }) => ({ type: "tool_call", toolCall: { toolCallId: id, content: [{ type: "text", text: "a" }] } }),
    "toolCall content of type text got an object of another form: pass content such as",
  ],
];

describe.each(dialects)("defect N110: a subject of another form is reported with advice, in %s:", (_version, hello) => {
  test.each(subjects)("%s", async (_name, subject, message) => {
    const asking = (turn: Turn, call: ToolCall) =>
      turn.requestPermission({ title: "x", subject: subject(call) as never, options: [yes, no] });
    const { reports, answer, questions } = await askedAs(hello, asking);
    expect(reports).toMatchObject([{ code: "handler_failed", message: expect.stringContaining(message) }]);
    expect(reports[0]?.message).toContain("counts as refused");
    expect(reports[0]?.message).toMatch(/^turn\.requestPermission /);
    expect([answer, questions]).toEqual([{ allowed: false }, []]);
  });

  test("a subject of a call", async () => {
    const { reports, questions } = await askedAs(hello, (_turn, call) => call.ask({ subject: call as never }));
    expect(reports).toMatchObject([{ message: expect.stringMatching(/^ask of a tool call got a tool call/) }]);
    expect(questions).toEqual([]);
  });

  test.each<[string, (call: ToolCall) => object]>([
    ["a tool call", ({ id }) => ({ type: "tool_call", toolCall: { toolCallId: id, title: "Delete all" } })],
    ["a command", () => ({ type: "command", command: "rm", cwd: "/" })],
  ])("but asks about %s", async (_name, subject) => {
    const asking = (turn: Turn, call: ToolCall) => turn.ask({ title: "x", subject: subject(call) as never });
    const { reports, questions } = await askedAs(hello, asking);
    expect([reports, questions.length]).toEqual([[], 1]);
  });
});

test("defect N110: a question that cannot be read is a mistake of the program, and is printed with its error", async () => {
  const title = "x";
  const question = {
    title,
    get _meta(): never {
      throw new Error("no meta");
    },
  };
  const { reports } = await askedAs(v1Hello, (turn) => turn.ask(question));
  expect(reports).toMatchObject([{ code: "handler_failed", message: expect.stringContaining("no meta") }]);
});

describe.each(dialects)("defect N116: options that nobody can choose are reported, in %s:", (_version, hello) => {
  test.each<[string, readonly unknown[], string]>([
    ["no options", [], "got no options, and counts as refused"],
    ["two options of one id", [yes, { ...no, optionId: "yes" }], 'got two options with the optionId "yes"'],
  ])("%s", async (_name, options, message) => {
    for (const asking of [
      (turn: Turn) => turn.requestPermission({ title: "x", options: options as never }),
      (_turn: Turn, call: ToolCall) => call.requestPermission({ options: options as never }),
    ]) {
      const { reports, answer, questions } = await askedAs(hello, asking);
      expect(reports).toMatchObject([{ code: "handler_failed", message: expect.stringContaining(message) }]);
      expect([answer, questions]).toEqual([{ allowed: false }, []]);
    }
  });
});

describe("defect N118: a report about a question names the call that was made:", () => {
  test.each<[string, (turn: Turn, call: ToolCall) => Promise<unknown>]>([
    ["turn.ask", (turn) => turn.ask("x" as never)],
    ["turn.requestPermission", (turn) => turn.requestPermission("x" as never)],
    ["turn.requestPermission", (turn) => turn.requestPermission({ title: "x", options: {} as never })],
    ["ask of a tool call", (_turn, call) => call.ask("x" as never)],
    ["requestPermission of a tool call", (_turn, call) => call.requestPermission("x" as never)],
  ])("%s", async (name, asking) => {
    const { reports } = await askedAs(v1Hello, asking);
    expect(reports).toMatchObject([{ message: expect.stringMatching(new RegExp(`^${name} got `)) }]);
  });

  test("and an unknown member too", async () => {
    const { reports } = await askedAs(v1Hello, (turn) => turn.requestPermission({ title: "x", option: 1 } as never));
    expect(reports).toMatchObject([{ message: expect.stringContaining("of turn.requestPermission is not used") }]);
  });
});

describe("defect N114: names of the official SDK throw, and name the member:", () => {
  test.each(["outcome", "optionId"])("%s of an answer", async (name) => {
    for (const asking of [
      (turn: Turn) => turn.requestPermission({ title: "x", options: [] }),
      (_turn: Turn, call: ToolCall) => call.requestPermission({ options: [] }),
    ]) {
      const { answer } = await askedAs(v1Hello, asking);
      expect(() => (answer as Record<string, unknown>)[name]).toThrow(
        "An answer has no outcome and no optionId. Read allowed, or option?.optionId.",
      );
      expect(JSON.stringify({ ...(answer as object) })).toBe('{"allowed":false}');
    }
  });

  test.each(["selected", "cancelled"])("outcome of an answer of the client: %s", async (outcome) => {
    let answer: unknown;
    const { client, sessionId } = await openAs(v1Hello, {
      prompt: async (turn) => {
        answer = await turn.requestPermission({ title: "x", options: [yes, no] });
        return (answer as { allowed: boolean }).allowed ? "end_turn" : "refusal";
      },
    });
    const id = client.prompt(sessionId);
    client.reply(await client.call("session/request_permission"), { outcome: { outcome, optionId: "yes" } });
    await client.answer(id);
    expect(() => (answer as Record<string, unknown>).outcome).toThrow("Read allowed, or option?.optionId.");
    expect(answer).toEqual(outcome === "selected" ? { allowed: true, option: yes } : { allowed: false });
  });

  test.each([
    ["params", "A turn has no params. Read turn.prompt, turn.session.id and turn._meta."],
    ["sessionId", "Turns and sessions have no sessionId. Read turn.session.id, or session.id."],
  ])("%s of a turn", async (name, message) => {
    let thrown = "";
    await askedAs(v1Hello, async (turn) => {
      try {
        void (turn as unknown as Record<string, unknown>)[name];
      } catch (error) {
        thrown = (error as Error).message;
      }
    });
    expect(thrown).toBe(message);
  });
});

describe("defect N122: a wrong answer of the client to a question is reported with its fault:", () => {
  test.each<[string, (turn: Turn) => Promise<unknown>, string]>([
    ["permission", (turn) => turn.ask({ title: "x" }), "session/request_permission"],
    [
      "elicitation",
      (turn) => turn.elicit({ mode: "form", message: "m", requestedSchema: { type: "object", properties: {} } }),
      "elicitation/create",
    ],
  ])("%s", async (_name, ask, method) => {
    const { client, sessionId, diagnostics } = await openAs(
      { ...v1Hello, clientCapabilities: { elicitation: { form: {} } } },
      { prompt: async (turn) => void (await ask(turn)) },
    );
    const id = client.prompt(sessionId);
    client.reply(await client.call(method), { outcome: "selected", action: 5 });
    await client.answer(id);
    const reports = diagnostics.filter(({ code }) => code === "invalid_message");
    expect(reports).toMatchObject([{ message: expect.stringMatching(/counts as cancelled: .*: invalid result at /) }]);
  });
});

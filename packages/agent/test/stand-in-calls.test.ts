import { describe, expect, test } from "vitest";
import type { Turn } from "../src/index.js";
import { clientInfo, type Frame, openAs, seedHello, v2Hello } from "./raw-client.js";

const YES = { outcome: { outcome: "selected", optionId: "allow_once" } };
const NO = { outcome: { outcome: "selected", optionId: "reject_once" } };

const isEnd = ({ result, params }: Frame) =>
  result?.stopReason !== undefined || params?.update?.stopReason !== undefined || params?.update?.state === "idle";

/** Opens a session whose prompt asks about no tool call, as often as there are answers. */
async function asking(hello: object, ask: (turn: Turn) => Promise<unknown>, answers: readonly object[]) {
  const { client, sessionId } = await openAs(hello, { prompt: async (turn) => void (await ask(turn)) });
  const prompt = client.prompt(sessionId);
  const questions: Frame[] = [];
  for (const [at, answer] of answers.entries()) {
    const question = await client.call("session/request_permission", at);
    questions.push(question);
    if ("outcome" in answer) client.reply(question, answer);
    else client.send({ id: question.id, ...answer });
  }
  return { client, sessionId, questions, prompt };
}

describe.each([
  ["version 1", { protocolVersion: 1, clientInfo }],
  ["the seed draft", seedHello],
])("defect N100: the tool call that stands in for a question, in %s", (_, hello) => {
  test.each([
    ["completed", "an allowed question", YES],
    ["failed", "a refused question", NO],
    ["failed", "a cancelled question", { outcome: { outcome: "cancelled" } }],
    ["failed", "a question that failed", { error: { code: -32603, message: "No UI." } }],
  ])("is %s after %s", async (status, _name, answer) => {
    const { client, questions } = await asking(hello, (turn) => turn.ask({ title: "Go?" }), [answer]);
    await client.next(isEnd);
    const { toolCall } = questions[0]?.params ?? {};
    expect(toolCall).toMatchObject({ title: "Go?", status: "pending" });
    expect(client.updates().filter(({ toolCallId }) => toolCallId !== undefined)).toEqual([
      { sessionUpdate: "tool_call_update", toolCallId: toolCall.toolCallId, title: "Go?", status },
    ]);
  });

  test("is another one for an equal question", async () => {
    const twice = async (turn: Turn) => [await turn.ask({ title: "Go?" }), await turn.ask({ title: "Go?" })];
    const { client, questions } = await asking(hello, twice, [YES, NO]);
    await client.next(isEnd);
    const ids = questions.map(({ params }) => params.toolCall.toolCallId);
    expect(new Set(ids).size).toBe(2);
    expect(client.updates().flatMap(({ status }) => status ?? [])).toEqual(["completed", "failed"]);
  });

  test.each([
    ["a cancel", (turn: Turn) => turn.ask({ title: "Go?" }), true],
    ["the end of its turn", async (turn: Turn) => void turn.ask({ title: "Go?" }), false],
  ])("fails before %s is answered", async (_name, ask, cancels) => {
    const { client, sessionId } = await asking(hello, ask, []);
    await client.call("session/request_permission");
    if (cancels) client.cancel(sessionId);
    const end = await client.next(isEnd);
    const before = client.received.slice(0, client.received.indexOf(end));
    expect(before.flatMap(({ params }) => params?.update?.status ?? [])).toEqual(["failed"]);
    await client.newSession();
    expect(client.updates().flatMap(({ status }) => status ?? [])).toEqual(["failed"]);
  });

  test("is that of a child session too", async () => {
    const ask = async (turn: Turn) => {
      const child = turn.session.child("Child");
      await child.ask({ title: "Go?" });
      child.idle();
    };
    const { client, questions } = await asking(hello, ask, [YES]);
    await client.next(isEnd);
    const { toolCallId } = questions[0]?.params.toolCall ?? {};
    const ofQuestion = client.updates().filter((update) => update.toolCallId === toolCallId);
    expect(ofQuestion).toMatchObject([{ status: "completed" }]);
  });
});

test("defect N100: a question about a tool call, and every question of version 2, end no other call", async () => {
  const { client } = await asking(v2Hello, (turn) => turn.ask({ title: "Go?" }), [YES]);
  await client.next(isEnd);
  expect(client.updates().flatMap(({ toolCallId }) => toolCallId ?? [])).toEqual([]);
  const about = await asking({ protocolVersion: 1, clientInfo }, (turn) => turn.toolCall({ title: "rm" }).ask(), [YES]);
  await about.client.next(isEnd);
  const calls = about.client.updates().flatMap(({ toolCallId }) => toolCallId ?? []);
  expect(new Set(calls).size).toBe(1);
});

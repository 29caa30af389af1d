import type { Diagnostic } from "@turnkit/transport";
import { describe, expect, test } from "vitest";
import type { PermissionAnswer, Turn } from "../src/index.js";
import { defaultPermissionOptions } from "../src/index.js";
import { type Frame, gate, open } from "./raw-client.js";

/** Asks, answers with what `reply` says, and tells what the agent made of it. */
async function answered(
  reply: (question: Frame) => Frame,
  reported: Diagnostic[] = [],
): Promise<PermissionAnswer | undefined> {
  let answer: PermissionAnswer | undefined;
  const { client, sessionId, diagnostics } = await open({
    async prompt(turn) {
      answer = await turn.toolCall({ title: "Edit a.ts", kind: "edit" }).requestPermission();
    },
  });
  const prompt = client.prompt(sessionId);
  const question = await client.call("session/request_permission");
  client.send({ id: question.id, ...reply(question) });
  expect((await client.answer(prompt)).result).toEqual({ stopReason: "end_turn" });
  reported.push(...diagnostics);
  return answer;
}

const selected = (optionId: string) => ({ result: { outcome: { outcome: "selected", optionId } } });

describe("permission", () => {
  test("defect P36: metadata of the answer is a member of it", async () => {
    const outcome = { outcome: "selected", optionId: "reject_once", _meta: { "example.com": 1 } };
    const answer = await answered(() => ({ result: { outcome } }));
    expect(answer).toMatchObject({ allowed: false, _meta: { "example.com": 1 } });
    expect(await answered(() => selected("allow_once"))).not.toHaveProperty("_meta");
  });

  test("V1-PERM-01: the question names its session, its call and its options", async () => {
    const { client, sessionId } = await open({
      prompt: (turn) =>
        turn
          .toolCall({ title: "Edit a.ts", kind: "edit" })
          .ask()
          .then(() => undefined),
    });
    client.prompt(sessionId);
    const { params } = await client.call("session/request_permission");
    const { toolCallId } = await client.update("tool_call");
    expect(params).toMatchObject({
      sessionId,
      toolCall: { toolCallId, title: "Edit a.ts" },
      options: defaultPermissionOptions,
    });
  });

  test.each(["allow_once", "allow_always"])("V1-PERM-07: %s is granted", async (optionId) => {
    expect(await answered(() => selected(optionId))).toEqual({
      allowed: true,
      option: defaultPermissionOptions.find((option) => option.optionId === optionId),
    });
  });

  test.each(["reject_once", "reject_always"])("V1-PERM-07: %s is not granted, and says so", async (optionId) => {
    expect(await answered(() => selected(optionId))).toMatchObject({ allowed: false, option: { optionId } });
  });

  test.each<[string, Frame]>([
    ["V1-PERM-07 an option that was not offered", selected("sudo")],
    ["V1-PERM-08 cancelled", { result: { outcome: { outcome: "cancelled" } } }],
    ["V1-PERM-07 an error", { error: { code: -32603, message: "No UI." } }],
    ["V1-CANCEL-17 -32800", { error: { code: -32800, message: "Request cancelled" } }],
    ["V1-PERM-02 an outcome without its nest", { result: { outcome: "selected", optionId: "allow_once" } }],
    ["V1-RPC-26 no outcome", { result: {} }],
    ["V1-RPC-26 null", { result: null }],
    ["V1-RPC-10 both result and error", { ...selected("allow_once"), error: { code: 1, message: "x" } }],
    ["V1-PERM-02 an unknown outcome", { result: { outcome: { outcome: "approved", optionId: "allow_once" } } }],
  ])("%s is not granted", async (_, reply) => {
    expect(await answered(() => reply)).toEqual({ allowed: false });
  });

  test.each<[string, Frame]>([
    ["an option that was not offered", selected("sudo")],
    ["an outcome without its nest", { result: { outcome: "selected", optionId: "allow_once" } }],
    ["an unknown outcome", { result: { outcome: { outcome: "approved" } } }],
  ])("defect S43: an answer that cannot be read is reported: %s", async (_, reply) => {
    const reported: Diagnostic[] = [];
    await answered(() => reply, reported);
    const message = expect.stringMatching(/counts as (refused|cancelled)/);
    expect(reported.filter(({ code }) => code !== "unfinished")).toMatchObject([{ code: "invalid_message", message }]);
  });

  test("V1-PERM-10: options of one's own, about no tool call", async () => {
    let answer: PermissionAnswer | undefined;
    const options = [{ optionId: "code", name: "Code mode", kind: "allow_once" }] as const;
    const { client, sessionId } = await open({
      async prompt(turn) {
        answer = await turn.requestPermission({ title: "Leave plan mode?", description: "Really?", options });
      },
    });
    const prompt = client.prompt(sessionId);
    const question = await client.call("session/request_permission");
    expect(question.params).toMatchObject({ toolCall: { title: "Leave plan mode?" }, options });
    client.reply(question, selected("code").result);
    await client.answer(prompt);
    expect(answer).toEqual({ allowed: true, option: options[0] });
  });

  test("the session's state knows the question while it is open", async () => {
    const seen: number[] = [];
    const { client, sessionId } = await open({
      async prompt(turn) {
        const question = turn.requestPermission({ title: "Go?", options: defaultPermissionOptions });
        seen.push(turn.session.state.pendingPermissions.length);
        await question;
        seen.push(turn.session.state.pendingPermissions.length);
      },
    });
    const prompt = client.prompt(sessionId);
    client.reply(await client.call("session/request_permission"), selected("allow_once").result);
    await client.answer(prompt);
    expect(seen).toEqual([1, 0]);
  });
});

describe("an open question", () => {
  const ask = (turn: Turn) => turn.requestPermission({ title: "Go?", options: defaultPermissionOptions });

  test.each(["session/cancel", "$/cancel_request", "session/close"])(
    "V1-CANCEL-11: %s withdraws it, as not granted, and does not wait for the client",
    async (method) => {
      const answers: unknown[] = [];
      const { client, sessionId } = await open({
        async prompt(turn) {
          answers.push(await ask(turn), await ask(turn));
        },
      });
      const prompt = client.prompt(sessionId);
      const question = await client.call("session/request_permission");
      if (method === "session/close") client.send({ id: "close", method, params: { sessionId } });
      else client.notify(method, { sessionId, requestId: prompt });
      expect((await client.answer(prompt)).result).toEqual({ stopReason: "cancelled" });
      expect(await client.call("$/cancel_request")).toMatchObject({ params: { requestId: question.id } });
      expect(client.received.filter((frame) => frame.method === "session/request_permission")).toHaveLength(1);
      expect(answers).toEqual([{ allowed: false }, { allowed: false }]);
      // The client answers it all the same (V1-CANCEL-03); a yes comes too late.
      client.reply(question, selected("allow_once").result);
      expect(await client.newSession()).toBeTypeOf("string");
    },
  );

  test("is withdrawn when its turn ends without it", async () => {
    const answer = gate<PermissionAnswer>();
    const { client, sessionId } = await open({
      prompt(turn) {
        void ask(turn).then(answer.open);
      },
    });
    await client.ask(sessionId);
    const question = await client.call("session/request_permission");
    expect(await client.call("$/cancel_request")).toMatchObject({ params: { requestId: question.id } });
    expect(await answer.promise).toEqual({ allowed: false });
  });

  test("is not granted when the connection ends", async () => {
    const answer = gate<PermissionAnswer>();
    const { client, sessionId } = await open({
      async prompt(turn) {
        answer.open(await ask(turn));
      },
    });
    client.prompt(sessionId);
    await client.call("session/request_permission");
    await client.close();
    expect(await answer.promise).toEqual({ allowed: false });
  });
});

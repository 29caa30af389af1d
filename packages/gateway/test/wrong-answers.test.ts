import { expect, it } from "vitest";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";
import { type Frame, RawClient } from "./raw-client.js";
import { viewOf } from "./view.js";

/** Text of the turn. A message ends where a tool call begins. */
const BOTH_REFUSED = "first refused \n\nsecond refused ";

const isQuestion = ({ method }: Frame) => method === "session/request_permission";
const select = (optionId: string) => ({ outcome: { outcome: "selected", optionId } });

/** A session whose agent asks twice, its owner, and another client as bare messages. */
async function asked(role: "controller" | "observer" = "controller") {
  const reported: string[] = [];
  const { gateway } = gatewayOf(
    {
      async prompt(turn) {
        for (const title of ["first", "second"]) {
          const call = turn.toolCall({ title, kind: "delete" });
          await turn.say((await call.ask()) ? `${title} allowed ` : `${title} refused `);
          call.finish();
        }
      },
    },
    { onDiagnostic: ({ code }) => reported.push(code) },
  );
  const owner = await (await clientOf(gateway, "v2", { name: "Ann" })).newSession({ cwd: "/work" });
  const raw = new RawClient(gateway.open({ id: "raw", group: "all", name: "Raw", role }));
  await raw.initialize(2);
  const attachRaw = () => raw.request("session/resume", { sessionId: owner.id, cwd: "/work" });
  await attachRaw();
  const turn = owner.prompt("Go");
  await expect.poll(() => owner.state.pendingPermissions).toHaveLength(1);
  const answer = (kind: string) => {
    const [question] = owner.state.pendingPermissions;
    const optionId = question?.options.find((option) => option.kind === kind)?.optionId ?? "";
    owner.answer(question?.requestId ?? "", { outcome: "selected", optionId });
  };
  const nextQuestion = () => expect.poll(() => owner.state.pendingPermissions.map(({ title }) => title));
  return { gateway, owner, raw, attachRaw, turn, answer, nextQuestion, reported };
}

it("SHARE-05 an option that was not offered allows nothing, and nobody is said to have answered", async () => {
  const { owner, raw, turn, answer, nextQuestion, reported } = await asked();
  raw.reply(await raw.next(isQuestion), select("not-offered"));
  await nextQuestion().toEqual(["second"]);
  answer("reject_once");
  expect(await turn.text()).toBe(BOTH_REFUSED);
  const [first, second] = [...owner.state.timeline].filter(({ type }) => type === "tool_call");
  expect([first, second].map((call) => (call as { _meta?: object })._meta)).toEqual([
    undefined,
    { "turnkit.answeredBy": "Ann" },
  ]);
  expect(reported).toEqual(["handler_failed"]);
});

it("SHARE-05 a late answer to a question that was withdrawn is not taken for the next one", async () => {
  const { raw, turn, answer, nextQuestion } = await asked();
  const first = await raw.next(isQuestion);
  answer("reject_once");
  await nextQuestion().toEqual(["second"]);
  raw.reply(first, select("allow_once"));
  await raw.request("session/list", {});
  await nextQuestion().toEqual(["second"]);
  answer("reject_once");
  expect(await turn.text()).toBe(BOTH_REFUSED);
});

it("SHARE-05 the answer of an attachment that was left does not count", async () => {
  const { raw, attachRaw, turn, answer, nextQuestion } = await asked();
  const first = await raw.next(isQuestion);
  await attachRaw();
  raw.reply(first, select("allow_once"));
  await raw.request("session/list", {});
  await nextQuestion().toEqual(["first"]);
  answer("reject_once");
  await nextQuestion().toEqual(["second"]);
  answer("reject_once");
  expect(await turn.text()).toBe(BOTH_REFUSED);
});

it("SHARE-05 SHARE-08 an observer cannot answer with a guessed id", async () => {
  const { raw, turn, answer, nextQuestion } = await asked("observer");
  for (const id of [0, 1, 2]) raw.reply({ id }, select("allow_once"));
  await raw.request("session/list", {});
  await nextQuestion().toEqual(["first"]);
  answer("reject_once");
  await nextQuestion().toEqual(["second"]);
  answer("reject_once");
  expect(await turn.text()).toBe(BOTH_REFUSED);
});

it("SHARE-05 an answer after the cancel of its turn allows nothing", async () => {
  const { gateway, owner, raw, turn } = await asked();
  const first = await raw.next(isQuestion);
  void owner.cancel();
  raw.reply(first, select("allow_once"));
  expect(await turn.ended).toMatchObject({ stopReason: "cancelled" });
  const later = await attach(await clientOf(gateway), owner.id);
  expect(JSON.stringify(viewOf(later.state))).not.toContain("allowed");
});

it.each([
  ["tool_call/cancel", { toolCallId: "nobody" }],
  ["terminal/cancel", { terminalId: "nobody" }],
])("V2-TOOL-13 V2-TERM-12 defect G23: %s of work that does not exist is refused with -32602", async (method, work) => {
  const { gateway } = gatewayOf({});
  const raw = new RawClient(gateway.open({ id: "raw", group: "all" }));
  await raw.initialize(2);
  const { sessionId } = (await raw.request("session/new", { cwd: "/work", mcpServers: [] })).result;
  const { error } = await raw.request(method, { sessionId, ...work });
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("nobody") });
});

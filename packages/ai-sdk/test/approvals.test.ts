import { createElicitations } from "@turnkit/client";
import { describe, expect, test, vi } from "vitest";
import { type AcpUIMessage, approvalsAnswered } from "../src/index.js";
import { chatOver, shortly, user } from "./chat.js";
import { call, OPTIONS, openSession, openV2, output, patch, say } from "./conversation.js";

const selected = (optionId: string) => ({ result: { outcome: { outcome: "selected", optionId } } });

/** A turn that asks about the call `c1`; the stream has ended with the question. */
async function asked(options?: object[]) {
  const { agent, session } = await openSession();
  const chat = chatOver(session);
  const reading = await chat.ask("Hi");
  const prompt = await agent.call("session/prompt");
  await agent.update(say("I edit."), call("c1", { kind: "edit", rawInput: { path: "a.ts" } }));
  await agent.ask("q", { toolCallId: "c1", title: "Edit a.ts" }, options);
  return { agent, session, chat, prompt, ...(await reading.done) };
}

describe("a permission question", () => {
  test("ends the stream with an approval and its options", async () => {
    const { message, errors, finish, session } = await asked();
    expect(errors).toEqual([]);
    expect(shortly(message)).toEqual([
      "text done: I edit.",
      "edit approval-requested",
      expect.stringMatching("permission"),
    ]);
    const requestId = session.state.pendingPermissions[0]?.requestId;
    expect(message.parts[1]).toMatchObject({
      title: "Edit a.ts",
      input: { path: "a.ts" },
      approval: { id: requestId },
    });
    expect(message.parts[2]).toMatchObject({
      id: requestId,
      data: { status: "asked", requestId, toolCallId: "c1", options: OPTIONS },
    });
    expect(finish).toMatchObject({ finishReason: "tool-calls" });
    expect(message.metadata).toBeUndefined();
  });

  test("that is allowed goes on in the same message", async () => {
    const { agent, chat, prompt, message } = await asked();
    const reading = await chat.respond(message, true);
    expect(await agent.answerTo("q")).toMatchObject(selected("yes"));
    await agent.update(patch("c1", { status: "completed", content: output("ok") }), say(" Done."));
    await agent.answer(prompt, { stopReason: "end_turn" });
    const result = await reading.done;
    expect(result.errors).toEqual([]);
    expect(shortly(result.message)).toEqual([
      ...["text done: I edit.", "edit output-available", expect.stringMatching("permission"), "text done:  Done."],
    ]);
    expect(result.message).toMatchObject({ id: message.id, parts: [{}, {}, { data: { status: "settled" } }, {}] });
    expect(result.chunks[0]).toMatchObject({ type: "tool-output-available", preliminary: true });
  });

  test("that is denied shows it, whatever the agent then says about the call", async () => {
    const { agent, chat, prompt, message } = await asked();
    const reading = await chat.respond(message, false);
    expect(await agent.answerTo("q")).toMatchObject(selected("no"));
    await agent.update(patch("c1", { status: "failed", content: output("refused") }));
    await agent.answer(prompt, { stopReason: "end_turn" });
    expect(shortly((await reading.done).message)[1]).toBe("edit output-denied");
  });

  test("is answered with the option that the reason names", async () => {
    const { agent, chat, message } = await asked();
    await chat.respond(message, true, "always");
    expect(await agent.answerTo("q")).toMatchObject(selected("always"));
  });

  test("that no option allows once is not answered by a guess", async () => {
    const { session, chat, message } = await asked([{ optionId: "always", name: "Always", kind: "allow_always" }]);
    await expect(chat.respond(message, true)).rejects.toThrow("Pass the id of an option as the reason: always.");
    expect(session.state.pendingPermissions).toHaveLength(1);
  });

  test("that nothing rejects is cancelled by a rejection", async () => {
    const { agent, chat, message } = await asked([{ optionId: "yes", name: "Yes", kind: "allow_once" }]);
    await chat.respond(message, false);
    expect(await agent.answerTo("q")).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
  });

  test("about a call that goes on has the newest title, and asks again", async () => {
    const { agent, session } = await openSession();
    const reading = await chatOver(session, { whenAsked: "wait" }).ask("Hi");
    const prompt = await agent.call("session/prompt");
    await agent.ask("q");
    const parts = () => reading.chunks.flatMap((chunk) => ("toolCallId" in chunk ? [chunk.type] : []));
    await vi.waitFor(() => expect(parts()).toHaveLength(2));
    await agent.update(patch("c1", { title: "Edit a.ts, again" }));
    await vi.waitFor(() => expect(parts()).toHaveLength(4));
    session.answer(session.state.pendingPermissions[0]?.requestId ?? "", { outcome: "selected", optionId: "yes" });
    await agent.update(patch("c1", { status: "completed" }));
    await agent.answer(prompt, { stopReason: "end_turn" });
    const { message, errors } = await reading.done;
    expect(errors).toEqual([]);
    expect(parts().slice(0, 4)).toEqual([
      ...["tool-input-available", "tool-approval-request", "tool-input-available", "tool-approval-request"],
    ]);
    expect(message.parts).toMatchObject([{ title: "Edit a.ts, again", state: "output-available" }, {}]);
  });

  test("two at once are one end, and both responses are sent", async () => {
    const { agent, session } = await openSession();
    const chat = chatOver(session);
    const reading = await chat.ask("Hi");
    await agent.call("session/prompt");
    await Promise.all([agent.ask("q1", { toolCallId: "c1" }), agent.ask("q2", { toolCallId: "c2" })]);
    const { message } = await reading.done;
    expect(shortly(message).filter((part) => part.endsWith("approval-requested"))).toHaveLength(2);
    await chat.respond(message, true);
    expect(await agent.answerTo("q1")).toMatchObject(selected("yes"));
    expect(await agent.answerTo("q2")).toMatchObject(selected("yes"));
  });

  test("that a policy decides at once does not end the stream", async () => {
    const { agent, session } = await openSession({ permissions: () => ({ outcome: "selected", optionId: "yes" }) });
    const reading = await chatOver(session).ask("Hi");
    const prompt = await agent.call("session/prompt");
    await agent.ask("q");
    await agent.update(say("Done."));
    await agent.answer(prompt, { stopReason: "end_turn" });
    const { message, finish } = await reading.done;
    expect(shortly(message)).toEqual(["other input-available", "text done: Done."]);
    expect(finish).toMatchObject({ finishReason: "stop" });
  });

  test("without a tool call has a part of its own", async () => {
    const { agent, session } = await openV2();
    const chat = chatOver(session);
    const reading = await chat.ask("Hi");
    const prompt = await agent.call("session/prompt");
    await agent.update({ sessionUpdate: "state_update", state: "running", background: [] });
    await agent.answer(prompt, { messageId: "u-1" });
    const subject = { type: "command", command: "rm a.ts", cwd: "/work" };
    const params = { sessionId: "s-1", title: "May I?", subject, options: OPTIONS };
    await agent.send({ jsonrpc: "2.0", id: "q", method: "session/request_permission", params });
    const { message } = await reading.done;
    expect(message.parts[0]).toMatchObject({ toolName: "permission", title: "May I?", input: subject });
    const next = await chat.respond(message, true);
    expect(await agent.answerTo("q")).toMatchObject(selected("yes"));
    await agent.update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
    expect(shortly((await next.done).message)[0]).toBe("permission output-available");
  });

  test("that was settled in another way is shown so, and its response does not repeat for ever", async () => {
    const { agent, session, chat, prompt, message } = await asked();
    session.answer(session.state.pendingPermissions[0]?.requestId ?? "", { outcome: "selected", optionId: "no" });
    await agent.answer(prompt, { stopReason: "end_turn" });
    const { message: after } = await (await chat.respond(message, true)).done;
    expect(shortly(after)[1]).not.toContain("approval");
    expect(approvalsAnswered({ messages: [user("Hi"), after] })).toBe(false);
  });

  test("that the session answers goes on at once, though the agent says nothing about the call", async () => {
    const { agent, session } = await openSession();
    const reading = await chatOver(session, { whenAsked: "wait" }).ask("Hi");
    const prompt = await agent.call("session/prompt");
    await agent.ask("q");
    await vi.waitFor(() => expect(reading.chunks.at(-1)?.type).toBe("data-acp-permission"));
    session.answer(session.state.pendingPermissions[0]?.requestId ?? "", { outcome: "selected", optionId: "yes" });
    await agent.answer(prompt, { stopReason: "end_turn" });
    expect(shortly((await reading.done).message)[0]).toBe("other output-available so far");
  });

  test("is answered after a reload, by a transport that did not ask it", async () => {
    const { agent, session, prompt, message } = await asked();
    const reading = await chatOver(session).respond(message, true);
    expect(await agent.answerTo("q")).toMatchObject(selected("yes"));
    await agent.update(patch("c1", { status: "completed" }), say("Done."));
    await agent.answer(prompt, { stopReason: "end_turn" });
    const { message: after, errors } = await reading.done;
    expect(errors).toEqual([]);
    expect(shortly(after)).toEqual([
      ...["text done: I edit.", "edit output-available", expect.stringMatching("permission"), "text done: Done."],
    ]);
  });

  test("is dropped by a new message: the turn is cancelled, and the message sent", async () => {
    const { agent, chat, prompt } = await asked();
    const waiting = chat.ask("Something else");
    expect(await agent.answerTo("q")).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
    await agent.call("session/cancel");
    await agent.answer(prompt, { stopReason: "cancelled" });
    await agent.answer(await agent.call("session/prompt"), { stopReason: "end_turn" });
    expect((await (await waiting).done).finish).toMatchObject({ finishReason: "stop" });
  });
});

test("a form is a data part, does not end the stream, and is answered by the session", async () => {
  const { agent, session } = await openSession({ elicitations: createElicitations({ form: () => "wait" }) });
  const reading = await chatOver(session).ask("Hi");
  const prompt = await agent.call("session/prompt");
  const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
  const params = { sessionId: "s-1", mode: "form", message: "Your name?", requestedSchema };
  await agent.send({ jsonrpc: "2.0", id: "e", method: "elicitation/create", params });
  const [question] = session.state.pendingElicitations;
  session.answer(question?.requestId ?? "", { action: "accept", content: { name: "Ada" } });
  await agent.answer(prompt, { stopReason: "end_turn" });
  const { message } = await reading.done;
  expect(message.parts).toMatchObject([
    {
      type: "data-acp-elicitation",
      id: question?.requestId,
      data: { status: "settled", question: { message: "Your name?" } },
    },
  ]);
});

describe("approvalsAnswered", () => {
  const message = (...states: string[]): AcpUIMessage =>
    ({
      id: "m",
      role: "assistant",
      parts: states.map((state, at) => ({ type: "dynamic-tool", toolCallId: `${at}`, state })),
    }) as never;

  test.each<[boolean, AcpUIMessage[]]>([
    [true, [message("approval-responded")]],
    [true, [message("input-available", "approval-responded", "output-available")]],
    [false, [message("approval-responded", "approval-requested")]],
    [false, [message("output-available")]],
    [false, [message("approval-responded"), user("Hi")]],
    [false, []],
  ])("is %s for %j", (expected, messages) => expect(approvalsAnswered({ messages })).toBe(expected));
});

import { describe, expect, test } from "vitest";
import { chatOver, read, shortly, user } from "./chat.js";
import { openSession, openV2, say, think } from "./conversation.js";

const image = { type: "image", data: "aGk=", mimeType: "image/png" };
const piece = (content: object) => ({ sessionUpdate: "agent_message_chunk", messageId: "m1", content });

/** Runs one turn of version 1 with updates, and returns its message. */
async function turnWith(...updates: object[]) {
  const { agent, session } = await openSession();
  const reading = await chatOver(session).ask("Hi");
  const prompt = await agent.call("session/prompt");
  for (const update of updates) await agent.update(update);
  await agent.answer(prompt, { stopReason: "end_turn" });
  return reading.done;
}

describe("texts", () => {
  test("messages and thoughts are parts by their ids, and end with the turn", async () => {
    const { message, errors, chunks } = await turnWith(
      ...[think("Let me "), think("see."), say("It "), say("is so."), think("Really?", "t2"), say("Yes.", "m2")],
    );
    expect(errors).toEqual([]);
    expect(message).toMatchObject({ id: "s-1/1", role: "assistant", metadata: { stopReason: "end_turn" } });
    expect(shortly(message)).toEqual([
      ...["reasoning done: Let me see.", "text done: It is so.", "reasoning done: Really?", "text done: Yes."],
    ]);
    expect(chunks[0]).toEqual({ type: "start", messageId: "s-1/1" });
    expect(chunks.filter((chunk) => chunk.type === "text-delta")).toMatchObject([
      ...[
        { id: "m1", delta: "It " },
        { id: "m1", delta: "is so." },
        { id: "m2", delta: "Yes." },
      ],
    ]);
  });

  test("pieces of a message and a thought may alternate", async () => {
    const { message } = await turnWith(say("a"), think("1"), say("b"), think("2"), say("c"));
    expect(shortly(message)).toEqual(["text done: a", "reasoning done: 12", "text done: bc"]);
  });

  test("a message that grows after another entry has a further part", async () => {
    const { message, chunks } = await turnWith(say("a"), say("x", "m2"), say("b"), say("y", "m2"));
    expect(shortly(message)).toEqual(["text done: a", "text done: xy", "text done: b"]);
    expect(chunks).toContainEqual({ type: "text-start", id: "m1/2" });
  });

  test("images, sounds, links and resources stand between the texts", async () => {
    const { message, errors } = await turnWith(
      say("See "),
      piece(image),
      piece({ type: "audio", data: "aGk=", mimeType: "audio/wav" }),
      piece({ type: "resource_link", uri: "file:///a.ts", name: "a.ts" }),
      piece({ type: "resource", resource: { uri: "file:///b.ts", text: "b" } }),
      say("this."),
    );
    expect(errors).toEqual([]);
    expect(message.parts).toMatchObject([
      { type: "text", text: "See " },
      { type: "file", mediaType: "image/png", url: "data:image/png;base64,aGk=" },
      { type: "file", mediaType: "audio/wav" },
      { type: "source-url", sourceId: "m1#3", url: "file:///a.ts", title: "a.ts" },
      { type: "data-acp-content", id: "m1#4", data: { type: "resource", resource: { text: "b" } } },
      { type: "text", text: "this." },
    ]);
  });

  test("a slow reader gets fewer and larger pieces, and every character", async () => {
    const { agent, session } = await openSession();
    const stream = await chatOver(session).send([user("Hi")]);
    const prompt = await agent.call("session/prompt");
    for (let index = 0; index < 500; index++) await agent.update(say(`${index},`));
    await agent.answer(prompt, { stopReason: "end_turn" });
    const { message, chunks } = await read(stream).done;
    expect(shortly(message)).toEqual([`text done: ${Array.from({ length: 500 }, (_, index) => `${index},`).join("")}`]);
    expect(chunks.length).toBeLessThan(10);
  });

  test("text that the state drops later is neither missing nor doubled", async () => {
    const { agent, session } = await openSession({ limits: { entryBytes: 16_384 } });
    const reading = await chatOver(session).ask("Hi");
    const prompt = await agent.call("session/prompt");
    for (let index = 0; index < 400; index++) await agent.update(say(`${index}`.padStart(100, ".")));
    await agent.answer(prompt, { stopReason: "end_turn" });
    const { message } = await reading.done;
    const whole = Array.from({ length: 400 }, (_, index) => `${index}`.padStart(100, ".")).join("");
    expect(shortly(message)).toEqual([`text done: ${whole}`]);
  });
});

describe("version 2", () => {
  const whole = (text: string) => ({
    sessionUpdate: "agent_message",
    messageId: "m1",
    content: [{ type: "text", text }],
  });

  async function turnOfV2(...updates: object[]) {
    const { agent, session } = await openV2();
    const reading = await chatOver(session).ask("Hi");
    const prompt = await agent.call("session/prompt");
    const echo = { sessionUpdate: "user_message", messageId: "u-1", content: [{ type: "text", text: "Hi" }] };
    await agent.update(echo, { sessionUpdate: "state_update", state: "running", background: [] });
    await agent.answer(prompt, { messageId: "u-1" });
    for (const update of updates) await agent.update(update);
    await agent.update({ sessionUpdate: "state_update", state: "idle", stopReason: "max_tokens" });
    return reading.done;
  }

  test("the prompt is not repeated, and the idle state ends the stream", async () => {
    const { message, finish } = await turnOfV2(say("a"), say("b"));
    expect(shortly(message)).toEqual(["text done: ab"]);
    expect(finish).toMatchObject({ finishReason: "length" });
  });

  test("a whole message after its pieces adds what is new", async () => {
    const { message } = await turnOfV2(say("a"), say("b"), whole("abc"), say("d"));
    expect(shortly(message)).toEqual(["text done: abcd"]);
  });

  test("a message that is sent again with another text is a further part", async () => {
    const { message } = await turnOfV2(say("wrong"), whole("right"), say("!"));
    expect(shortly(message)).toEqual(["text done: wrong", "text done: right!"]);
  });

  test("notices and prompts of other clients are data parts", async () => {
    const { message } = await turnOfV2(
      { sessionUpdate: "notice", severity: "warning", title: "Low on tokens" },
      { sessionUpdate: "user_message", messageId: "u-2", content: [{ type: "text", text: "And more" }] },
      { sessionUpdate: "subagent_update", sessionId: "kid", title: "Tests" },
    );
    expect(message.parts).toMatchObject([
      { type: "data-acp-entry", data: { type: "notice", title: "Low on tokens" } },
      { type: "data-acp-entry", data: { type: "message", role: "user", content: [{ text: "And more" }] } },
      { type: "data-acp-subagent", id: "kid", data: { title: "Tests" } },
    ]);
  });
});

test("plans and usage are data parts that replace each other", async () => {
  const plan = (status: string) => ({
    sessionUpdate: "plan",
    entries: [{ content: "Look", priority: "high", status }],
  });
  const { message } = await turnWith(
    plan("pending"),
    say("a"),
    plan("completed"),
    { sessionUpdate: "usage_update", used: 10, size: 100 },
    { sessionUpdate: "usage_update", used: 20, size: 100, cost: { amount: 1, currency: "USD" } },
  );
  expect(message.parts).toMatchObject([
    { type: "data-acp-plan", id: "main", data: { entries: [{ status: "completed" }] } },
    { type: "text", text: "a" },
    { type: "data-acp-usage", id: "usage", data: { used: 20, size: 100, cost: { amount: 1, currency: "USD" } } },
  ]);
});

test("the plan and the usage of an earlier turn are not repeated", async () => {
  const { agent, session } = await openSession();
  const chat = chatOver(session);
  for (const turn of ["one", "two"]) {
    const reading = await chat.ask(turn);
    const prompt = await agent.call("session/prompt");
    if (turn === "one") await agent.update({ sessionUpdate: "usage_update", used: 10, size: 100 });
    await agent.update(say(turn, turn));
    await agent.answer(prompt, { stopReason: "end_turn" });
    const { message } = await reading.done;
    expect(message.id).toBe(turn === "one" ? "s-1/1" : "s-1/2");
    expect(shortly(message)).toContain(`text done: ${turn}`);
    expect(message.parts.length).toBe(turn === "one" ? 2 : 1);
  }
});

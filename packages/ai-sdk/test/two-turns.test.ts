import { expect, test } from "vitest";
import { chatOver, read, shortly, user } from "./chat.js";
import { openSession, say } from "./conversation.js";

test("a message that is sent during a turn waits for its own answer", async () => {
  const { agent, session } = await openSession();
  const chat = chatOver(session);
  const first = await chat.ask("One");
  const one = await agent.call("session/prompt");
  await agent.update(say("First ", "m1"));
  const waiting = chat.ask("Two");
  await agent.update(say("answer.", "m1"));
  await agent.answer(one, { stopReason: "end_turn" });
  const second = await waiting;
  const two = await agent.call("session/prompt");
  await agent.update(say("Second.", "m2"));
  await agent.answer(two, { stopReason: "end_turn" });
  expect(shortly((await first.done).message)).toEqual(["text done: First answer."]);
  const { message } = await second.done;
  expect([message.id, ...shortly(message)]).toEqual(["s-1/2", "text done: Second."]);
});

test("defect N73: an answer that is read late has nothing of the next turn", async () => {
  const { agent, session } = await openSession();
  const chat = chatOver(session);
  const first = await chat.send([user("One")]);
  const one = await agent.call("session/prompt");
  await agent.update(say("First."));
  await agent.answer(one, { stopReason: "end_turn" });
  const second = await chat.ask("Two");
  const two = await agent.call("session/prompt");
  await agent.update(say("Second.", "m2"));
  await agent.answer(two, { stopReason: "max_tokens" });
  expect(shortly((await second.done).message)).toEqual(["text done: Second."]);
  expect(shortly((await read(first).done).message)).toEqual(["text done: First."]);
});

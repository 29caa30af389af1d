import { describe, expect, test } from "vitest";
import type { Turn } from "../src/index.js";
import { type Connected, open, openAs, seedHello, v2Hello } from "./raw-client.js";

type Opened = Connected & { readonly sessionId: string };

/** Returns the pieces of a turn: each message is one list, in the order of the wire. */
async function messagesOf({ client, sessionId }: Opened): Promise<string[][]> {
  await client.answer(client.prompt(sessionId));
  await client.next(({ params }) => params?.update?.content?.text === "end");
  const messages = new Map<string, string[]>();
  for (const { sessionUpdate, messageId, content } of client.updates()) {
    if (!/^agent_(message|thought)_chunk$/.test(sessionUpdate)) continue;
    messages.set(messageId, [...(messages.get(messageId) ?? []), content.text]);
  }
  return [...messages.values()];
}

describe.each([
  ["v1", (prompt: (turn: Turn) => void) => open({ prompt })],
  ["v2", (prompt: (turn: Turn) => void) => openAs(v2Hello, { prompt })],
  ["seed", (prompt: (turn: Turn) => void) => openAs(seedHello, { prompt })],
])("endMessage: %s", (_, opened) => {
  test("the next piece begins a new message, also if it has the same role", async () => {
    const speaking = opened((turn) => {
      turn.say("1");
      turn.say("2");
      turn.endMessage();
      turn.say("3");
      turn.think("a");
      turn.endMessage();
      turn.think("b");
      turn.say("end");
    });
    expect(await messagesOf(await speaking)).toEqual([["1", "2"], ["3"], ["a"], ["b"], ["end"]]);
  });

  test("adds nothing without an open message, twice, or after the turn", async () => {
    let ended: Turn | undefined;
    const speaking = await opened((turn) => {
      ended = turn;
      turn.endMessage();
      turn.endMessage();
      turn.say("end");
      turn.endMessage();
    });
    expect(await messagesOf(speaking)).toEqual([["end"]]);
    ended?.endMessage();
    expect(speaking.diagnostics).toEqual([]);
  });

  test("half of a character that waits ends the old message", async () => {
    const speaking = opened((turn) => {
      turn.say("a\ud83d");
      turn.endMessage();
      turn.say("end");
    });
    expect(await messagesOf(await speaking)).toEqual([["a", "\ufffd"], ["end"]]);
  });
});

test("endMessage of a child session begins a new message of the child", async () => {
  const speaking = await openAs(v2Hello, {
    prompt(turn) {
      const child = turn.session.child("Look around");
      child.say("1");
      child.endMessage();
      child.say("2");
      child.idle();
      turn.say("end");
    },
  });
  expect(await messagesOf(speaking)).toEqual([["1"], ["2"], ["end"]]);
});

import { expect, it } from "vitest";
import type { ChildSession, Turn } from "../src/index.js";
import { aborted, type Frame, openAs, v2Hello } from "./raw-client.js";

const prompt = [{ type: "text", text: "go" }];

/** Opens a tool call, and lists it as background work. */
function listed(work: Pick<Turn, "toolCall">, list: Pick<ChildSession, "setBackground">) {
  const call = work.toolCall({ title: "Watch" });
  list.setBackground([{ type: "tool_call", toolCallId: call.id }]);
  return { call, done: () => list.setBackground([]) };
}

const ofTurn = (turn: Turn) => listed(turn, turn.session);

function ofChild({ session }: Turn) {
  const child = session.child("Runner");
  return listed(child, child);
}

function ofIdleChild({ session }: Turn) {
  const child = session.child("Runner");
  const work = listed(child, child);
  child.idle();
  return work;
}

it.each([
  ["a turn", ofTurn, false],
  ["a cancelled turn", ofTurn, true],
  ["a child session", ofIdleChild, false],
  ["a cancelled child session", ofChild, true],
])(
  "P-BG-03, P-BG-04: the end of a listed tool call of %s is sent before the list drops it",
  async (_, work, cancels) => {
    let started: ReturnType<typeof listed> | undefined;
    const { client, sessionId } = await openAs(v2Hello, {
      async prompt(turn) {
        started = work(turn);
        if (cancels) await aborted(turn.signal);
      },
    });
    await client.result("session/prompt", { sessionId, prompt });
    await client.next(({ params }) => params?.update?.background?.length === 1);
    if (cancels) client.cancel(sessionId);
    await client.next(({ params }) => params?.sessionId === sessionId && params.update?.state === "idle");
    started?.call.update({ title: "Watch src" });
    started?.call.append({ type: "content", content: { type: "text", text: "saved" } });
    expect(() => started?.call.append({ type: "session", sessionId: "none" } as never)).toThrow(
      "There is no session none",
    );
    started?.call.finish();
    started?.done();
    await client.next(({ params }) => params?.update?.background?.length === 0);
    const calls = client.updates().filter(({ toolCallId }) => toolCallId !== undefined) as Frame[];
    expect(calls.map(({ status, title, content }) => status ?? title ?? content.content.text)).toEqual([
      ...["pending", "Watch src", "saved", "completed"],
    ]);
  },
);

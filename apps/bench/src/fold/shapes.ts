import { createSessionState, decodeV1, reduce, type SessionEvent, type SessionState } from "@turnkit/session";
import type { Measure } from "../scenario.js";
import { chunk, type Update } from "./conversation.js";

const wall = { sessionUpdate: "tool_call", title: "Run the tests", kind: "execute", status: "completed" };

const unbounded = { stateBytes: Number.MAX_SAFE_INTEGER, entryBytes: Number.MAX_SAFE_INTEGER };

/** Three kinds of conversations for which the time of a fold could grow faster than the number of updates. */
const shapes = {
  "one long message": (index) => chunk(index, { messageId: "m" }),
  "an entry per 50 chunks": (index) =>
    index % 50 === 49
      ? { ...wall, toolCallId: `t${index}` }
      : chunk(index, { messageId: `m${Math.floor(index / 50)}` }),
  "100 messages in turn": (index) => chunk(index, { messageId: `m${index % 100}` }),
} satisfies Record<string, (index: number) => Update>;

export type Shape = keyof typeof shapes;
export const shapeNames = Object.keys(shapes) as readonly Shape[];

/** Makes, decodes and folds one update after another. Only the time of the fold is measured. */
export function measureShape(shape: Shape): Measure {
  return (size) => {
    const events: SessionEvent[] = [];
    for (let index = 0; index < size; index++) events.push(...decodeV1(shapes[shape](index)));
    global.gc?.();
    const started = performance.now();
    // Without bounds, because they would keep the state small.
    let state: SessionState = createSessionState(unbounded);
    for (const event of events) state = reduce(state, event);
    return { time: performance.now() - started };
  };
}

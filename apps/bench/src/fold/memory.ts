import { createSessionState, reduce, type SessionState, v1Codec, v2Codec } from "@turnkit/session";
import type { Measure } from "../scenario.js";
import { chunk } from "./conversation.js";

const liveBytes = (): number => {
  global.gc?.();
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
};

/** What the last state keeps alive, against the bytes of text in it. Each update is parsed from JSON, as from a wire. */
export const measureRetained: Measure = (size) => {
  const before = liveBytes();
  let state = createSessionState({ stateBytes: Number.MAX_SAFE_INTEGER });
  for (let index = 0; index < size; index++) {
    const update = JSON.parse(JSON.stringify(chunk(index, { messageId: `m${Math.floor(index / 50)}` })));
    for (const event of v1Codec.decode(update)) state = reduce(state, event);
  }
  const retained = liveBytes() - before;
  return { retained: retained / (size * 60), entries: state.timeline.length };
};

/** A terminal that says `size` MB in pieces of 4 KiB: the time, and the most that the heap held after a collection. */
export const measureOutput: Measure = (size) => {
  const pieces = (size * 1024 * 1024) / 4096;
  const before = liveBytes();
  let state: SessionState = createSessionState();
  let most = 0;
  let time = 0;
  for (let index = 0; index < pieces; index++) {
    const data = Buffer.alloc(4096, `${index} passed\r\n`).toString("base64");
    const started = performance.now();
    const update = { sessionUpdate: "terminal_output_chunk", terminalId: "t", data };
    for (const event of v2Codec.decode(update)) state = reduce(state, event);
    time += performance.now() - started;
    if (index % 2_500 === 2_499) most = Math.max(most, liveBytes() - before);
  }
  return { time, most: most / 1024 / 1024, kept: state.terminals.length };
};

import { createSessionState, decodeV1, decodeV2, reduce, type SessionState } from "@turnkit/session";
import type { Measure } from "../scenario.js";
import { chunk } from "./conversation.js";

const liveBytes = (): number => {
  global.gc?.();
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
};

/**
 * Measures the memory that the last state keeps alive, as a multiple of the bytes of its text. Each update is parsed
 * from JSON, like a received update.
 */
export const measureRetained: Measure = (size) => {
  const before = liveBytes();
  let state = createSessionState({ stateBytes: Number.MAX_SAFE_INTEGER });
  for (let index = 0; index < size; index++) {
    const update = JSON.parse(JSON.stringify(chunk(index, { messageId: `m${Math.floor(index / 50)}` })));
    for (const event of decodeV1(update)) state = reduce(state, event);
  }
  const retained = liveBytes() - before;
  return { retained: retained / (size * 60), entries: state.timeline.length };
};

/**
 * Functions that return an update of version 2 with a piece of output: bytes of a terminal, or content of a tool call.
 */
const sayings = {
  "a terminal": (text: string) => ({
    ...{ sessionUpdate: "terminal_output_chunk", terminalId: "t" },
    data: Buffer.from(text, "latin1").toString("base64"),
  }),
  "a tool call": (text: string) => ({
    ...{ sessionUpdate: "tool_call_content_chunk", toolCallId: "t" },
    content: { type: "content", content: { type: "text", text } },
  }),
};

/** Measures `size` MB of output in pieces of 4 KiB: the time, and the largest heap after a garbage collection. */
export function measureOutput(of: keyof typeof sayings): Measure {
  return (size) => {
    const pieces = (size * 1024 * 1024) / 4096;
    const before = liveBytes();
    let state: SessionState = createSessionState();
    let most = 0;
    let time = 0;
    for (let index = 0; index < pieces; index++) {
      // Parsed, because pieces of a conversation share no text.
      const text = `${index} passed\r\n`.repeat(400).slice(0, 4096);
      const update: unknown = JSON.parse(JSON.stringify(sayings[of](text)));
      const started = performance.now();
      for (const event of decodeV2(update)) state = reduce(state, event);
      time += performance.now() - started;
      if (index % 2_500 === 2_499) most = Math.max(most, liveBytes() - before);
    }
    const { stateBytes } = state.limits;
    if (state.bytes > stateBytes) throw new Error(`${state.bytes} bytes are over the bound of ${stateBytes}`);
    const kept = state.terminals.at(0)?.textBytes ?? textLength(state);
    return { time, most: most / 1024 / 1024, kept: kept / 1024 / 1024 };
  };
}

function textLength(state: SessionState): number {
  const call = state.timeline.get("tool_call:t");
  let length = 0;
  for (const item of call?.type === "tool_call" ? call.content : []) {
    const block = item.type === "content" ? item.content : undefined;
    if (block?.type === "text") length += block.text.length;
  }
  return length;
}

import type { Measure } from "../scenario.js";
import { numberOf } from "./load.js";
import { connect } from "./measure.js";

/**
 * Bound of the kept text, counted like `stateBytes`: two bytes for each UTF-16 unit, and the bytes of the block around
 * the text.
 */
const WINDOW_BYTES = 8 * 1024 * 1024;
const BLOCK_BYTES = 100;

/**
 * Measures the lowest memory of a client: the raw pipe with the newest texts in an array. It has no session, no queue
 * and no slow listener. All memory beyond the texts is garbage that V8 has not collected.
 */
export const measureRawWindow: Measure = async (count) => {
  const connected = await connect("raw pipe", "stdio");
  const texts: string[] = [];
  let bytes = 0;
  let next = 0;
  let agentRss = 0;
  let inOrder = true;
  const talk = await connected.newSession((text) => {
    if (next === count) {
      agentRss = Number(text);
      return;
    }
    if (numberOf(text) !== next++) inOrder = false;
    texts.push(text);
    bytes += BLOCK_BYTES + 2 * text.length;
    if (bytes <= WINDOW_BYTES) return;
    let dropped = 0;
    while (bytes > (WINDOW_BYTES * 3) / 4) bytes -= BLOCK_BYTES + 2 * (texts[dropped++] as string).length;
    texts.splice(0, dropped);
  });
  await talk.prompt({ kind: "chunk", count });
  const rss = process.resourceUsage().maxRSS;
  await talk.prompt({ kind: "rss", count: 1 });
  await connected.close();
  return { client: rss / 1024, agent: agentRss / 1024, missing: count - next, outOfOrder: inOrder ? 0 : 1 };
};

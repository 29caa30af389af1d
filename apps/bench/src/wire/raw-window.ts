import type { Measure } from "../scenario.js";
import { numberOf } from "./load.js";
import { connect } from "./measure.js";

/** Text of a state of 8 MiB, by the reckoning of `stateBytes`: two bytes for a unit and the block around it. */
const WINDOW_BYTES = 8 * 1024 * 1024;
const BLOCK_BYTES = 100;

/**
 * The floor of a client's memory: the raw pipe and the last texts in an array, without a session, a queue or a slow
 * listener. What it needs beyond the texts is what V8 lets lie.
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

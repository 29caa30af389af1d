import { createSessionState, reduce, v1Codec } from "@turnkit/session";
import type { Measure } from "../scenario.js";
import { conversation } from "./conversation.js";

/** Decodes and folds each update; every state between is immutable and stays valid. */
export const measure: Measure = (size) => {
  const updates = conversation(size);
  const started = performance.now();
  let state = createSessionState();
  for (const update of updates) for (const event of v1Codec.decode(update)) state = reduce(state, event);
  return { time: performance.now() - started };
};

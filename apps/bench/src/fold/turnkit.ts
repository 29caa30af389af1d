import { createSessionState, decodeV1, messageText, reduce } from "@turnkit/session";
import type { Measure } from "../scenario.js";
import { measureTwice } from "./twice.js";

/**
 * Decodes and folds each update. Every state in between is immutable and stays valid. At the end, the texts are joined
 * for drawing. The others join them after each update, and use-acp does not join them.
 */
export const measure: Measure = (size) =>
  measureTwice(size, (updates) => {
    let state = createSessionState();
    for (const update of updates) for (const event of decodeV1(update)) state = reduce(state, event);
    for (const entry of state.timeline) if (entry.type === "message") messageText(entry);
  });

import { createSessionState, reduce, v1Codec } from "@turnkit/session";
import type { Measure } from "../scenario.js";
import { measureTwice } from "./twice.js";

/** Decodes and folds each update; every state between is immutable and stays valid. */
export const measure: Measure = (size) =>
  measureTwice(size, (updates) => {
    let state = createSessionState();
    for (const update of updates) for (const event of v1Codec.decode(update)) state = reduce(state, event);
  });

import type { Dialect, DialectFrames } from "./dialect-frames.js";
import { seedFrames } from "./seed.js";
import { v1Frames } from "./v1.js";
import { v2Frames } from "./v2.js";

/** Frames of each dialect. */
export const framesByDialect: Readonly<Record<Dialect, DialectFrames>> = {
  v1: v1Frames,
  v2: v2Frames,
  seed: seedFrames,
};

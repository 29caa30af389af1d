import { seedSpeech } from "./seed.js";
import type { Dialect, Speech } from "./speech.js";
import { v1Speech } from "./v1.js";
import { v2Speech } from "./v2.js";

/** Frames of each dialect. */
export const speeches: Readonly<Record<Dialect, Speech>> = { v1: v1Speech, v2: v2Speech, seed: seedSpeech };

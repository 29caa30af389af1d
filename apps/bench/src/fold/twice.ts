import type { Found } from "../scenario.js";
import { conversation, type Update } from "./conversation.js";

const WARM_UPS = 20;

/**
 * Folds the conversation in a new process, and again after twenty short conversations, as in the process of an editor.
 * The updates are in the old generation of the heap, so only the garbage of the fold is measured.
 */
export async function measureTwice(size: number, fold: (updates: readonly Update[]) => unknown): Promise<Found> {
  const first = await measureOnce(size, fold);
  for (let round = 0; round < WARM_UPS; round++) await measureOnce(size / 10, fold);
  return { time: await measureOnce(size, fold), first };
}

async function measureOnce(size: number, fold: (updates: readonly Update[]) => unknown): Promise<number> {
  const updates = conversation(size);
  global.gc?.();
  const started = performance.now();
  await fold(updates);
  return performance.now() - started;
}

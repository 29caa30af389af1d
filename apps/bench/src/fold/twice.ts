import type { Found } from "../scenario.js";
import { conversation, type Update } from "./conversation.js";

const WARM_UPS = 20;

/**
 * Folds the conversation in a process that has just started, and once more twenty short conversations later, as in the
 * process of an editor. The updates are old to the garbage collector, so only the garbage of the fold is on the clock.
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

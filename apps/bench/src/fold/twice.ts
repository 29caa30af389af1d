import type { Found } from "../scenario.js";
import { conversation, type Update } from "./conversation.js";

const WARM_UPS = 20;

/**
 * Folds the conversation in a process that has just started, and once more when it has run for a while: twenty short
 * conversations later, as the process of an editor has. The updates are old to the garbage collector, so that only what
 * the fold makes is on the clock.
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

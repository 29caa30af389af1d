import { checkArgument } from "@turnkit/transport";

/** Random numbers that repeat for the same seed. */
export interface Random {
  /** Returns an integer from 0 to `limit - 1`. */
  below(limit: number): number;
  /** Returns true with a probability from 0 to 1. Each call uses one number of the sequence. */
  chance(probability: number): boolean;
  /** Returns one of the items. */
  pick<T>(items: readonly [T, ...T[]]): T;
}

/** Creates a generator of pseudo-random numbers. A failed test can run again with the same seed. */
export function createRandom(seed: number): Random {
  checkArgument(typeof seed === "number", "createRandom", { got: seed, remedy: "pass a number, such as 1" });
  let state = seed >>> 0;
  // mulberry32: 32 bits of state, any seed is valid.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: <T>(items: readonly [T, ...T[]]) => items[below(items.length)] as T,
  };
}

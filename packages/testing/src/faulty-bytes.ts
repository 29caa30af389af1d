import { type Channel, checkOptions, type OptionTypes } from "@turnkit/transport";
import { createByteStreamChannel } from "@turnkit/transport/channels";
import { createRandom } from "./random.js";

/** Faults to inject into a stream of bytes. */
export type ByteFaultPlan = {
  /** Seed of the random decisions. The same bytes give the same faults, whatever the size of their chunks. */
  readonly seed: number;
  /** Maximum size of the pieces in which bytes arrive, in bytes. A cut may be inside a character. */
  readonly split?: number;
  /** Probability of a change for each byte, from 0 to 1. */
  readonly garble?: number;
  /** Number of bytes after which the stream breaks. */
  readonly cutAfter?: number;
};

const PLAN: OptionTypes<Omit<ByteFaultPlan, "seed">> = { split: "number", garble: "number", cutAfter: "number" };

/**
 * Creates a stream of bytes with faults, for use between a channel and its pipe: `readable.pipeThrough(createFaultyBytes({
 * seed: 7, split: 3 }))`. With `split` alone, no byte is lost, and a correct channel receives the same messages.
 */
export function createFaultyBytes(plan: ByteFaultPlan): TransformStream<Uint8Array, Uint8Array> {
  checkOptions("createFaultyBytes", plan, { ...PLAN, seed: "any" });
  const { seed, split = Number.POSITIVE_INFINITY, garble = 0, cutAfter = Number.POSITIVE_INFINITY } = plan;
  const pieces = createRandom(seed);
  const noise = createRandom(~seed);
  let passed = 0;
  let pieceEnd = nextPieceEnd(0);

  function nextPieceEnd(from: number): number {
    return split === Number.POSITIVE_INFINITY ? split : from + 1 + pieces.below(split);
  }

  return new TransformStream({
    transform(chunk, controller) {
      const bytes =
        garble === 0 ? chunk : chunk.map((byte) => (noise.chance(garble) ? byte ^ (1 + noise.below(255)) : byte));
      let from = 0;
      while (from < bytes.length) {
        const to = Math.min(bytes.length, from + Math.min(pieceEnd, cutAfter) - passed);
        if (to > from) controller.enqueue(bytes.slice(from, to));
        passed += to - from;
        from = to;
        if (passed >= cutAfter) {
          controller.error(new Error(`The test cut the stream after ${cutAfter} bytes.`));
          return;
        }
        if (passed >= pieceEnd) pieceEnd = nextPieceEnd(passed);
      }
    },
  });
}

/** Faults of each direction of a {@link createBytePair}. */
export type BytePairFaults = { readonly toFirst?: ByteFaultPlan; readonly toSecond?: ByteFaultPlan };

/**
 * Creates two channels that exchange newline-delimited JSON in memory. Unlike a memory pair, a byte pair tests how bytes
 * are split into messages.
 */
export function createBytePair({ toFirst, toSecond }: BytePairFaults = {}): [Channel, Channel] {
  const [there, back] = [pipe(toSecond), pipe(toFirst)];
  return [
    createByteStreamChannel({ readable: back.readable, writable: there.writable }),
    createByteStreamChannel({ readable: there.readable, writable: back.writable }),
  ];
}

function pipe(plan: ByteFaultPlan | undefined): TransformStream<Uint8Array, Uint8Array> {
  return plan === undefined ? new TransformStream() : createFaultyBytes(plan);
}

import type { Channel } from "@turnkit/transport";
import { createByteStreamChannel } from "@turnkit/transport/channels";
import { createRandom } from "./random.js";

/** What is done to a stream of bytes. */
export type ByteFaultPlan = {
  /** The same seed does the same to the same bytes, however they were cut into chunks before. */
  readonly seed: number;
  /** Bytes arrive in pieces of 1 to so many, cut anywhere: inside a character too. */
  readonly split?: number;
  /** The probability of each byte, from 0 to 1, to arrive as another one. */
  readonly garble?: number;
  /** The stream breaks after so many bytes. */
  readonly cutAfter?: number;
};

/**
 * A stream of bytes that harms what passes it, to be put between a channel and its pipe:
 * `readable.pipeThrough(createFaultyBytes({ seed: 7, split: 3 }))`. With no fault but `split` nothing is lost, and a
 * channel must not notice.
 */
export function createFaultyBytes(plan: ByteFaultPlan): TransformStream<Uint8Array, Uint8Array> {
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

/** Faults of each way through a {@link createBytePair}. */
export type BytePairFaults = { readonly toFirst?: ByteFaultPlan; readonly toSecond?: ByteFaultPlan };

/**
 * Two channels joined by bytes in memory, newline-delimited JSON as over a pipe: what framing gets wrong shows here, and
 * not between two ends that hand each other objects.
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

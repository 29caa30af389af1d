import type { WirePlayer } from "@turnkit/transport/trace";

/** What is watched. */
export type StallOptions = {
  readonly player: WirePlayer;
  /** Grows with everything that comes of the log. */
  readonly progress: () => number;
  /** Whether somebody who reads slowly holds it up. */
  readonly isHeld: () => boolean;
};

/** Looks every so often, in milliseconds; nothing new at that many looks in a row is a stall. */
const LOOK_MS = 500;
const LOOKS = 4;

/**
 * Does the work, and gives up where a log waits for something that this client does not say: in one process nothing else
 * would ever end that.
 *
 * @throws Error that names what the log waits for
 */
export function unlessStalled<T>(work: Promise<T>, { player, progress, isHeld }: StallOptions): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_, reject) => {
    let [before, looks] = [progress(), 0];
    timer = setInterval(() => {
      looks = progress() === before && !isHeld() ? looks + 1 : 0;
      before = progress();
      if (looks < LOOKS) return;
      const [awaited] = player.awaited;
      const why =
        awaited === undefined ? "it ends too early" : `it waits for ${awaited}, which does not come of what was before`;
      reject(new Error(`The log cannot be played on: ${why}.`));
    }, LOOK_MS);
  });
  return Promise.race([work, stalled]).finally(() => clearInterval(timer));
}

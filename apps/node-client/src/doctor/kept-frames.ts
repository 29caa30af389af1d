import type { TapEvent } from "@turnkit/transport/trace";
import type { Frame } from "./evidence.js";

const MAX_FRAMES = 20_000;
/** Maximum size of the kept messages on the wire, in bytes. Their objects can take ten times as much memory. */
const MAX_KEPT = 16 * 1024 * 1024;
/** Number of received bytes at which the agent floods. An examination needs less than a hundredth. */
const MAX_RECEIVED = 64 * 1024 * 1024;
const MAX_NOISE = 100;

/** First messages of an examination, up to a bound, with their secrets. */
export class KeptFrames {
  readonly frames: Frame[] = [];
  /** First 100 lines on stdout that are not JSON. */
  readonly noise: string[] = [];
  /** Number of messages after the kept ones. */
  leftOut = 0;
  readonly #onFlood: () => void;
  #kept = 0;
  #received = 0;

  /** Creates an empty store. `onFlood` is called once, if more than 64 MiB arrive. */
  constructor(onFlood: () => void) {
    this.#onFlood = onFlood;
  }

  add(event: TapEvent, ms: number): void {
    if ("invalidLine" in event) {
      if (this.noise.length < MAX_NOISE) this.noise.push(event.invalidLine);
      return;
    }
    const size = ("bytes" in event && event.bytes) || 0;
    const isFlood = this.#received > MAX_RECEIVED;
    this.#received += size;
    if (!isFlood && this.#received > MAX_RECEIVED) this.#onFlood();
    const isFull = this.leftOut > 0 || this.frames.length >= MAX_FRAMES || this.#kept + size > MAX_KEPT;
    const message = isFull || !("message" in event) ? undefined : copied(event.message);
    if (message === undefined) this.leftOut += 1;
    else {
      this.#kept += size;
      this.frames.push({ ms, way: event.direction, message });
    }
  }
}

/** Returns a copy, or `undefined` for a message that is too deep for a copy. */
function copied(message: unknown): unknown {
  try {
    return structuredClone(message);
  } catch {
    return undefined;
  }
}

import type { Channel } from "@turnkit/client";

/** Message of the connection as it passed, or what the client noted about the messages before it. */
export type KeptFrame = { readonly at: number; readonly bytes: number } & (
  | { readonly direction: "sent" | "received"; readonly message: unknown }
  | { readonly invalidLine: string }
);

/** Remark of the client about a frame: it dropped something, or read it leniently. */
export type FrameNote = { readonly code: string; readonly message: string };

/** Number of frames that are kept. Older ones are forgotten. */
export const MOST_FRAMES = 5_000;
/** Size of the frames that are kept, in bytes of JSON. */
export const MOST_BYTES = 16 * 1024 * 1024;

/** Remarks about one frame that are kept. */
const MOST_NOTES = 10;

/**
 * Newest frames of the page's connections. They are objects that the page holds anyway, or will be free soon, and get no
 * copy: the packages never change a message. Secrets are left out when they are shown.
 */
export class KeptFrames {
  readonly #listeners = new Set<() => void>();
  readonly #notes = new WeakMap<KeptFrame, FrameNote[]>();
  #frames: KeptFrame[] = [];
  #bytes = 0;
  #forgotten = 0;

  /** Frames in their order, the oldest first. */
  get frames(): readonly KeptFrame[] {
    return this.#frames;
  }

  /** Number of frames that were forgotten. */
  get forgotten(): number {
    return this.#forgotten;
  }

  notesOf(frame: KeptFrame): readonly FrameNote[] {
    return this.#notes.get(frame) ?? [];
  }

  /** Calls a function after each change. Returns a function that ends these calls. */
  subscribe(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  }

  /** Returns the same channel. Its messages are kept. */
  watch(channel: Channel): Channel {
    const watched: Pick<Channel, "start" | "send"> = {
      start: (receiver) =>
        channel.start({
          message: (message, bytes) => {
            this.#add({ at: Date.now(), bytes, direction: "received", message });
            receiver.message(message, bytes);
          },
          invalidLine: (sample) => {
            this.#add({ at: Date.now(), bytes: sample.length, invalidLine: sample });
            receiver.invalidLine(sample);
          },
        }),
      send: (message) => {
        this.#add({ at: Date.now(), bytes: sizeOf(message), direction: "sent", message });
        return channel.send(message);
      },
    };
    return new Proxy(channel, {
      get(target, name) {
        if (name === "start" || name === "send") return watched[name];
        // Methods are bound to the channel, because a proxy cannot access private fields.
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }

  /** Keeps a remark with the newest frame of its method. A client makes it while it reads the frame, or soon after. */
  note({ code, message, method }: FrameNote & { readonly method?: string }): void {
    const frame = this.#frames.findLast(
      (one) => "message" in one && (method === undefined || (one.message as { method?: unknown })?.method === method),
    );
    if (frame === undefined) return;
    const notes = this.#notes.get(frame) ?? [];
    if (notes.length < MOST_NOTES) this.#notes.set(frame, [...notes, { code, message }]);
    this.#notify();
  }

  #add(frame: KeptFrame): void {
    this.#frames.push(frame);
    this.#bytes += frame.bytes;
    // A quarter is removed together, because each removal moves the other frames.
    if (this.#frames.length > MOST_FRAMES || this.#bytes > MOST_BYTES) this.#forget();
    this.#notify();
  }

  #forget(): void {
    let count = 0;
    let bytes = 0;
    const isEnough = () =>
      this.#frames.length - count <= MOST_FRAMES * 0.75 && this.#bytes - bytes <= MOST_BYTES * 0.75;
    while (count < this.#frames.length - 1 && !isEnough()) bytes += this.#frames[count++]?.bytes ?? 0;
    this.#frames = this.#frames.slice(count);
    this.#bytes -= bytes;
    this.#forgotten += count;
  }

  #notify(): void {
    for (const changed of this.#listeners) changed();
  }
}

function sizeOf(message: unknown): number {
  try {
    return JSON.stringify(message).length;
  } catch {
    // Ids beyond 2^53, which are short.
    return 0;
  }
}

import { SessionLogError } from "@turnkit/agent";
import { type Channel, textOf } from "@turnkit/transport";
import { createByteStreamChannel } from "@turnkit/transport/channels";
import { Line } from "./line.js";
import { parsed, toBytes } from "./log-message.js";
import type { Messenger } from "./messenger.js";
import type { Clock } from "./store.js";

/** Part of `ttlMs` after which a silent gateway counts as dead. */
const SILENCE = 0.8;

/** Parts of the lines of an engine. */
export type LinesParts = {
  readonly messenger: Messenger;
  readonly clock: Clock;
  readonly ttlMs: number;
  /** Returns a text that was never returned before, by any process. */
  readonly newName: () => string;
};

/** Address of an owner. An older owner of the session has another one. */
// NATS-06
export const addressOf = (name: string, key: string, epoch: number): string => `${name}-line.${key}.${epoch}`;

/** Name of one side of a line. A longer subject would end the connection to the server. */
const SIDE = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns true for a subject below an address. Frames to other subjects could be written into the log of a session. */
// NATS-06
const isSide = (address: string, to: unknown): to is string =>
  typeof to === "string" && to.startsWith(`${address}.`) && SIDE.test(to.slice(address.length + 1));

/** Request for a line, and its answer: the subject of the sender, or the reason of a refusal. */
type Hello = { readonly to?: string; readonly refused?: string };

/**
 * Opens a channel to the owner at an address.
 *
 * @param patienceMs time for the answer, in milliseconds
 * @throws SessionLogError `failed` if the owner refuses, or does not answer in time
 */
export async function callOwner(
  parts: LinesParts,
  { sessionId, address, patienceMs }: { sessionId: string; address: string; patienceMs: number },
): Promise<Channel> {
  const from = `${address}.${parts.newName()}`;
  const line = lineAt(parts, from);
  try {
    const answer = parsed(await parts.messenger.ask(address, toBytes({ to: from }), patienceMs)) as Hello;
    if (!isSide(address, answer.to))
      throw new Error(answer.refused ?? "The answer names no subject below the address.");
    line.begin(answer.to);
    return createByteStreamChannel(line);
  } catch (cause) {
    line.fail(cause as Error);
    const text = `The owner of session ${sessionId} did not take a channel: ${textOf(cause)}`;
    throw new SessionLogError("failed", text, { cause });
  }
}

/** Address of one owner, and its channels to other gateways. */
export class OwnerLines {
  readonly #parts: LinesParts;
  readonly #address: string;
  readonly #channels = new Set<Channel>();
  readonly #stopListening: () => void;
  #handler: ((channel: Channel) => void) | undefined;

  constructor(parts: LinesParts, address: string) {
    this.#parts = parts;
    this.#address = address;
    this.#stopListening = parts.messenger.listen(address, (data, answer) => answer(toBytes(this.#take(data))));
  }

  onConnect(handler: (channel: Channel) => void): void {
    this.#handler = handler;
  }

  /** Takes no more channels. Those that are open stay open. */
  stop(): void {
    this.#stopListening();
  }

  /** Closes all channels, after their sent messages. */
  close(): void {
    this.stop();
    for (const channel of this.#channels) void channel.close();
  }

  #take(data: Uint8Array): Hello {
    const from = `${this.#address}.${this.#parts.newName()}`;
    const line = lineAt(this.#parts, from);
    try {
      const { to } = parsed(data) as Hello;
      if (this.#handler === undefined) throw new Error("The owner takes no channels yet.");
      if (!isSide(this.#address, to)) throw new Error("The request names no subject below the address.");
      line.begin(to);
      const channel = createByteStreamChannel(line);
      this.#handler(channel);
      this.#channels.add(channel);
      void channel.closed.then(() => this.#channels.delete(channel));
      return { to: from };
    } catch (error) {
      line.fail(error as Error);
      return { refused: textOf(error) };
    }
  }
}

const lineAt = ({ messenger, clock, ttlMs }: LinesParts, from: string): Line =>
  new Line({ messenger, clock, from, silenceMs: ttlMs * SILENCE });

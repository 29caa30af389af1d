import { SessionLogError } from "@turnkit/agent";
import { type Channel, textOf } from "@turnkit/transport";
import { createByteStreamChannel } from "@turnkit/transport/channels";
import { parsed, toBytes } from "./log-message.js";
import type { Messenger } from "./messenger.js";
import type { Clock } from "./store.js";
import { Tunnel } from "./tunnel.js";

/** Part of `ttlMs` after which a silent gateway counts as dead. */
const SILENCE = 0.8;

/** Parts of the tunnels of an engine. */
export type TunnelsParts = {
  readonly messenger: Messenger;
  readonly clock: Clock;
  readonly ttlMs: number;
  /** Returns a new name that is unique in all processes. */
  readonly newName: () => string;
};

/** Address of an owner. Each owner of a session has its own address. */
// NATS-06
export const addressOf = (name: string, key: string, epoch: number): string => `${name}-tunnel.${key}.${epoch}`;

/** Name of one side of a tunnel. A longer subject would end the connection to the server. */
const SIDE = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns true for a subject below an address. Frames to other subjects could be written into the log of a session. */
// NATS-06
const isSide = (address: string, to: unknown): to is string =>
  typeof to === "string" && to.startsWith(`${address}.`) && SIDE.test(to.slice(address.length + 1));

/** Request for a tunnel, or its answer: the subject of the sender, or the reason of a refusal. */
type Hello = { readonly to?: string; readonly refused?: string };

/**
 * Opens a channel to the owner at an address.
 *
 * @param patienceMs time for the answer, in milliseconds
 * @throws SessionLogError `failed` if the owner refuses, or does not answer in time
 */
export async function callOwner(
  parts: TunnelsParts,
  { sessionId, address, patienceMs }: { sessionId: string; address: string; patienceMs: number },
): Promise<Channel> {
  const from = `${address}.${parts.newName()}`;
  const tunnel = tunnelAt(parts, from);
  try {
    const answer = parsed(await parts.messenger.ask(address, toBytes({ to: from }), patienceMs)) as Hello;
    if (!isSide(address, answer.to))
      throw new Error(answer.refused ?? "The answer names no subject below the address.");
    tunnel.begin(answer.to);
    return createByteStreamChannel(tunnel);
  } catch (cause) {
    tunnel.fail(cause as Error);
    const text = `The owner of session ${sessionId} did not take a channel: ${textOf(cause)}`;
    throw new SessionLogError("failed", text, { cause });
  }
}

/** Address of one owner, and its channels to other gateways. */
export class OwnerTunnels {
  readonly #parts: TunnelsParts;
  readonly #address: string;
  readonly #channels = new Set<Channel>();
  readonly #stopListening: () => void;
  #handler: ((channel: Channel) => void) | undefined;

  constructor(parts: TunnelsParts, address: string) {
    this.#parts = parts;
    this.#address = address;
    this.#stopListening = parts.messenger.listen(address, (data, answer) => answer(toBytes(this.#take(data))));
  }

  onConnect(handler: (channel: Channel) => void): void {
    this.#handler = handler;
  }

  /** Refuses further channels. Open channels stay open. */
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
    const tunnel = tunnelAt(this.#parts, from);
    try {
      const { to } = parsed(data) as Hello;
      if (this.#handler === undefined) throw new Error("The owner takes no channels yet.");
      if (!isSide(this.#address, to)) throw new Error("The request names no subject below the address.");
      tunnel.begin(to);
      const channel = createByteStreamChannel(tunnel);
      this.#handler(channel);
      this.#channels.add(channel);
      void channel.closed.then(() => this.#channels.delete(channel));
      return { to: from };
    } catch (error) {
      tunnel.fail(error as Error);
      return { refused: textOf(error) };
    }
  }
}

const tunnelAt = ({ messenger, clock, ttlMs }: TunnelsParts, from: string): Tunnel =>
  new Tunnel({ messenger, clock, from, silenceMs: ttlMs * SILENCE });

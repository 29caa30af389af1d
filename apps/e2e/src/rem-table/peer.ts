import type { Channel } from "@turnkit/transport";
import { ScriptedSide } from "./scripted-side.js";

/** Settings that a row needs. A peer ignores those that it does not have. */
export type PeerSettings = {
  readonly keepAliveMs?: number;
  readonly graceMs?: number;
  /** Principals by bearer token. */
  readonly tokens?: Readonly<Record<string, string>>;
  readonly origins?: readonly string[];
  /** Cookies that the host in front of the server sets on every answer. */
  readonly cookies?: readonly string[];
  readonly tls?: boolean;
  /** Characters that wait on a connection until the agent waits. */
  readonly unread?: number;
  /** Time that an agent waits at this bound. */
  readonly stalledMs?: number;
  /** Messages that stay available for a resume. */
  readonly retained?: number;
};

/** A server under test: its ports, and the agent's side of each connection. */
export type Peer = {
  readonly name: string;
  readonly http1: number;
  readonly http2: number;
  readonly sides: readonly ScriptedSide[];
  /** Listens on all interfaces without a decision about requests. Absent if the server has no port of its own. */
  readonly listenBeyond?: () => Promise<string>;
  /** Closes the server, not its ports. */
  shutDown(): Promise<void>;
  close(): Promise<void>;
};

export type StartPeer = (settings: PeerSettings) => Promise<Peer>;

/** Path of every server. */
export const PATH = "/acp";

/** Returns a list of sides, and the function that serves a new one. */
export function createSides(): { readonly sides: ScriptedSide[]; serve(channel: Channel): ScriptedSide } {
  const sides: ScriptedSide[] = [];
  return {
    sides,
    serve(channel) {
      const side = new ScriptedSide(channel);
      sides.push(side);
      return side;
    },
  };
}

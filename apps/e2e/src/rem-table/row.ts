import type { Peer, PeerSettings } from "./peer.js";
import type { Wire } from "./raw-request.js";
import type { RawSide } from "./raw-side.js";

/**
 * Source of a requirement.
 *
 * - `RFD`: the accepted text of the transport.
 * - `SDK`: the text is silent, and the official SDK does it.
 * - `draft`: a proposal that is not accepted.
 * - `ours`: turnkit adds it.
 */
export type Source = "RFD" | "SDK" | "draft" | "ours";

/** The server that is observed, and raw clients of it. */
export type Stand = {
  readonly peer: Peer;
  readonly raw: RawSide;
  /** Everything that the console printed during the run. */
  log(): string;
  /** Waits for a condition that should hold. Returns whether it holds. */
  soon(condition: () => boolean): Promise<boolean>;
  /** Another client of the same server. */
  readonly other: RawSide;
};

/** One observation from outside a server. */
export type Row = {
  /** Requirement. */
  readonly id: string;
  readonly source: Source;
  /** The requests, and the part of the answers that is read. */
  readonly what: string;
  /** Observation that the requirement asks for. */
  readonly expected: string;
  readonly settings?: PeerSettings;
  readonly wire?: Wire;
  /** `true` if the peer has no such part, so that the row does not apply to it. */
  readonly isAbsent?: (peer: Peer) => boolean;
  readonly observe: (stand: Stand) => Promise<string>;
};

/** Joins observations. */
export const list = (...values: readonly unknown[]): string => values.map(String).join(", ") || "nothing";

/** Waits for a condition. Returns whether it holds. */
export async function within(ms: number, condition: () => boolean): Promise<boolean> {
  const until = performance.now() + ms;
  while (!condition() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 5));
  return condition();
}

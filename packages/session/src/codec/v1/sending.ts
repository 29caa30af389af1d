import type { Sent, Sending as Shared } from "../fallback/sending.js";

/**
 * Messages with another id on the wire than their own, by their key in the timeline. Version 1 cannot take back sent
 * text, so a rewritten message continues under a new id.
 */
export type Renamed = Sent<{ readonly wireId: string; readonly times: number }>;

/** State of one version 1 encoder, shared by its parts. */
export type Sending = Shared & {
  readonly renamed: Renamed;
  /** Tool calls that the peer has seen. */
  readonly toolCalls: Sent<true>;
};

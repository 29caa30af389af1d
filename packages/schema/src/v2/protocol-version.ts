import { integer, type Schema } from "../vocabulary.js";

/**
 * A major version of the protocol; this folder is `2`.
 * @see V2-INIT-01
 */
export type ProtocolVersion = number;
/** Validates a {@link ProtocolVersion}. */
export const protocolVersion: Schema<ProtocolVersion> = integer(0, 0xffff);

import { type Diagnostic, reporter } from "@turnkit/transport";
import { serverBounds } from "../wire/bounds.js";
import { MAX_BODY_BYTES } from "../wire/limits.js";
import { Account, arrivalLimits } from "./account.js";
import type { Principal, RemoteLimits, RemoteServerOptions, RetentionOptions } from "./server-options.js";

/** Intervals of keep-alive after which a silent reader counts as dead. */
const SILENT_INTERVALS = 5;

/** Options of a server with their defaults. */
export type Settings = {
  readonly keepAliveMs: number;
  readonly deadMs: number;
  readonly graceMs: number;
  /** Absent if the server does not offer resumption. */
  readonly retention: RetentionOptions | undefined;
  readonly limits: RemoteLimits;
  /** `true` with `authorize`. Otherwise all clients have the same principal, which has no bounds of its own. */
  readonly hasPrincipals: boolean;
  /** Bytes of all bodies that are being received. */
  readonly reading: Account;
  /** Characters of all messages that wait, or are kept. */
  readonly held: Account;
  readonly report: (diagnostic: Diagnostic) => void;
};

const Mi = 1024 * 1024;

const RETENTION: RetentionOptions = { messages: 1_000, seconds: 300, characters: 4 * Mi };

const LIMITS: RemoteLimits = {
  bodyBytes: MAX_BODY_BYTES,
  bodyMs: 75_000,
  readingBytes: 256 * Mi,
  initializeMs: 30_000,
  authorizeMs: 30_000,
  authorizing: 10_000,
  closeMs: 15_000,
  connections: 10_000,
  connectionsOfPrincipal: 1_000,
  sessions: 1_024,
  openRequests: 10_000,
  streamCharacters: 16 * Mi,
  connectionCharacters: 64 * Mi,
  requestCharacters: 64 * Mi,
  principalCharacters: 256 * Mi,
  serverCharacters: 1024 * Mi,
  stalledMs: 60_000,
};

/**
 * Returns the settings of a server.
 *
 * @throws TypeError for an unknown bound, and for a time or bound that is not a number
 */
export function settingsOf<P extends Principal>(options: RemoteServerOptions<P>): Settings {
  const { keepAliveMs = 15_000, graceMs = 60_000, resumption = {}, limits = {}, onDiagnostic } = options;
  const bounds = serverBounds("createRemoteServer limits", limits, LIMITS);
  const { readingBytes, bodyBytes, serverCharacters, principalCharacters } = bounds;
  const hasPrincipals = options.authorize !== undefined;
  const reading = arrivalLimits(readingBytes, bodyBytes);
  return {
    keepAliveMs,
    deadMs: keepAliveMs * SILENT_INTERVALS,
    graceMs,
    retention: resumption === false ? undefined : serverBounds("createRemoteServer resumption", resumption, RETENTION),
    limits: bounds,
    hasPrincipals,
    reading: new Account(hasPrincipals ? reading : { all: readingBytes, each: readingBytes }),
    held: new Account({ all: serverCharacters, each: hasPrincipals ? principalCharacters : serverCharacters }),
    report: reporter(onDiagnostic),
  };
}

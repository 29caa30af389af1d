import type { Implementation, StateLimits } from "@turnkit/session";
import type { ConnectionLimits, Diagnostic } from "@turnkit/transport";
import type { Elicitations } from "./elicitations.js";
import type { FileHandlers } from "./host/file-routes.js";
import type { TerminalHandlers } from "./host/terminal-routes.js";
import type { OutgoingContracts } from "./outgoing-contracts.js";
import type { PermissionPolicy } from "./permissions.js";
import type { WhilePrompting } from "./session.js";

/** What a client is and offers. Capabilities are derived from the members that exist. */
export type ClientOptions = {
  /** Name and version of the program that speaks to the agent. */
  readonly info: Implementation;
  /**
   * Leaves out of a version 2 hello what only agents of version 1 and of older drafts read. They then take this client
   * for one that offers nothing. Unless said otherwise it is left out only where nothing but one dialect is spoken.
   */
  readonly omitLegacyFields?: boolean;
  /** Decides permission questions. Absent: every question waits in the state for `session.answer`. */
  readonly permissions?: PermissionPolicy;
  /** What happens to a prompt of a session that has an open turn; `queue` unless said otherwise. */
  readonly whilePrompting?: WhilePrompting;
  /**
   * How long an agent may take to end a turn that was cancelled, in milliseconds: then the turn ends as `cancelled`,
   * without confirmation. So long `session.close()` waits for the agent, too. 30 000 unless said otherwise, which is more
   * than agents take that are well; `Infinity` for no limit.
   */
  readonly cancelGraceMs?: number;
  /**
   * Questions of the agent for the person, by form or by URL, as `createElicitations` or a broker makes it of handlers;
   * what is present is advertised. A handler that returns `undefined` leaves them in the state for `session.answer`.
   */
  readonly elicitations?: Elicitations;
  /**
   * Whether the agent may offer logins on a terminal. Say so only where the agent can be started once more, just as it was
   * for this connection, where the person sees it and can type: see `loginOnTerminal` in `./node`. Rarely so for an agent
   * on another machine.
   */
  readonly terminalLogin?: boolean;
  /** Files for the agent (version 1); present means advertised. `./node` has one limited to the session's roots. */
  readonly files?: FileHandlers;
  /** Terminals for the agent (version 1); present means advertised. `./node` has one. */
  readonly terminals?: TerminalHandlers;
  /**
   * Requests and notifications of one's own; names begin with `_`. What a handler returns is the answer; an `RpcError`
   * that it throws is the answer too. They are called at receipt, in no session's order.
   */
  readonly extensions?: Readonly<Record<`_${string}`, (params: unknown, signal: AbortSignal) => unknown>>;
  /**
   * Requests and notifications of every other method: whatever neither the agent's version of the protocol, as far as
   * there are hosts for it, nor `extensions` has. As raw as those. Throw `RpcError.methodNotFound(method)` for what is
   * unknown here too.
   */
  readonly fallback?: (method: string, params: unknown, signal: AbortSignal) => unknown;
  /**
   * Arrays of messages, which older agents may send: refused with `-32600` as a whole unless this says `unpack`; then
   * their entries are handled in order, as if each had come alone.
   */
  readonly batches?: "refuse" | "unpack";
  /** Bounds of the connection and of every session's state. The README has a table of all bounds and their outcomes. */
  readonly limits?: Partial<ConnectionLimits> & Partial<StateLimits>;
  /**
   * Features of one's own, under names that hold a domain: `{ "example.com": { undo: true } }`. Agents find them in
   * `_meta` of the capabilities; what the agent has of the kind is in `peer.capabilities._meta`. Look before use.
   */
  readonly customCapabilities?: { readonly [domain: `${string}.${string}`]: unknown };
  /**
   * What new `_meta` of a session, a tool call or a terminal does to what was there: `patch` changes it key by key, as
   * version 2 means it; `replace` takes the place of it, for agents that send it whole. `patch` unless said otherwise.
   */
  readonly metaMode?: "patch" | "replace";
  /** Checks everything that is sent against these schemas, `outgoingContracts` as a rule; for tests and debugging. */
  readonly validateOutgoing?: OutgoingContracts;
  /** Receives what is worth a log line: invalid lines, dropped updates, failing listeners. It never gets params or results. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
};

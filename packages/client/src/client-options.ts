import type { Implementation, StateLimits } from "@turnkit/session";
import type { ConnectionLimits, Diagnostic } from "@turnkit/transport";
import type { Elicitations } from "./elicitations.js";
import type { FileHandlers } from "./host/files.js";
import type { TerminalHandlers } from "./host/terminals.js";
import type { OutgoingContracts } from "./outgoing-contracts.js";
import type { PermissionPolicy } from "./permissions.js";
import type { WhilePrompting } from "./session.js";

/** Options of a client. Capabilities are derived from the members that exist. */
export type ClientOptions = {
  /** Name and version of the program that speaks to the agent. */
  readonly info: Implementation;
  /**
   * Leaves out fields of a version 2 `initialize` that only agents of version 1 and of older drafts read. Those agents
   * then see a client without capabilities.
   * @defaultValue `true` if only one dialect is spoken, otherwise `false`
   */
  readonly omitLegacyFields?: boolean;
  /**
   * Decides permission questions. Absent: every question waits in the state for `session.answer`, and the first is
   * reported as `unanswered`. An interface that answers there passes `() => undefined`.
   */
  readonly permissions?: PermissionPolicy;
  /**
   * Treatment of a new prompt while the session has an open turn.
   * @defaultValue `"queue"`
   */
  readonly whilePrompting?: WhilePrompting;
  /**
   * Time in milliseconds that an agent has to end a cancelled turn; then the turn ends as `cancelled`, without
   * confirmation. `session.close()` waits for the agent equally long. `Infinity` for no limit.
   * @defaultValue 30 000
   */
  readonly cancelGraceMs?: number;
  /**
   * Handlers of questions for the person, by form or by URL, made by `createElicitations` or
   * `createElicitationBroker`. Their modes are advertised. A handler that returns `undefined` leaves the question in
   * the state for `session.answer`.
   */
  readonly elicitations?: Elicitations;
  /**
   * Advertises logins on a terminal. Set it only if the same command can be started again on a terminal that the
   * person sees and can type on: see `loginOnTerminal` in `./node`. Agents on another machine rarely qualify.
   */
  readonly terminalLogin?: boolean;
  /**
   * Files for the agent. Only version 1 has them: with an agreement on another version they are reported as
   * `unused_option`. They are advertised if present. `./node` has a host that is limited to the roots
   * of the session.
   */
  readonly files?: FileHandlers;
  /**
   * Terminals for the agent. Only version 1 has them: with an agreement on another version they are reported as
   * `unused_option`. They are advertised if present. `./node` has a host.
   */
  readonly terminals?: TerminalHandlers;
  /**
   * Handlers of custom requests and notifications; names begin with `_`. The result of a handler, or the `RpcError`
   * that it throws, is the answer. Handlers run at receipt, in no order of sessions.
   */
  readonly extensions?: Readonly<Record<`_${string}`, (params: unknown, signal: AbortSignal) => unknown>>;
  /**
   * Handler of every method that has no other handler. It gets raw params. Throw `RpcError.methodNotFound(method)` for
   * an unknown method.
   */
  readonly fallback?: (method: string, params: unknown, signal: AbortSignal) => unknown;
  /**
   * Treatment of arrays of messages, which older agents may send. `refuse`: the array is answered with `-32600`.
   * `unpack`: its entries are handled in order, like single messages.
   * @defaultValue `"refuse"`
   */
  readonly batches?: "refuse" | "unpack";
  /**
   * Bounds of the connection and of the state of every session. The reference page lists all bounds and their outcomes.
   */
  readonly limits?: Partial<ConnectionLimits> & Partial<StateLimits>;
  /**
   * Custom features, under names that contain a domain: `{ "example.com": { undo: true } }`. Agents find them in
   * `_meta` of the capabilities. Custom features of the agent are in `peer.capabilities._meta`: check them before use.
   */
  readonly customCapabilities?: { readonly [domain: `${string}.${string}`]: unknown };
  /**
   * Treatment of new `_meta` of a session, a tool call or a terminal. `patch` merges it by key, as version 2
   * specifies. `replace` replaces the earlier `_meta`, for agents that send it whole.
   * @defaultValue `"patch"`
   */
  readonly metaMode?: "patch" | "replace";
  /** Validates everything that is sent against these schemas, usually `outgoingContracts`. For tests and debugging. */
  readonly validateOutgoing?: OutgoingContracts;
  /**
   * Receives log-worthy problems: invalid lines, dropped updates, failing listeners. Diagnostics never contain params
   * or results.
   *
   * @defaultValue `console.error` for mistakes of the program, each message once: listeners and handlers that failed,
   *   options without effect, questions that nobody answers. All others are dropped.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
};

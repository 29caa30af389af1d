import type { Implementation, StateLimits } from "@turnkit/session";
import type { ConnectionLimits, Diagnostic } from "@turnkit/transport";
import type { Elicitations } from "./elicitations.js";
import type { FileHandlers } from "./host/files.js";
import type { TerminalHandlers } from "./host/terminals.js";
import type { OutgoingContracts } from "./outgoing-contracts.js";
import type { PermissionPolicy } from "./permissions.js";
import type { WhilePrompting } from "./session.js";

/** Options of a client. The client derives its capabilities from the handlers that exist. */
export type ClientOptions = {
  /** Name and version of the program that uses this client. */
  readonly info: Implementation;
  /**
   * Omits fields of a version 2 `initialize` that only agents of version 1 and of older drafts read. Without these fields,
   * such agents see no capabilities of the client.
   * @defaultValue `true` with only one dialect, otherwise `false`
   */
  readonly omitLegacyFields?: boolean;
  /**
   * Decides permission questions. Without this policy, every question waits in the state for `session.answer`, and the
   * first question is reported as `unanswered`. If your interface calls `session.answer`, pass `() => "wait"` to prevent
   * this report.
   */
  readonly permissions?: PermissionPolicy;
  /**
   * Handling of a new prompt during an open turn of the session.
   * @defaultValue `"queue"`
   */
  readonly whilePrompting?: WhilePrompting;
  /**
   * Sends an idempotency key with each prompt in version 2. Use `false` for an agent that refuses unknown members.
   * @defaultValue `true`
   */
  readonly promptKeys?: boolean;
  /**
   * Time for the agent to end a cancelled turn, in milliseconds. After this time the turn ends as `cancelled`, without
   * confirmation. `session.close()` waits for the agent for the same time. `Infinity` sets no limit.
   * @defaultValue 30 000
   */
  readonly cancelGraceMs?: number;
  /**
   * Handlers of questions to a person, by form or by URL. `createElicitations` or `createElicitationBroker` makes them. The
   * client advertises their modes. If a handler returns `"wait"`, the question waits in the state for `session.answer`.
   */
  readonly elicitations?: Elicitations;
  /**
   * Advertises logins on a terminal. Set this option only if your program can start the agent's command again on a terminal
   * that the person can use. `loginOnTerminal` of `./node` does that. An agent on another machine rarely allows such a
   * start.
   */
  readonly terminalLogin?: boolean;
  /**
   * Files for the agent, advertised if present. Only version 1 uses them. With an agent of another version, the client
   * reports `unused_option`. `./node` has a host that allows only files inside the session's roots.
   */
  readonly files?: FileHandlers;
  /**
   * Terminals for the agent, advertised if present. Only version 1 uses them. With an agent of another version, the client
   * reports `unused_option`. `./node` has a host.
   */
  readonly terminals?: TerminalHandlers;
  /**
   * Handlers of custom requests and notifications, by method. `createExtension` makes handlers that check their params and
   * result. The agent gets the result of a handler, or the `RpcError` that the handler throws. Handlers run when a message
   * is received, and do not wait for listeners. A handler of a method of the protocol is not used, and is reported as
   * `unused_option`.
   */
  readonly extensions?: Readonly<Record<string, (params: unknown, signal: AbortSignal) => unknown>>;
  /**
   * Handler of all methods without another handler. The params are not validated. Throw `RpcError.methodNotFound(method)`
   * for an unknown method.
   */
  readonly fallback?: (method: string, params: unknown, signal: AbortSignal) => unknown;
  /**
   * Handling of JSON arrays of messages, which older agents may send.
   *
   * - `refuse`: the client answers the array with `-32600`.
   * - `unpack`: the client handles the messages of the array in order, as separate messages.
   * @defaultValue `"refuse"`
   */
  readonly batches?: "refuse" | "unpack";
  /**
   * Bounds of the connection and of the state of every session. The reference page lists all bounds and their outcomes.
   */
  readonly limits?: Partial<ConnectionLimits> & Partial<StateLimits>;
  /**
   * Custom features of the client, sent in `_meta` of its capabilities. Each name contains a domain, as in `{
   * "example.com": { undo: true } }`. The agent's own custom features are in `peer.capabilities._meta`.
   */
  readonly customCapabilities?: { readonly [domain: `${string}.${string}`]: unknown };
  /**
   * Handling of new `_meta` of a session, a tool call or a terminal.
   *
   * - `patch` merges the keys into the earlier `_meta`, as version 2 specifies.
   * - `replace` replaces the earlier `_meta`, for agents that always send the whole `_meta`.
   * @defaultValue `"patch"`
   */
  readonly metaMode?: "patch" | "replace";
  /**
   * Meaning of `null` as the sender or recipient of a message between sessions.
   *
   * - `clear` removes the sender or recipient, as the protocol specifies.
   * - `keep` changes nothing, for agents of version 1 on the schema 1.24 or older (SDK 1.5).
   * @defaultValue `"clear"`
   */
  readonly nullSessionIds?: "clear" | "keep";
  /**
   * Schemas for all messages that the client sends, usually `outgoingContracts`. A call throws if its message does not fit.
   * For tests and debugging.
   */
  readonly validateOutgoing?: OutgoingContracts;
  /**
   * Receives problems for a log: invalid lines, dropped updates, failing listeners. A diagnostic never contains params or
   * results.
   *
   * @defaultValue A function that writes to `console.error`:
   *
   * - each mistake of the program once, such as failed listeners and handlers, options without effect, and questions that
   *   nobody answers
   * - the first message of each kind that is lost by a fault of the agent
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
};

import type { StateLimits } from "@turnkit/session";
import type { Loss } from "@turnkit/session/codec";
import type { Channel, CloseReason, ConnectionLimits, Diagnostic } from "@turnkit/transport";
import type { AgentHandlers } from "./agent-handlers.js";
import type { CallLimits } from "./call-order.js";
import type { Dialect } from "./driver/driver.js";
import { seedDialect } from "./driver/seed.js";
import { v1Dialect } from "./driver/v1.js";
import { v2Dialect } from "./driver/v2.js";
import type { OutgoingContracts } from "./outgoing-contracts.js";
import { ServedConnection } from "./served.js";

/** How one connection is served. */
export type ServeOptions = {
  /** Bounds of the connection, of calls that wait for their session, and of the state that is kept of each session. */
  readonly limits?: Partial<ConnectionLimits> & Partial<CallLimits> & Partial<StateLimits>;
  /**
   * How long a cancelled turn may take to clean up before it is ended and muted; 10 000 ms unless said otherwise,
   * `Infinity` for as long as it takes.
   */
  readonly cancelGraceMs?: number;
  /**
   * Checks everything that is sent against these schemas, `outgoingContracts` as a rule, and throws at whoever sends it;
   * for tests and debugging.
   */
  readonly validateOutgoing?: OutgoingContracts;
  /**
   * Arrays of messages, which older clients may send: refused with `-32600` as a whole unless this says `unpack`; then
   * their entries are handled in order, as if each had come alone.
   */
  readonly batches?: "refuse" | "unpack";
  /** What is worth a log line and nobody's failed call. It never holds params, results or prompts. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
  /**
   * Something could not be said in the client's dialect; `losses` lists all that can happen.
   * `sessionId` is there where it is about one session.
   */
  readonly onLoss?: (loss: Loss, sessionId: string | undefined) => void;
};

/** One connection being served. */
export interface AgentConnection extends AsyncDisposable {
  /**
   * Settles when the connection ended and its sessions were cleaned up, or that took longer than `cancelGraceMs`. Never
   * rejects.
   */
  readonly closed: Promise<CloseReason>;
  /**
   * Cancels all turns, waits for their ends, sends what waits, closes. A turn that does not end is ended after `graceMs`
   * (`cancelGraceMs` unless said otherwise); its prompt is answered in any case.
   */
  close(graceMs?: number): Promise<void>;
}

/**
 * An agent, ready to serve any number of connections. Each is served in the dialect of its client: version 1, version 2
 * or the older draft of version 2 (`seed`), with the same handlers.
 */
export interface Agent {
  /**
   * Serves a client at once. Sessions belong to the connection that opened them: another one does not know them.
   *
   * @throws AcpError `state` for a channel that has a connection already, which goes on
   */
  serve(channel: Channel, options?: ServeOptions): AgentConnection;
}

/**
 * Makes an agent out of handlers. It speaks the protocol correctly by itself: answers leave after the updates they
 * follow, a cancelled turn ends as `cancelled`, capabilities are those of the handlers that exist.
 *
 * @throws TypeError for login methods of type `agent` without a `login` handler, and for a log without its `keep`
 *
 * @example
 * const agent = createAgent({
 *   info: { name: "echo", version: "1.0.0" },
 *   newSession() {},
 *   prompt: (turn) => turn.say(turn.prompt[0]?.type === "text" ? turn.prompt[0].text : "?"),
 * });
 */
export function createAgent<S = undefined>(handlers: AgentHandlers<S>): Agent {
  return createAgentWith(allDialects, handlers);
}

/** Everything that turnkit speaks, the newest first. Version 2 is a draft. */
export const allDialects: readonly Dialect[] = [v2Dialect, seedDialect, v1Dialect];

/**
 * The same as {@link createAgent} in these dialects alone; a bundle has only those that it names. A client that asks for
 * a lower version than all of them gets the error `-32022`.
 *
 * @throws as `createAgent` does
 *
 * @example
 * const agent = createAgentWith([v1Dialect], { info: { name: "echo", version: "1.0.0" }, newSession() {}, prompt() {} });
 */
export function createAgentWith<S = undefined>(dialects: readonly Dialect[], handlers: AgentHandlers<S>): Agent {
  if (handlers.authMethods?.some((method) => method.type === "agent") && handlers.login === undefined) {
    throw new TypeError("createAgent: authMethods of type agent need a login handler.");
  }
  if (handlers.log !== undefined && handlers.log.keep === undefined) {
    throw new TypeError("createAgent: the log has no `keep`. Set it to keepSessions of @turnkit/agent.");
  }
  return {
    serve(channel, options = {}) {
      const served = new ServedConnection({ dialects, handlers }, channel, options);
      const close = (graceMs?: number): Promise<void> => served.close(graceMs);
      return { closed: served.closed, close, [Symbol.asyncDispose]: () => close() };
    },
  };
}

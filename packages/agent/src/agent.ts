import type { Channel, CloseReason } from "@turnkit/transport";
import type { AgentHandlers } from "./agent-handlers.js";
import type { Dialect } from "./driver/driver.js";
import { seedDialect } from "./driver/seed.js";
import { v1Dialect } from "./driver/v1.js";
import { v2Dialect } from "./driver/v2.js";
import type { ServeOptions } from "./serve-options.js";
import { ServedConnection } from "./served.js";

/** Connection that is being served. */
export interface AgentConnection extends AsyncDisposable {
  /**
   * Settles when the connection has ended and its sessions are cleaned up, or the clean-up took longer than `cancelGraceMs`.
   * Never rejects.
   */
  readonly closed: Promise<CloseReason>;
  /**
   * Cancels all turns, waits for their ends, sends waiting messages and closes. A turn that does not end is ended after
   * `graceMs`. Every prompt is answered.
   *
   * @param graceMs defaults to `cancelGraceMs`
   */
  close(graceMs?: number): Promise<void>;
}

/**
 * Agent that serves any number of connections. Each is served in the dialect of its client, with the same handlers: version
 * 1, version 2 or the older draft of version 2 (`seed`).
 */
export interface Agent {
  /**
   * Serves a client at once. Sessions belong to the connection that opened them and are unknown to others.
   *
   * @throws AcpError `state` for a channel that has a connection already; that connection goes on
   * @throws TypeError for a value that is no channel
   */
  serve(channel: Channel, options?: ServeOptions): AgentConnection;
}

/**
 * Creates an agent from handlers. The agent keeps the rules of the protocol by itself: answers are sent after earlier
 * updates, a cancelled turn ends as `cancelled`, and capabilities follow from the handlers that exist.
 *
 * @throws TypeError for login methods of type `agent` without a `login` handler, for a log without its `keep`, and for
 * `onDiagnostic` or `onLoss`, which are options of {@link Agent.serve}
 *
 * @example
 * const agent = createAgent({
 *   info: { name: "echo", version: "1.0.0" },
 *   prompt: (turn) => turn.say(turn.prompt[0]?.type === "text" ? turn.prompt[0].text : "?"),
 * });
 */
export function createAgent<S = undefined>(handlers: AgentHandlers<S>): Agent {
  return createAgentWith(allDialects, handlers);
}

/** All dialects, the newest first. Version 2 is a draft. */
export const allDialects: readonly Dialect[] = [v2Dialect, seedDialect, v1Dialect];

/**
 * Creates an agent like {@link createAgent} that speaks only these dialects. A bundle holds only the dialects that it names.
 * A client that asks for a lower version than all of them gets the error `-32022`.
 *
 * @throws as `createAgent` does
 *
 * @example
 * const agent = createAgentWith([v1Dialect], { info: { name: "echo", version: "1.0.0" }, prompt() {} });
 */
export function createAgentWith<S = undefined>(dialects: readonly Dialect[], handlers: AgentHandlers<S>): Agent {
  if (handlers.authMethods?.some((method) => method.type === "agent") && handlers.login === undefined) {
    throw new TypeError("createAgent: authMethods of type agent need a login handler.");
  }
  if (handlers.log !== undefined && handlers.log.keep === undefined) {
    throw new TypeError("createAgent: the log has no `keep`. Set it to keepSessions of @turnkit/agent.");
  }
  const misplaced = LISTENERS.find((name) => (handlers as ServeOptions)[name] !== undefined);
  if (misplaced !== undefined) {
    throw new TypeError(`createAgent: ${misplaced} is an option of \`serve\` and of \`serveStdio\`: pass it there.`);
  }
  return {
    serve(channel, options = {}) {
      mustBeChannel(channel);
      const served = new ServedConnection({ dialects, handlers }, channel, options);
      const close = (graceMs?: number): Promise<void> => served.close(graceMs);
      return { closed: served.closed, close, [Symbol.asyncDispose]: () => close() };
    },
  };
}

/** @throws TypeError for a value that is no channel, which only callers without types can pass */
function mustBeChannel(channel: Partial<Channel> | null | undefined): void {
  if (typeof channel?.start === "function" && typeof channel.send === "function" && channel.closed != null) return;
  const hint =
    typeof (channel as { readonly then?: unknown } | null)?.then === "function" ? " Await the promise first." : "";
  throw new TypeError(
    `serve needs a channel, such as createStdioChannel() makes one. For stdio use serveStdio.${hint}`,
  );
}

/** Options of a connection. Among the handlers of an agent they would have no effect. */
const LISTENERS: readonly (keyof ServeOptions)[] = ["onDiagnostic", "onLoss"];

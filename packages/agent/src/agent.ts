import { type Channel, type CloseReason, checkArgument, checkChannel, closeText, reporter } from "@turnkit/transport";
import type { AgentHandlers, DataHandlers } from "./agent-handlers.js";
import { checkHandlers, checkLog, checkServeOptions } from "./check-arguments.js";
import type { Dialect } from "./driver/driver.js";
import { seedDialect } from "./driver/seed.js";
import { v1Dialect } from "./driver/v1.js";
import { v2Dialect } from "./driver/v2.js";
import type { ServeOptions } from "./serve-options.js";
import { ServedConnection } from "./served-connection.js";
import { unknownServeOptions, unusedHandlers } from "./unused-options.js";

/** Connection that is being served. */
export interface AgentConnection extends AsyncDisposable {
  /**
   * Settles when the connection has ended and its sessions are cleaned up, or after `cancelGraceMs` of clean-up. Never
   * rejects.
   */
  readonly closed: Promise<CloseReason>;
  /**
   * Cancels all turns, waits for their ends, sends waiting messages and closes the connection. After `graceMs`, turns that
   * still run are ended. Every prompt is answered.
   *
   * @param graceMs defaults to `cancelGraceMs`
   */
  close(graceMs?: number): Promise<void>;
}

/**
 * Agent that serves any number of connections. All connections have the same handlers. The client of a connection decides
 * the dialect: version 1, version 2, or the older draft of version 2 (`seed`).
 */
export interface Agent {
  /**
   * Starts to serve a client immediately. Each session belongs to the connection that opened it. Other connections
   * cannot use it.
   *
   * @throws AcpError `state` if another connection uses the channel; that connection continues
   * @throws TypeError for a value that is not a channel
   */
  serve(channel: Channel, options?: ServeOptions): AgentConnection;
}

/**
 * Creates an agent from handlers. The runtime keeps these rules of the protocol for the agent:
 *
 * - An answer is sent after all earlier updates.
 * - A cancelled turn ends as `cancelled`.
 * - Capabilities follow from the handlers that exist.
 *
 * An agent with data in its sessions, `createAgent<Data>(…)`, needs the handler `newSession`.
 *
 * @throws TypeError for a handler or a login method of another type, for login methods of type `agent` without a `login`
 *   handler, and for a log without one of its members
 * @throws TypeError for `onDiagnostic` or `onLoss`, which are options of {@link Agent.serve}
 *
 * @example
 * const agent = createAgent({
 *   info: { name: "echo", version: "1.0.0" },
 *   prompt: (turn) => turn.say(turn.prompt[0]?.type === "text" ? turn.prompt[0].text : "?"),
 * });
 */
export function createAgent<S = undefined>(handlers: AgentHandlers<S> & DataHandlers<S>): Agent {
  return createAgentWith(allDialects, handlers);
}

/** All dialects, the newest first. Version 2 is a Preview. */
export const allDialects: readonly Dialect[] = [v2Dialect, seedDialect, v1Dialect];

/**
 * Creates an agent like {@link createAgent}, for these dialects only. The bundle of an application holds only the dialects
 * that the application names. A client gets the error `-32022` if it asks for a version below all of these dialects.
 *
 * @throws as `createAgent` does
 *
 * @example
 * const agent = createAgentWith([v1Dialect], { info: { name: "echo", version: "1.0.0" }, prompt() {} });
 */
export function createAgentWith<S = undefined>(
  dialects: readonly Dialect[],
  handlers: AgentHandlers<S> & DataHandlers<S>,
): Agent {
  const isList = Array.isArray(dialects) && dialects.length > 0 && dialects.every((one) => one?.rules !== undefined);
  const remedy = "pass a list of dialects of @turnkit/agent, such as [v1Dialect]";
  checkArgument(isList, "createAgentWith dialects", { got: dialects, remedy });
  checkHandlers(handlers);
  if (handlers.authMethods?.some((method) => method.type === "agent") && handlers.login === undefined) {
    throw new TypeError("createAgent: authMethods of type agent need a login handler.");
  }
  if (handlers.log !== undefined) checkLog(handlers.log);
  const misplaced = LISTENERS.find((name) => (handlers as ServeOptions)[name] !== undefined);
  if (misplaced !== undefined) {
    throw new TypeError(
      `createAgent: ${misplaced} is an option of \`serve\` and \`serveStdio\`. Pass it to that function.`,
    );
  }
  let unused = unusedHandlers(handlers);
  return {
    serve(channel, options = {}) {
      checkChannel(
        "serve",
        channel,
        "readable" in Object(channel)
          ? "pass a channel; for the stream of the official SDK, that is createMessageStreamChannel(stream) of @turnkit/transport/channels"
          : "pass a channel, for example the result of createStdioChannel, or call serveStdio",
      );
      checkServeOptions(options);
      const report = reporter(options.onDiagnostic);
      for (const message of [...unused, ...unknownServeOptions(options)]) report({ code: "unused_option", message });
      // The handlers of all connections are the same, so one report is enough.
      unused = [];
      const served = new ServedConnection({ dialects, handlers }, channel, options);
      void served.closed.then((reason) => {
        if (served.hasClient || /^(?:local|remote)$/.test(reason.kind)) return;
        // For example, the streams of the channel were passed in the wrong order.
        const message = `The connection failed before a client sent initialize: ${closeText(reason)}`;
        report({ code: "connection_lost", message, error: reason.cause });
      });
      const close = (graceMs?: number): Promise<void> => served.close(graceMs);
      return { closed: served.closed, close, [Symbol.asyncDispose]: () => close() };
    },
  };
}

/** Options of {@link Agent.serve} that have no effect in `createAgent`. */
const LISTENERS: readonly (keyof ServeOptions)[] = ["onDiagnostic", "onLoss"];

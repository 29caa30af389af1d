import {
  type CreateTerminalRequest,
  createTerminalRequest,
  killTerminalRequest,
  releaseTerminalRequest,
  type TerminalOutputRequest,
  terminalOutputRequest,
  waitForTerminalExitRequest,
} from "@turnkit/schema/v1";
import { type InboundCall, type Route, RpcError } from "@turnkit/transport";
import { type HandlerHost, inLane } from "./hosted-session.js";
import { LargeAnswers } from "./large-answers.js";
import { type HostTerminal, SessionTerminals, type TerminalHost } from "./session-terminals.js";

type Names = Pick<TerminalOutputRequest, "sessionId" | "terminalId">;

/** Terminal handlers for the option `terminals`, made by {@link createTerminalHandlers}. */
export interface TerminalHandlers {
  /**
   * Returns the routes of version 1.
   *
   * @internal
   */
  terminalRoutes(client: HandlerHost): { readonly [method: string]: Route };
}

/**
 * Makes terminal handlers of a host. A bundle contains the code for terminals only if it calls this, or uses the host
 * of `./node`.
 */
export function createTerminalHandlers(host: TerminalHost): TerminalHandlers {
  return { terminalRoutes: (client) => routesOf(host, client) };
}

function routesOf(host: TerminalHost, { sessions, report }: HandlerHost): { readonly [method: string]: Route } {
  const all = new SessionTerminals(host, report);
  const outputs = new LargeAnswers(1);
  const find = ({ sessionId, terminalId }: Names): HostTerminal => all.find(sessions.get(sessionId), terminalId);
  return {
    "terminal/create": {
      params: createTerminalRequest,
      receive: ({ sessionId, ...command }: CreateTerminalRequest, call: InboundCall) =>
        inLane(sessions.get(sessionId), call, async (place, session) => ({
          terminalId: await all.create(session, command, place),
        })),
    },
    "terminal/output": {
      params: terminalOutputRequest,
      receive: (names: Names, call: InboundCall) => outputs.run(call, call, () => find(names).output()),
    },
    "terminal/wait_for_exit": {
      params: waitForTerminalExitRequest,
      receive: (names: Names, call: InboundCall) => unlessWithdrawn(find(names).exited, call),
    },
    "terminal/kill": {
      params: killTerminalRequest,
      async receive(names: Names) {
        await find(names).kill();
        return {};
      },
    },
    "terminal/release": {
      params: releaseTerminalRequest,
      async receive(names: Names, call: InboundCall) {
        await outputs.begun(call);
        await all.release(sessions.get(names.sessionId), names.terminalId);
        return {};
      },
    },
  };
}

function unlessWithdrawn<T>(result: Promise<T>, call: InboundCall): Promise<T> {
  return new Promise((resolve, reject) => {
    call.signal.addEventListener("abort", () => reject(RpcError.requestCancelled()), { once: true });
    result.then(resolve, reject);
  });
}

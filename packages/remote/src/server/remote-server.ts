import { checkArgument, checkOptions, type OptionTypes, refuseOption, textOf } from "@turnkit/transport";
import { Access, isResponse } from "./access.js";
import { refuse } from "./answers.js";
import { Connections } from "./connections.js";
import { answerOptions, withCors } from "./cors.js";
import { dropBody } from "./http/read-body.js";
import { answerRequest } from "./http/routes.js";
import type { Principal, RemoteServerOptions } from "./server-options.js";
import type { Upgrade } from "./server-socket.js";
import { settingsOf } from "./settings.js";
import { acceptUpgrade } from "./socket/accept-upgrade.js";

/** Server of the protocol over HTTP and WebSocket, as functions of requests. Any framework or runtime can call it. */
export interface RemoteServer {
  /** Answers a request of any path: POST, GET, DELETE or OPTIONS. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /** Decides about a request to open a WebSocket. A `Response` refuses it. Never rejects. */
  upgrade(request: Request): Promise<Response | Upgrade>;
  /**
   * Ends all connections: event streams end, and WebSockets close with 1001. Further requests are answered with 503.
   * Settles when all agents have ended, or after `closeMs`.
   */
  close(): Promise<void>;
}

/** Every option of a server. */
export const SERVER_OPTIONS: OptionTypes<RemoteServerOptions> = {
  ...{
    agent: "any",
    open: "function",
    authorize: "function",
    hosts: "any",
    origins: "any",
    keepAliveMs: "number",
    graceMs: "number",
  },
  ...{ resumption: "any", limits: "any", onDiagnostic: "function" },
};

/** Options that only `listen` reads. */
const LISTEN_OPTIONS = { port: true, host: true, tls: true, path: true, beyondLoopback: true };

/**
 * Creates a server for an agent.
 *
 * @throws TypeError without `agent` and `open` or with both, for an unknown or misspelled option or bound, and for an option of another
 *   type or form
 *
 * @example
 * const server = createRemoteServer({ agent });
 * Deno.serve({ hostname: "127.0.0.1" }, (request) => server.fetch(request));
 */
export function createRemoteServer<P extends Principal>(options: RemoteServerOptions<P>): RemoteServer {
  const isAgent = typeof (options as { readonly serve?: unknown } | undefined)?.serve === "function";
  checkArgument(!isAgent, "createRemoteServer", { got: "an agent", remedy: "pass it as an option: { agent }" });
  checkOptions("createRemoteServer", options, SERVER_OPTIONS, {
    unknown: refuseOption,
    others: { listen: LISTEN_OPTIONS },
  });
  const { agent, open } = options;
  const hasAgent = typeof agent?.serve === "function" || typeof open === "function";
  const remedy = "pass the result of createAgent as `agent`, or a function as `open`";
  checkArgument(hasAgent, "createRemoteServer agent", { got: agent, remedy });
  const hasOne = agent === undefined || open === undefined;
  checkArgument(hasOne, "createRemoteServer open", {
    got: open,
    remedy: "pass agent or open, because only one of them can serve",
  });
  const settings = settingsOf(options);
  const connections = new Connections(options, settings);
  const access = new Access(options, settings);

  const refusalOf = (request: Request): Response | undefined =>
    connections.isClosed ? refuse(503, "The server is closed.") : access.refusal(request);

  const failed = (error: unknown): Response => {
    settings.report({ code: "handler_failed", message: `A request failed: ${textOf(error)}`, error });
    return refuse(500, "The request failed.");
  };

  const answer = async (request: Request): Promise<Response> => {
    checkRequest("fetch", request);
    const refusal = refusalOf(request);
    if (refusal !== undefined) return refusal;
    if (request.method === "OPTIONS") return withCors(request, answerOptions(request));
    const principal = await access.admit(request);
    const response = isResponse(principal)
      ? principal
      : await answerRequest(request, principal, { connections, settings });
    return withCors(request, response);
  };

  return {
    async fetch(request) {
      try {
        return await answer(request);
      } catch (error) {
        return failed(error);
      } finally {
        dropBody(request);
      }
    },
    async upgrade(request) {
      try {
        checkRequest("upgrade", request);
        const refusal = refusalOf(request);
        if (refusal !== undefined) return refusal;
        const principal = await access.admit(request);
        return isResponse(principal) ? principal : acceptUpgrade(request, principal, { connections, settings });
      } catch (error) {
        return failed(error);
      }
    },
    close: () => connections.close(),
  };
}

/** @throws TypeError for a request of another form, such as that of `node:http` or of a framework over it */
function checkRequest(method: string, got: unknown): void {
  const { url, headers } = (got ?? {}) as { readonly url?: unknown; readonly headers?: Partial<Headers> };
  checkArgument(typeof url === "string" && typeof headers?.get === "function", method, {
    got,
    remedy: "pass a Request. For requests of node:http, and of Express, call listen of @turnkit/remote/node",
  });
}

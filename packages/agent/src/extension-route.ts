import type { Route } from "@turnkit/transport";
import type { AgentHandlers, Extension } from "./agent-handlers.js";
import type { ClientInfo } from "./client-info.js";

/** Returns the route of a method that the protocol does not have, or `undefined` if the agent has no handler for it. */
export function extensionRoute<S>(
  handlers: Pick<AgentHandlers<S>, "extensions" | "fallback">,
  method: string,
  client: ClientInfo,
): Route | undefined {
  const extensions: Readonly<Record<string, Extension>> = handlers.extensions ?? {};
  if (Object.hasOwn(extensions, method)) {
    return { receive: (params, call) => extensions[method]?.(params, call.signal, client) };
  }
  if (handlers.fallback === undefined) return undefined;
  return { receive: (params, call) => handlers.fallback?.(method, params, call.signal) };
}

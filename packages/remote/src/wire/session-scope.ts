import type { RequestMessage } from "@turnkit/transport";

/** Methods of a client that belong to one session. A POST with such a method names its session. */
const sessionMethods: ReadonlySet<string> = new Set(
  ["prompt", "cancel", "close", "delete", "fork", "load", "resume", "set_config_option", "set_mode"].map(
    (name) => `session/${name}`,
  ),
);

/** Methods whose answers travel on the connection stream, because their session has no stream yet. */
const opening: ReadonlySet<string> = new Set(["session/new", "session/load"]);

/** Returns true for the request `initialize`, which begins a connection. */
export function isInitialize(message: object): message is RequestMessage & { readonly method: "initialize" } {
  return "method" in message && "id" in message && message.method === "initialize";
}

/** Returns true for the methods that restore a session whose messages were lost. */
export const isRestore = (method: string): boolean => method === "session/load" || method === "session/resume";

/** Returns true for the methods that end a session. */
export const isEnd = (method: string): boolean => method === "session/close" || method === "session/delete";

/** Returns true if a request or notification with this method must name its session. */
export function needsSession(method: string): boolean {
  return sessionMethods.has(method);
}

/** Returns true if the answer of a request with this method travels on the connection stream. */
export function isAnsweredOnConnection(method: string): boolean {
  return opening.has(method);
}

/** Returns `params.sessionId` of a message, or `undefined` if there is no such text. */
export function sessionIdOf(message: unknown): string | undefined {
  const { params } = (message ?? {}) as { readonly params?: unknown };
  const { sessionId } = (params ?? {}) as { readonly sessionId?: unknown };
  return typeof sessionId === "string" ? sessionId : undefined;
}

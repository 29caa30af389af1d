/**
 * Rule for a request whose answer was lost with the connection:
 *
 * - `as-is`: send the request again. A second request changes nothing.
 * - `with-key`: send the request again with the same idempotency key.
 * - `never`: do not send the request again, because the agent may do its work twice.
 */
// P-RETRY-01
export type RetryClass = "as-is" | "with-key" | "never";

// P-RETRY-03
const AS_IS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...["initialize", "auth/status", "auth/logout", "logout", "session/list", "session/status", "session/options"],
  ...["session/resume", "session/load", "session/close", "session/delete", "session/archive", "session/unarchive"],
  ...["session/set_title", "session/set_config_option", "session/set_mode", "session/set_model"],
  ...["tool_call/cancel", "terminal/cancel"],
]);

/** Versions of the protocol in which a prompt has a key. */
const KEYED_VERSIONS: ReadonlySet<number> = /* @__PURE__ */ new Set([2]);

/** Maximum number of proxies around a method. */
const MAX_PROXIES = 16;

/**
 * Returns the rule for a request whose answer never arrived. An error answer is an answer too, so this rule does not
 * apply to it. Notifications, unknown methods and requests of agents are `never`.
 *
 * @param version version of the protocol. In version 1, a prompt has no key
 */
// P-RETRY-04
export function retryClass(method: string, params: unknown, version: number): RetryClass {
  let inner: { readonly method?: unknown; readonly params?: unknown } = { method, params };
  for (let depth = 0; inner.method === "proxy/successor" && depth < MAX_PROXIES; depth += 1) {
    inner = (inner.params ?? {}) as typeof inner;
  }
  if (typeof inner.method !== "string") return "never";
  if (inner.method === "session/prompt" && KEYED_VERSIONS.has(version))
    return keyOf(inner.params) === undefined ? "never" : "with-key";
  return AS_IS.has(inner.method) || inner.method.startsWith("providers/") ? "as-is" : "never";
}

/** Returns the idempotency key in params. */
export function keyOf(params: unknown): string | undefined {
  const key = (params as { readonly idempotencyKey?: unknown } | null | undefined)?.idempotencyKey;
  return typeof key === "string" && key !== "" ? key : undefined;
}

import { checkArgument, checkTypes, type OptionTypes, unknownOptions } from "@turnkit/transport";
import { RECONNECT } from "./backoff.js";
import type { RemoteOptions } from "./remote-options.js";

const NAMES: OptionTypes<RemoteOptions> = {
  ...{ headers: "any", token: "any", cookies: "any", fetch: "function", webSocket: "function", reconnect: "any" },
  ...{ maxSessions: "number", onState: "function", onDiagnostic: "function" },
};

/** Example of the option `webSocket`. */
export const WEB_SOCKET = "(url, { headers }) => new WebSocket(url, { headers })";

/** Returns `true` for a class of WebSockets. It cannot be called like a function. */
function isSocketClass(got: unknown): boolean {
  const { prototype } = (got ?? {}) as { readonly prototype?: { readonly send?: unknown } };
  return typeof prototype === "object" && prototype !== null && "send" in prototype;
}

/** @throws TypeError for options of another type */
export function checkOptions(options: RemoteOptions): void {
  const isObject = typeof options === "object" && options !== null && !Array.isArray(options);
  checkArgument(isObject, "openRemote", { got: options, remedy: "pass an object with options such as { token }" });
  checkTypes("openRemote", options, NAMES);
  checkArgument(!isSocketClass(options.webSocket), "openRemote webSocket", {
    got: "a class",
    remedy: `pass a function, such as ${WEB_SOCKET}`,
  });
  const { token, cookies } = options;
  const isToken = ["undefined", "string", "function"].includes(typeof token);
  checkArgument(isToken, "openRemote token", { got: token, remedy: "pass a text, or a function that returns one" });
  const isStore = cookies === undefined || (typeof cookies?.read === "function" && typeof cookies.write === "function");
  const remedy = "pass a store of cookies, such as the result of createCookieStore";
  checkArgument(isStore, "openRemote cookies", { got: cookies, remedy });
}

/** Returns one sentence for each option that does not exist. */
export function unknownMembers(options: RemoteOptions): readonly string[] {
  return [
    ...unknownOptions("openRemote", options, { known: NAMES }),
    ...unknownOptions("openRemote reconnect", options.reconnect || {}, { known: RECONNECT }),
  ];
}

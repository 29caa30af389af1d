import { type Channel, type CloseReason, checkArgument, type Diagnostic, reporter, textOf } from "@turnkit/transport";
import { withDefaults } from "../wire/bounds.js";
import { RECONNECT } from "./backoff.js";
import { checkOptions, unknownMembers } from "./check-options.js";
import type { CookieStore } from "./cookies.js";
import { HttpLink } from "./http/http-link.js";
import { RemoteChannel } from "./remote-channel.js";
import type { RemoteOptions, RemoteState } from "./remote-options.js";
import { Secrets } from "./secrets.js";
import type { Settings } from "./settings.js";
import { Status } from "./status.js";
import { SocketLink } from "./web-socket/socket-link.js";

const RECONNECTING = "The client tries to connect again. Pass onState to follow it.";

/** The profile of ACP that the scheme of an address selects. */
// REM-29
const profiles: ReadonlyMap<string, "http" | "websocket"> = new Map([
  ["http:", "http"],
  ["https:", "http"],
  ["ws:", "websocket"],
  ["wss:", "websocket"],
]);

const ADDRESS = "pass an address such as https://agents.example/acp or wss://agents.example/acp";

/**
 * @throws TypeError for a value that is not an address. The error does not contain it, because it may have a password.
 */
function addressOf(url: string | URL): URL {
  try {
    return new URL(url);
  } catch {
    throw new TypeError(`openRemote got no whole address: ${ADDRESS}.`);
  }
}

/** Opens a channel. Without `cookies`, no cookies are kept, because a browser keeps them itself. */
export async function openChannel(
  url: string | URL,
  options: RemoteOptions = {},
  cookies: CookieStore | undefined = options?.cookies,
): Promise<Channel> {
  checkOptions(options);
  const { reconnect = {} } = options;
  const address = addressOf(url);
  const profile = profiles.get(address.protocol);
  checkArgument(profile !== undefined, "openRemote", { got: address.protocol, remedy: ADDRESS });
  const hasPassword = address.username !== "" || address.password !== "";
  checkArgument(!hasPassword, "openRemote", { got: "an address with a password", remedy: "pass it as token" });
  const secrets = new Secrets();
  const reportUnsafe = reporter(options.onDiagnostic);
  const report = (diagnostic: Diagnostic) =>
    reportUnsafe({ ...diagnostic, message: secrets.clean(diagnostic.message) });
  for (const message of unknownMembers(options)) report({ code: "unused_option", message });
  let isCut = false;
  const emit = (state: RemoteState) => {
    if (options.onState === undefined && state.status === "reconnecting" && !isCut)
      report({ code: "reconnecting", message: `${state.message} ${RECONNECTING}` });
    isCut = state.status === "reconnecting";
    try {
      options.onState?.(state.status === "reconnecting" ? { ...state, message: secrets.clean(state.message) } : state);
    } catch (error) {
      report({ code: "listener_failed", message: `onState failed: ${textOf(error)}`, error });
    }
  };
  const lost = (reason: CloseReason) => emit({ status: "lost", reason });
  const settings: Settings = {
    options: { ...options, cookies },
    asksResumption: reconnect !== false,
    limits: withDefaults("openRemote reconnect", reconnect === false ? {} : reconnect, RECONNECT),
    status: new Status(emit),
    ...{ secrets, report },
  };
  if (profile === "http") return new RemoteChannel((inbox) => new HttpLink(address, settings, inbox), lost);
  return SocketLink.open(address, settings, lost);
}

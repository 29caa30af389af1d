import { type Channel, type CloseReason, checkArgument, type Diagnostic, reporter, textOf } from "@turnkit/transport";
import { reconnectLimits } from "./backoff.js";
import { HttpLink } from "./http/http-link.js";
import { RemoteChannel } from "./remote-channel.js";
import type { RemoteOptions, RemoteState } from "./remote-options.js";
import { Secrets } from "./secrets.js";
import type { Settings } from "./settings.js";
import { Status } from "./status.js";
import { SocketLink } from "./web-socket/socket-link.js";

/** The profile of ACP that the scheme of an address selects. */
// REM-29
const profiles: ReadonlyMap<string, "http" | "websocket"> = new Map([
  ["http:", "http"],
  ["https:", "http"],
  ["ws:", "websocket"],
  ["wss:", "websocket"],
]);

/** Opens a channel. Cookies are kept only in a store of the options, because a browser keeps them itself. */
export async function openChannel(url: string | URL, options: RemoteOptions = {}): Promise<Channel> {
  const address = new URL(url);
  const profile = profiles.get(address.protocol);
  const remedy = "pass an address such as https://agents.example/acp or wss://agents.example/acp";
  checkArgument(profile !== undefined, "openRemote", { got: address.protocol, remedy });
  const hasPassword = address.username !== "" || address.password !== "";
  checkArgument(!hasPassword, "openRemote", { got: "an address with a password", remedy: "pass it as token" });
  const secrets = new Secrets();
  const tell = reporter(options.onDiagnostic);
  const report = (diagnostic: Diagnostic) => tell({ ...diagnostic, message: secrets.clean(diagnostic.message) });
  const emit = (state: RemoteState) => {
    try {
      options.onState?.(state.status === "reconnecting" ? { ...state, message: secrets.clean(state.message) } : state);
    } catch (error) {
      report({ code: "listener_failed", message: `onState failed: ${textOf(error)}`, error });
    }
  };
  const lost = (reason: CloseReason) => emit({ status: "lost", reason });
  const settings: Settings = {
    options,
    asksResumption: options.reconnect !== false,
    limits: reconnectLimits(options.reconnect || {}),
    status: new Status(emit),
    ...{ secrets, report },
  };
  if (profile === "http") return new RemoteChannel((inbox) => new HttpLink(address, settings, inbox), lost);
  return SocketLink.open(address, settings, lost);
}

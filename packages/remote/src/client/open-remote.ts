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

/**
 * Opens a channel to an agent behind an address: over HTTP for `http:` and `https:`, over a WebSocket for `ws:` and
 * `wss:`. Pass the channel to `connect`.
 *
 * - The first message is `initialize`; it has 30 s, and so has the opening of a WebSocket.
 * - If the server offers it, a cut is repaired: the client opens the streams again, gets the messages that it missed, and
 *   sends its own waiting ones, `session/cancel` first. Without the offer, a cut ends the channel.
 * - Token, cookies and secret headers never stand in errors and states, also if the server repeats them.
 * - If the cut cannot be repaired, the channel ends. The reason says to open a new one and to restore the session.
 *
 * @throws TypeError for an address with another scheme or with a password, and for a token that a WebSocket cannot send
 * @throws ConnectionClosedError if the WebSocket cannot be opened
 *
 * @example
 * const client = await connect(await openRemote("wss://agents.example/acp", { token }), { info });
 */
export async function openRemote(url: string | URL, options: RemoteOptions = {}): Promise<Channel> {
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

import type { Channel } from "@turnkit/transport";
import { createCookieStore } from "./cookies.js";
import { openChannel } from "./open-channel.js";
import type { RemoteOptions } from "./remote-options.js";

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
 * @throws TypeError for an address with another scheme or with a password, an option of another type, and a token that a
 *   WebSocket cannot send
 * @throws ConnectionClosedError if the WebSocket cannot be opened
 *
 * @example
 * const client = await connect(await openRemote("wss://agents.example/acp", { token }), { info });
 */
export function openRemote(url: string | URL, options: RemoteOptions = {}): Promise<Channel> {
  return openChannel(url, options, options?.cookies ?? createCookieStore());
}

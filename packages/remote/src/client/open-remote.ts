import type { Channel } from "@turnkit/transport";
import { createCookieStore } from "./cookies.js";
import { openChannel } from "./open-channel.js";
import type { RemoteOptions } from "./remote-options.js";

/**
 * Opens a channel to an agent behind an address: over HTTP for `http:` and `https:`, over a WebSocket for `ws:` and
 * `wss:`. Pass the channel to `connect`.
 *
 * - The first message must be `initialize`. The answer has to arrive within 30 s, and a WebSocket has to open within 30
 *   s.
 * - If the server offers resumption, the client repairs a cut: it opens the streams again, gets the messages that it missed,
 *   and sends its own waiting ones, `session/cancel` first. Without the offer, a cut ends the channel.
 * - If a cut cannot be repaired, the channel ends. The reason says what to do: open a new channel, and restore the session.
 * - Errors and states never contain the token, cookies or secret headers, even if the server repeats them.
 *
 * @throws TypeError for an address with another scheme or with a password, an option of another type, and a token that a
 *   WebSocket cannot send
 * @throws ConnectionClosedError if the WebSocket cannot be opened
 * @throws AcpError `state` if the runtime has no WebSocket, and there is no option `webSocket`
 *
 * @example
 * const client = await connect(await openRemote("wss://agents.example/acp", { token }), { info });
 */
export function openRemote(url: string | URL, options: RemoteOptions = {}): Promise<Channel> {
  return openChannel(url, options, options?.cookies ?? createCookieStore());
}

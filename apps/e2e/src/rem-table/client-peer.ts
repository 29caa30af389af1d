import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import { createWebSocketStream, type WebSocketConstructor } from "@agentclientprotocol/sdk/experimental/ws-client";
import { openRemote } from "@turnkit/remote/client";
import type { Frame } from "@turnkit/testing";
import type { Channel, CloseReason, Message } from "@turnkit/transport";
import { createMessageStreamChannel } from "@turnkit/transport/channels";
import { FramedSocket } from "../remote/framed-socket.js";

/** A client under test: opens a channel to an address. */
export type OpenClient = (url: string, settings: ClientSettings) => Promise<Channel>;

export type ClientSettings = {
  /** Time without a byte after which a stream counts as cut. */
  readonly silenceMs?: number;
  /** `true` for short delays between attempts. */
  readonly isHasty?: boolean;
};

/** Opens the client of turnkit. */
export const openTurnkit: OpenClient = (url, { silenceMs, isHasty = true }) =>
  openRemote(url, {
    webSocket: (address, { headers, protocols }) => new FramedSocket(address, [...protocols], { headers }),
    reconnect: {
      ...(isHasty && { firstDelayMs: 10, longestDelayMs: 20 }),
      ...(silenceMs !== undefined && { silenceMs }),
    },
  });

/** Opens the client of the SDK. */
export const openOfficial: OpenClient = async (url) =>
  createMessageStreamChannel(
    url.startsWith("ws")
      ? createWebSocketStream(url, { WebSocket: FramedSocket as unknown as WebSocketConstructor })
      : createHttpStream(url),
  );

/** The messages of a channel, and its end. */
export class ClientSide {
  readonly frames: Frame[] = [];
  end: CloseReason | undefined;
  readonly #channel: Channel;

  constructor(channel: Channel) {
    this.#channel = channel;
    void channel.closed.then((reason) => {
      this.end = reason;
    });
    channel.start({ message: (message) => void this.frames.push(message as Frame), invalidLine() {} });
  }

  send(frame: Frame): void {
    void this.#channel.send({ jsonrpc: "2.0", ...frame } as unknown as Message);
  }

  close(): Promise<unknown> {
    return Promise.race([this.#channel.close(), new Promise((resolve) => setTimeout(resolve, 100))]);
  }
}

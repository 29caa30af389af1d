import type { Socket } from "node:net";
import type { WebSocket } from "ws";

/** Number of bytes before the data of a ping or pong of a client: two of the frame, and its mask. */
const CONTROL_HEAD = 6;

/** Account of the bytes of messages that have begun and not ended, on all WebSockets of a port. */
export class UnfinishedFrames {
  readonly #limit: number;
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Counts the bytes of a WebSocket since the end of its last message. At the bound, the WebSocket is cut. The library `ws`
   * does not show its store; bytes before the end of a message in the same chunk are not counted.
   */
  // REM-22
  watch(webSocket: WebSocket, pipe: Socket): void {
    let bytes = 0;
    const add = (count: number) => {
      bytes += count;
      this.#bytes += count;
    };
    const end = () => add(-bytes);
    // This listener comes before the one of the library, whose messages then end what was counted.
    pipe.prependListener("data", (chunk: Uint8Array) => {
      add(chunk.length);
      if (this.#bytes > this.#limit) webSocket.terminate();
    });
    webSocket.on("message", end);
    // A control frame may come between the parts of a message, so it ends only its own bytes.
    const control = (data: Uint8Array) => add(-Math.min(bytes, data.length + CONTROL_HEAD));
    webSocket.on("ping", control);
    webSocket.on("pong", control);
    webSocket.once("close", end);
  }
}

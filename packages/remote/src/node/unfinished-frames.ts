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
   * Counts the bytes of a WebSocket, and cuts it at the bound. `ws` does not tell how much it stores. Therefore all bytes since
   * the last message are counted. The start of a message in the chunk that ends another one is not counted.
   */
  // REM-22
  watch(webSocket: WebSocket, pipe: Socket): void {
    let bytes = 0;
    let isCut = false;
    const add = (count: number) => {
      bytes += count;
      this.#bytes += count;
    };
    const end = () => add(-bytes);
    // This listener comes before the one of the library, whose messages then end what was counted.
    pipe.prependListener("data", (chunk: Uint8Array) => {
      if (isCut) return;
      add(chunk.length);
      if (this.#bytes <= this.#limit) return;
      // Its close event comes later. Until then, its bytes would cut others.
      isCut = true;
      end();
      webSocket.terminate();
    });
    webSocket.on("message", end);
    // A control frame may come between the parts of a message, so it ends only its own bytes.
    const control = (data: Uint8Array) => add(-Math.min(bytes, data.length + CONTROL_HEAD));
    webSocket.on("ping", control);
    webSocket.on("pong", control);
    webSocket.once("close", end);
  }
}

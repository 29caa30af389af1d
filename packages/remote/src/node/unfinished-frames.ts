import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import { Account, arrivalLimits } from "../server/account.js";
import type { ListenLimits } from "./limits.js";

/** Number of bytes before the data of a ping or pong of a client: two of the frame, and its mask. */
const CONTROL_HEAD = 6;

/** Counter of the bytes of unfinished messages, on all WebSockets of a port. */
export class UnfinishedFrames {
  readonly #account: Account;
  readonly #messageMs: number;

  constructor({ arrivingBytes, frameBytes, messageMs }: ListenLimits) {
    this.#account = new Account(arrivalLimits(arrivingBytes, frameBytes));
    this.#messageMs = messageMs;
  }

  /**
   * Counts the bytes of a WebSocket, and cuts the largest one at a bound, or a late one. `ws` does not report how much
   * it stores. Therefore all bytes since the last message are counted. The start of a message in the chunk that ends
   * another one is not counted.
   */
  // REM-22
  watch(webSocket: WebSocket, pipe: Socket, owner: string | undefined): void {
    let bytes = 0;
    let late: NodeJS.Timeout | undefined;
    const close = () => {
      clearTimeout(late);
      holding.end();
    };
    const cut = () => {
      // Its close event comes later. Until then, its bytes would count, and other WebSockets could be cut.
      close();
      pipe.removeListener("data", arrived);
      webSocket.terminate();
    };
    const holding = this.#account.hold(owner, cut);
    const overdue = () => {
      // The server itself may have stopped reading, because the agent is slow.
      if (webSocket.isPaused) wait();
      else cut();
    };
    const wait = () => {
      late = setTimeout(overdue, this.#messageMs);
    };
    const add = (count: number) => {
      if (bytes === 0 && count > 0) wait();
      bytes += count;
      if (bytes === 0) clearTimeout(late);
      holding.add(count);
    };
    const arrived = (chunk: Uint8Array) => add(chunk.length);
    const end = () => add(-bytes);
    // This listener runs before the listener of the library. The library then emits complete messages, which end the
    // count.
    pipe.prependListener("data", arrived);
    webSocket.on("message", end);
    // A control frame may come between the parts of a message, so it ends only its own bytes.
    const control = (data: Uint8Array) => add(-Math.min(bytes, data.length + CONTROL_HEAD));
    webSocket.on("ping", control);
    webSocket.on("pong", control);
    webSocket.once("close", close);
  }
}

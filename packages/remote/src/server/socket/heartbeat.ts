import type { ServerSocket } from "../server-socket.js";
import type { Settings } from "../settings.js";

/** Pings of a WebSocket. A client that is silent for five intervals is cut off. */
// REM-15, REM-45
export class Heartbeat {
  readonly #timer: ReturnType<typeof setInterval>;
  #aliveAt = Date.now();

  constructor(socket: ServerSocket, { keepAliveMs, deadMs }: Settings) {
    this.#timer = setInterval(() => {
      if (socket.ping === undefined) return;
      if (Date.now() - this.#aliveAt < deadMs) return socket.ping();
      this.stop();
      if (socket.terminate === undefined) socket.close(1001, "The client was silent.");
      else socket.terminate();
    }, keepAliveMs);
  }

  /** Records that the client is alive. */
  alive(): void {
    this.#aliveAt = Date.now();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

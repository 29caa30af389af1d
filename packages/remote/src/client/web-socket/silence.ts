import type { CloseReason } from "@turnkit/transport";
import { Deadline } from "../deadline.js";
import type { OpenSocket } from "./open-socket.js";

/** Number of pings within the time of silence. With several, one lost answer does not end a connection. */
const PINGS = 3;

/**
 * Closes a WebSocket whose server is silent for `silenceMs`. Counts from the first ping of the server, or from `begin` on,
 * which also sends pings. Only the library `ws` can do this: browsers neither send nor show pings.
 */
// REM-45
export class Silence {
  readonly #socket: OpenSocket;
  readonly #over: AbortSignal;
  readonly #ms: number;
  #deadline: Deadline | undefined;
  #pings: ReturnType<typeof setInterval> | undefined;

  constructor(socket: OpenSocket, over: AbortSignal, silenceMs: number) {
    this.#socket = socket;
    this.#over = over;
    this.#ms = silenceMs;
    socket.onSign(() => this.#count());
  }

  /** Begins to send pings. If the server answers no ping, the connection counts as lost. */
  begin(): void {
    const { ping } = this.#socket;
    if (ping === undefined || this.#pings !== undefined) return;
    this.#count();
    this.#pings = setInterval(ping, this.#ms / PINGS);
  }

  end(): void {
    this.#deadline?.end();
    clearInterval(this.#pings);
  }

  #count(): void {
    if (this.#deadline !== undefined) return this.#deadline.restart();
    this.#deadline = new Deadline(this.#over, this.#ms);
    const reason: CloseReason = { kind: "failed", message: `The server was silent for ${this.#ms} ms.` };
    this.#deadline.signal.addEventListener("abort", () => {
      // A close by this side has its own code, from which the server knows that the connection is over.
      if (!this.#over.aborted) void this.#socket.channel.close(reason);
    });
  }
}

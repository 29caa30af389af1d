import { mostPacked } from "../../wire/packed.js";
import type { Connection } from "../connection.js";
import type { EndCause, OutStream, Reader } from "../out-stream.js";
import { Playback, type PlaybackForm } from "../playback.js";
import type { ServerSocket } from "../server-socket.js";
import { atTurnEnd } from "../turn-end.js";

/** Number of unsent bytes from which messages wait in their stream. */
const HIGH_WATER = 256 * 1024;

/** First and longest interval between two checks of a full WebSocket for room, in milliseconds. */
const looks = { first: 10, last: 250 };

/** Reader that writes the messages of a connection to a WebSocket. */
// REM-18, REM-23
export class SocketReader implements Reader {
  readonly #socket: ServerSocket;
  readonly #stream: OutStream;
  readonly #playback: Playback;
  readonly #over: () => void;
  #isStopped = false;
  /** `true` if messages are written at the end of this turn of the event loop. */
  #isDue = false;
  #look: ReturnType<typeof setTimeout> | undefined;

  /** Attaches a reader. `over` is called when it has closed the WebSocket. */
  constructor(
    socket: ServerSocket,
    connection: Connection,
    { over, ...form }: Omit<PlaybackForm, "hasCursors"> & { readonly over: () => void },
  ) {
    this.#socket = socket;
    this.#over = over;
    const stream = connection.streams.connection;
    this.#stream = stream;
    this.#playback = new Playback(stream, this, { ...form, hasCursors: connection.isResumable });
    stream.attach(this);
    this.#writeAgain();
  }

  wake(): void {
    if (!this.#playback.isPacked) return this.#writeAgain();
    // A full frame leaves immediately, so that a client can work on it while the agent goes on.
    if (this.#stream.log.unread >= mostPacked.characters && this.#look === undefined)
      this.#writeWhile(() => this.#hasRoom && this.#stream.log.unread >= mostPacked.characters);
    // All other messages of a turn of the event loop leave together.
    if (this.#isDue) return;
    this.#isDue = true;
    atTurnEnd(() => {
      this.#isDue = false;
      if (!this.#isStopped) this.#writeAgain();
    });
  }

  #writeAgain(): void {
    // The timer of a full socket is not restarted, because restarting it for each message would take longer than
    // writing a message.
    if (this.#look !== undefined && !this.#hasRoom) return;
    clearTimeout(this.#look);
    this.#write(looks.first);
  }

  end({ code, reason, isCut }: EndCause): void {
    if (isCut && !this.#isStopped && this.#socket.terminate !== undefined) {
      this.#over();
      return this.#socket.terminate();
    }
    this.#writeWhile(() => true);
    this.#close(code, reason);
  }

  replaced(): void {
    this.#close(1008, "Another WebSocket continued this connection.");
  }

  /** Writes nothing more, because the WebSocket is over. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#look);
  }

  get #hasRoom(): boolean {
    return this.#socket.bufferedAmount < HIGH_WATER;
  }

  #write(againMs: number): void {
    this.#look = undefined;
    this.#writeWhile(() => this.#hasRoom);
    const hasRoom = this.#hasRoom;
    this.#stream.writes(this, hasRoom ? 0 : this.#socket.bufferedAmount);
    if (this.#isStopped || (hasRoom && !this.#playback.hasNext)) return;
    this.#look = setTimeout(() => this.#write(Math.min(againMs * 2, looks.last)), againMs);
  }

  #writeWhile(hasRoom: () => boolean): void {
    while (!this.#isStopped && hasRoom()) {
      const frame = this.#playback.next();
      if (frame === undefined) return;
      this.#socket.send(frame.texts.join("\n"));
    }
  }

  #close(code: number, reason: string): void {
    if (this.#isStopped) return;
    this.#over();
    this.#socket.close(code, reason);
  }
}

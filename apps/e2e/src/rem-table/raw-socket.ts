import type { Frame } from "@turnkit/testing";
import type { FramedSocket } from "../remote/framed-socket.js";
import { hello } from "./hello.js";

/** A WebSocket that sends frames, and answers nothing by itself but a close. */
export class RawSocket {
  readonly socket: FramedSocket;
  readonly frames: Frame[] = [];
  /** Number of pings so far. They stay without an answer. */
  pings = 0;
  /** Close code, at the end. */
  code: number | undefined;
  /** Settles with the status of a refused upgrade. */
  readonly refused: Promise<string>;
  readonly #patience: number;
  #taken = 0;
  #wake: () => void = () => {};

  constructor(socket: FramedSocket, patience: number) {
    this.#patience = patience;
    this.socket = socket;
    this.refused = new Promise((resolve) => {
      socket.addEventListener("error", (event) => {
        const { message } = event as Event & { message: string };
        resolve(/\d{3}/.exec(message)?.[0] ?? message);
      });
    });
    socket.addEventListener("message", (event) => {
      const { data } = event as Event & { data: string | Uint8Array };
      if (typeof data === "string") this.frames.push(JSON.parse(data));
      else this.pings += 1;
      this.#wake();
    });
    socket.addEventListener("close", (event) => {
      this.code = (event as Event & { code: number }).code;
      this.#wake();
    });
  }

  send(...frames: readonly (object | string)[]): void {
    const textOf = (frame: object) => JSON.stringify(Array.isArray(frame) ? frame : { jsonrpc: "2.0", ...frame });
    this.socket.send(...frames.map((frame) => (typeof frame === "string" ? frame : textOf(frame))));
  }

  async connect(isResumable = false): Promise<Frame> {
    this.send(hello(isResumable));
    return (await this.frame()) ?? {};
  }

  prompt(sessionId: string, text: string): void {
    const params = { sessionId, prompt: [{ type: "text", text }] };
    this.send({ id: `prompt ${text}`, method: "session/prompt", params });
  }

  /** The next frame, or `undefined` at the end of the socket or of the wait. */
  async frame(ms = this.#patience): Promise<Frame | undefined> {
    await this.until(() => this.#taken < this.frames.length, ms);
    const frame = this.frames[this.#taken];
    if (frame !== undefined) this.#taken += 1;
    return frame;
  }

  /** Close code, or `open` after the wait. */
  async end(ms = this.#patience): Promise<number | "open"> {
    await this.until(() => false, ms);
    return this.code ?? "open";
  }

  /** Waits for a condition, the end of the socket, or the end of the wait. */
  async until(done: () => boolean, ms = this.#patience): Promise<boolean> {
    const until = performance.now() + ms;
    while (!done() && this.code === undefined && performance.now() < until)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, until - performance.now());
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    return done();
  }
}

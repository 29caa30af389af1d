import type { Frame } from "@turnkit/testing";
import { onTestFinished } from "vitest";
import { FramedSocket } from "./framed-socket.js";
import { hellos } from "./hellos.js";

/** A client of the remote transport that is nothing but frames of a WebSocket. */
export class RawWebSocket {
  readonly socket: FramedSocket;
  /** The text of each frame, in order. */
  readonly texts: string[] = [];
  readonly frames: Frame[] = [];
  /** End of the socket. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  #waiting: (() => void)[] = [];

  private constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.socket = new FramedSocket(url, undefined, { headers });
    this.socket.addEventListener("message", (event) => {
      const { data } = event as Event & { data: string };
      this.texts.push(data);
      this.frames.push(JSON.parse(data));
      for (const wake of this.#waiting.splice(0)) wake();
    });
    this.closed = new Promise((resolve) => {
      this.socket.addEventListener("close", (event) => {
        const { code, reason } = event as Event & { code: number; reason: string };
        resolve({ code, reason });
      });
    });
  }

  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<RawWebSocket> {
    const raw = new RawWebSocket(url, headers);
    onTestFinished(() => raw.socket.destroy());
    await new Promise((resolve, reject) => {
      raw.socket.addEventListener("open", resolve);
      raw.socket.addEventListener("close", () => reject(new Error("The socket did not open.")));
    });
    return raw;
  }

  /** Each message is a frame; all frames of one call leave in one write. */
  send(...frames: readonly object[]): void {
    this.socket.send(...frames.map((frame) => JSON.stringify({ jsonrpc: "2.0", ...frame })));
  }

  async initialize(protocolVersion: 1 | 2 = 1): Promise<Frame> {
    this.send({ id: 0, method: "initialize", params: hellos[protocolVersion] });
    return this.answer(0);
  }

  async newSession(id: number | string = "new"): Promise<string> {
    this.send({ id, method: "session/new", params: { cwd: "/srv", mcpServers: [] } });
    return (await this.answer(id)).result.sessionId;
  }

  prompt(sessionId: string, id: number | string): void {
    this.send({ id, method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text: "go" }] } });
  }

  /** The `nth` message (from 0), received or yet to come, that fits. */
  async next(matches: (frame: Frame) => boolean, nth = 0): Promise<Frame> {
    for (;;) {
      const found = this.frames.filter(matches)[nth];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  answer(id: unknown, nth = 0): Promise<Frame> {
    return this.next((frame) => frame.id === id && !("method" in frame), nth);
  }

  call(method: string): Promise<Frame> {
    return this.next((frame) => frame.method === method);
  }
}

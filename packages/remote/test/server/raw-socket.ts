import type { ServerSocket, SocketListener, Upgrade } from "../../src/server/index.js";
import type { Frame } from "../client/raw-server.js";
import { type HeaderList, Stage } from "./raw-client.js";

const socketAddress = "http://127.0.0.1:4040/acp";

/** A WebSocket without a network, with the hands of a client: it sends bare texts, and keeps what arrives. */
export class RawSocket implements ServerSocket {
  bufferedAmount = 0;
  readonly texts: string[] = [];
  pings = 0;
  isPaused = false;
  isTerminated = false;
  /** Code and reason with which the server closed. */
  end: { readonly code: number; readonly reason: string } | undefined;
  /** `true` adds what is sent to the amount that waits. */
  isStuck = false;
  readonly listener: SocketListener;
  #waiting: (() => void)[] = [];

  constructor(upgrade: Upgrade) {
    this.listener = upgrade.open(this);
  }

  send(text: string): void {
    this.texts.push(text);
    if (this.isStuck) this.bufferedAmount += text.length;
    this.#tell();
  }

  ping(): void {
    this.pings += 1;
  }

  close(code: number, reason: string): void {
    this.end ??= { code, reason };
    this.#tell();
    this.listener?.closed(code);
  }

  terminate(): void {
    this.isTerminated = true;
    this.#tell();
    this.listener.closed(1006);
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  get frames(): readonly Frame[] {
    return this.texts.map((text) => JSON.parse(text) as Frame);
  }

  /** Cursors of the messages. */
  get cursors(): readonly string[] {
    return this.frames.map((frame) => (frame as { _meta?: Record<string, string> })._meta?.["acp/cursor"] ?? "");
  }

  write(...frames: readonly (Frame | string)[]): void {
    for (const frame of frames)
      this.listener.text(typeof frame === "string" ? frame : JSON.stringify({ jsonrpc: "2.0", ...frame }));
  }

  call(id: string | number, method: string, params: object = {}): void {
    this.write({ id, method, params });
  }

  /** Waits until something holds. */
  async until(done: () => boolean): Promise<void> {
    while (!done()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** The answer to a request, received or yet to come. */
  async answer(id: string | number): Promise<Frame> {
    const find = () => this.frames.find((frame) => frame.id === id && frame.method === undefined);
    await this.until(() => find() !== undefined);
    return find() as Frame;
  }

  #tell(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

/** A server under test with WebSockets. */
export class SocketStage extends Stage {
  /** Asks for an upgrade. */
  async ask101(headers: HeaderList = {}): Promise<Upgrade | Response> {
    return this.server.upgrade(new Request(socketAddress, { headers: { Upgrade: "websocket", ...headers } }));
  }

  /** Opens a WebSocket. */
  async socket(headers: HeaderList = {}): Promise<RawSocket> {
    const upgrade = await this.ask101(headers);
    if (upgrade instanceof Response) throw new Error(`the upgrade was refused: ${upgrade.status}`);
    this.connectionId = upgrade.headers.get("Acp-Connection-Id") ?? "";
    return new RawSocket(upgrade);
  }

  /** Opens a WebSocket, and begins a connection. */
  async begin(params: object = {}): Promise<RawSocket> {
    const socket = await this.socket();
    socket.call(0, "initialize", { protocolVersion: 1, ...params });
    await socket.answer(0);
    return socket;
  }

  /** Opens a WebSocket that continues the connection. */
  async again(cursor: string | undefined, headers: HeaderList = this.headers()): Promise<RawSocket> {
    const { connectionId } = this;
    const socket = await this.socket(headers);
    const streams = cursor === undefined ? [] : [{ cursor }];
    socket.call("r", "stream/resume", { connectionId, streams });
    this.connectionId = connectionId;
    return socket;
  }
}

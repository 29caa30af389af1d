import { Buffer } from "node:buffer";
import { createHash, randomBytes } from "node:crypto";
import { type IncomingMessage, request } from "node:http";
import type { Duplex } from "node:stream";

const acceptOf = (key: string) =>
  createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");

const opcodes = { text: 1, binary: 2, close: 8 } as const;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * WebSocket of the standard shape, for either side, since Node 20 has none. It sends unfragmented frames of RFC 6455 over a
 * socket. `pause` and `resume` are those of other implementations for Node.
 */
export class FramedSocket extends EventTarget {
  /** 0 connecting, 1 open, 2 closing, 3 closed. */
  readyState = 0;
  /** Headers of the answer to the upgrade. */
  headers: Headers = {};
  #pipe: Duplex | undefined;
  #rest = Buffer.alloc(0);
  #end = { code: 1006, reason: "" };
  readonly #masked: boolean;

  /** Connects to a server; {@link FramedSocket.accept} makes the other side. */
  constructor(
    url?: string,
    _protocols?: string | string[],
    options: { readonly headers?: Record<string, string> } = {},
  ) {
    super();
    this.#masked = url !== undefined;
    if (url === undefined) return;
    const key = randomBytes(16).toString("base64");
    const headers = {
      ...options.headers,
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": key,
    };
    const asked = request(url.replace(/^ws/, "http"), { headers });
    asked.on("upgrade", (answer, pipe, head) => {
      this.headers = answer.headers;
      this.dispatchEvent(Object.assign(new Event("upgrade"), { headers: answer.headers }));
      if (answer.headers["sec-websocket-accept"] === acceptOf(key)) this.#open(pipe, head);
      else pipe.destroy();
    });
    asked.on("response", (answer) => {
      answer.resume();
      this.#fail(new Error(`The upgrade was answered ${answer.statusCode}.`));
    });
    asked.on("error", (error) => this.#fail(error));
    asked.end();
  }

  /** Answers an upgrade. */
  static accept(upgrade: IncomingMessage, pipe: Duplex, head: Buffer, headers: readonly string[] = []): FramedSocket {
    const accept = `Sec-WebSocket-Accept: ${acceptOf(upgrade.headers["sec-websocket-key"] ?? "")}`;
    const start = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade", accept];
    pipe.write(`${[...start, ...headers].join("\r\n")}\r\n\r\n`);
    const socket = new FramedSocket();
    socket.#open(pipe, head);
    return socket;
  }

  get bufferedAmount(): number {
    return this.#pipe?.writableLength ?? 0;
  }

  /** Each text is a frame; all of one call leave in one write. */
  send(...texts: readonly string[]): void {
    if (this.readyState === 0) throw new Error("The socket is not open yet.");
    if (this.readyState === 1) this.#write(...texts.map((text) => frameOf("text", Buffer.from(text), this.#masked)));
  }

  sendBinary(bytes: Uint8Array): void {
    this.#write(frameOf("binary", bytes, this.#masked));
  }

  close(code?: number, reason = ""): void {
    if (this.readyState === 0) this.#pipe?.destroy();
    if (this.readyState !== 1) return;
    this.readyState = 2;
    const words = Buffer.from(reason);
    const body = code === undefined ? Buffer.alloc(0) : Buffer.concat([Buffer.from([code >> 8, code & 255]), words]);
    this.#write(frameOf("close", body, this.#masked));
  }

  /** Breaks the connection without a word. */
  destroy(): void {
    this.#pipe?.destroy();
  }

  pause(): void {
    this.#pipe?.pause();
  }

  resume(): void {
    this.#pipe?.resume();
  }

  #open(pipe: Duplex, head: Buffer): void {
    this.#pipe = pipe;
    this.readyState = 1;
    pipe.on("error", () => {});
    pipe.on("end", () => pipe.end());
    pipe.on("close", () => this.#closed());
    this.dispatchEvent(new Event("open"));
    pipe.unshift(head);
    pipe.on("data", (chunk: Buffer) => this.#read(chunk));
  }

  #write(...frames: readonly Buffer[]): void {
    this.#pipe?.write(Buffer.concat(frames));
  }

  #read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (let frame = parse(this.#rest); frame !== undefined; frame = parse(this.#rest)) {
      this.#rest = this.#rest.subarray(frame.size);
      if (frame.opcode === opcodes.close) this.#onClose(frame.body);
      else this.#tell("message", { data: frame.opcode === opcodes.text ? frame.body.toString() : frame.body });
    }
  }

  #onClose(body: Buffer): void {
    this.#end = { code: body.length >= 2 ? body.readUInt16BE() : 1005, reason: body.subarray(2).toString() };
    this.close(body.length >= 2 ? this.#end.code : undefined);
    this.#pipe?.end();
  }

  #closed(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.#tell("close", this.#end);
  }

  #fail(error: Error): void {
    this.#tell("error", { message: error.message, error });
    this.#closed();
  }

  #tell(type: string, fields: object): void {
    this.dispatchEvent(Object.assign(new Event(type), fields));
  }
}

function frameOf(kind: keyof typeof opcodes, body: Uint8Array, masked: boolean): Buffer {
  const mask = masked ? randomBytes(4) : Buffer.alloc(0);
  const bytes = masked ? Buffer.from(body.map((byte, at) => byte ^ (mask[at & 3] as number))) : body;
  return Buffer.concat([Buffer.from([0x80 | opcodes[kind], ...lengthOf(body.length, masked ? 0x80 : 0)]), mask, bytes]);
}

function lengthOf(length: number, maskBit: number): Uint8Array {
  if (length < 126) return Uint8Array.of(maskBit | length);
  const wide = Buffer.alloc(length < 65_536 ? 3 : 9);
  wide[0] = maskBit | (length < 65_536 ? 126 : 127);
  wide.writeUIntBE(length, wide.length - (length < 65_536 ? 2 : 6), length < 65_536 ? 2 : 6);
  return wide;
}

function parse(bytes: Buffer): { readonly opcode: number; readonly body: Buffer; readonly size: number } | undefined {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] as number) & 0x7f;
  const wide = short === 126 ? 2 : short === 127 ? 8 : 0;
  if (bytes.length < 2 + wide) return undefined;
  const length = wide === 0 ? short : wide === 2 ? bytes.readUInt16BE(2) : bytes.readUIntBE(4, 6);
  const masked = ((bytes[1] as number) & 0x80) !== 0;
  const at = 2 + wide + (masked ? 4 : 0);
  if (bytes.length < at + length) return undefined;
  const mask = bytes.subarray(at - 4, at);
  const body = Buffer.from(bytes.subarray(at, at + length));
  if (masked) for (let i = 0; i < length; i += 1) body[i] = (body[i] as number) ^ (mask[i & 3] as number);
  return { opcode: (bytes[0] as number) & 0x0f, body, size: at + length };
}

import { RawPipe } from "./raw-socket.js";

/** Types of frames of HTTP/2. */
export const frameType = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7, window: 8 } as const;

type Frame = { readonly type: number; readonly flags: number; readonly stream: number; readonly payload: Buffer };

/** A client of HTTP/2 that sends the frames of a test, and nothing by itself: no acknowledgement, no window. */
export class RawHttp2 {
  readonly pipe: RawPipe;

  /** Opens a connection. With `window`, the server may send this many bytes of each answer. */
  constructor(port: number, { window = 65_535 } = {}) {
    this.pipe = new RawPipe(port);
    this.pipe.socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    const payload = Buffer.alloc(6);
    payload.writeUInt16BE(4, 0);
    payload.writeUInt32BE(window, 2);
    this.send(frameType.settings, 0, 0, payload);
  }

  send(type: number, flags: number, stream: number, payload: Uint8Array = new Uint8Array()): void {
    const head = Buffer.alloc(9);
    head.writeUIntBE(payload.byteLength, 0, 3);
    head[3] = type;
    head[4] = flags;
    head.writeUInt32BE(stream, 5);
    this.pipe.socket.write(Buffer.concat([head, payload]));
  }

  /** Sends the headers of a request. `ends` says that no body follows. */
  request(stream: number, method: string, ends: boolean): void {
    const fields = [":method", method, ":scheme", "http", ":authority", "localhost", ":path", "/"];
    const pair = (name: string, value: string) =>
      Buffer.concat([
        Buffer.from([0, name.length]),
        Buffer.from(name),
        Buffer.from([value.length]),
        Buffer.from(value),
      ]);
    const block = [0, 2, 4, 6].map((at) => pair(fields[at] as string, fields[at + 1] as string));
    this.send(frameType.headers, ends ? 5 : 4, stream, Buffer.concat(block));
  }

  body(stream: number, bytes: number): void {
    this.send(frameType.data, 0, stream, Buffer.alloc(bytes));
  }

  /** The frames that have arrived. */
  get frames(): readonly Frame[] {
    const bytes = Buffer.from(this.pipe.text, "latin1");
    const frames: Frame[] = [];
    for (let at = 0; at + 9 <= bytes.length; ) {
      const size = bytes.readUIntBE(at, 3);
      if (at + 9 + size > bytes.length) break;
      const [type = 0, flags = 0] = bytes.subarray(at + 3, at + 5);
      const payload = bytes.subarray(at + 9, at + 9 + size);
      frames.push({ type, flags, stream: bytes.readUInt32BE(at + 5), payload });
      at += 9 + size;
    }
    return frames;
  }

  /** Waits for a frame of a stream, 0 for the connection. */
  async frame(type: number, stream: number): Promise<Frame> {
    for (;;) {
      const found = this.frames.find((frame) => frame.type === type && frame.stream === stream);
      if (found !== undefined) return found;
      await this.pipe.arrival();
    }
  }
}

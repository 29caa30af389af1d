import type { Channel, Message, Room } from "../channel.js";
import { checkArgument, checkStreams } from "../check-argument.js";
import { FLUSH_MS } from "./closing.js";
import { LineReader } from "./line-reader.js";
import { type LineSink, LineWriter } from "./line-writer.js";
import { allLimits, type ChannelLimits, checkLimits } from "./message-size.js";
import { WebStreamChannel } from "./web-stream.js";

/**
 * Two web streams of bytes, for example of a socket or a worker. The channel locks both streams, and nothing else may
 * use them.
 */
export type ByteStreams = {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
};

/** Bounds of a channel over byte streams. */
export type ByteStreamLimits = Partial<ChannelLimits>;

/**
 * Creates a channel of newline-delimited JSON over web streams, in any runtime. The bounds, batches and errors are the
 * same as for `createStdioChannel` in `@turnkit/transport/node`.
 *
 * @example
 * const channel = createByteStreamChannel({ readable: socket.readable, writable: socket.writable });
 */
export function createByteStreamChannel(streams: ByteStreams, limits: ByteStreamLimits = {}): Channel {
  checkStreams("createByteStreamChannel", streams);
  checkLimits("createByteStreamChannel", limits);
  return new ByteStreamChannel(streams, allLimits(limits));
}

class BytesReader extends LineReader {
  override push(chunk: Uint8Array): void {
    const remedy = "pass streams of bytes, without a TextDecoderStream";
    checkArgument(ArrayBuffer.isView(chunk), "createByteStreamChannel readable", { got: chunk, remedy });
    super.push(chunk);
  }
}

class ByteStreamChannel extends WebStreamChannel<Uint8Array, Uint8Array> {
  readonly #writing: LineWriter;

  constructor({ readable, writable }: ByteStreams, limits: ChannelLimits) {
    super(readable, writable, new BytesReader(limits.frame));
    const encoder = new TextEncoder();
    const sink: LineSink = {
      encode: (text) => encoder.encode(text),
      allocate: (size) => new Uint8Array(size),
      write: (bytes, written) => void this.writer.write(bytes).then(written, (cause) => this.writeFailed(cause)),
      defer: queueMicrotask,
      overflow: (reason) => void this.closing.begin(reason),
    };
    this.#writing = new LineWriter(sink, limits);
  }

  send(message: Message): Room {
    return this.#writing.send(message);
  }

  protected async flush(isBroken: boolean): Promise<boolean> {
    const patience = setTimeout(() => this.#writing.stop(), FLUSH_MS);
    if (isBroken) this.#writing.stop();
    const isWritten = await this.#writing.finish();
    clearTimeout(patience);
    return isWritten;
  }
}

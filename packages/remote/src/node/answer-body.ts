import type { Writable } from "node:stream";

/** Answer to a request, over HTTP/1.1 or HTTP/2. */
export interface Answer {
  readonly out: Writable;
  /** Sends status and headers. With `size`, the body is complete and has this many bytes. */
  begin(size?: number): void;
  /** Ends the answer so that the client sees that it is not complete. */
  cut(): void;
}

type Body = ReadableStreamDefaultReader<Uint8Array>;

/**
 * Writes a body at the pace of the client. Headers are sent immediately, without waiting for the first piece of the
 * body. Cuts the answer if it cannot be sent, if the body fails, or if the client takes nothing for `stalledMs`.
 */
export async function writeBody(
  body: ReadableStream<Uint8Array> | null,
  answer: Answer,
  stalledMs: number,
): Promise<void> {
  const { out } = answer;
  if (out.destroyed) {
    // The client left before the answer was ready.
    await body?.cancel().catch(() => {});
    return;
  }
  const stall = watchStall(answer, stalledMs);
  let reader: Body | undefined;
  const cancel = () => void reader?.cancel().catch(() => {});
  out.once("close", cancel);
  try {
    reader = body?.getReader();
    if (reader === undefined) answer.begin(0);
    else await copy(reader, answer, stall);
    stall.start();
    out.end();
  } catch {
    answer.cut();
  }
  out.removeListener("close", cancel);
  if (out.destroyed) cancel();
}

async function copy(reader: Body, answer: Answer, stall: Stall): Promise<void> {
  // This also detects a client that left while the answer was waiting for it.
  reader.closed.catch(() => answer.cut());
  const first = reader.read();
  const early = await Promise.race([first, nextTurn()]);
  if (early === undefined) answer.begin();
  const { done, value } = early ?? (await first);
  if (done) {
    if (early !== undefined) answer.begin(0);
    return;
  }
  // A body with a single piece is complete at this point, and gets a length. A stream of events continues later.
  const second = reader.read();
  const end = await Promise.race([second, nextTurn()]);
  if (early !== undefined) answer.begin(end?.done ? value.byteLength : undefined);
  await write(value, answer.out, stall);
  for (let next = end ?? (await second); !next.done && !answer.out.destroyed; next = await reader.read())
    await write(next.value, answer.out, stall);
}

/** Resolves in the next turn of the event loop. */
function nextTurn(): Promise<undefined> {
  return new Promise((resolve) => setImmediate(resolve, undefined));
}

async function write(chunk: Uint8Array, out: Writable, stall: Stall): Promise<void> {
  if (out.write(chunk) || out.destroyed) return;
  stall.start();
  await new Promise<void>((resolve) => {
    const done = () => {
      out.removeListener("drain", done);
      out.removeListener("close", done);
      resolve();
    };
    out.once("drain", done);
    out.once("close", done);
  });
}

/** Timer that runs while bytes wait for the client. */
type Stall = { start(): void };

function watchStall(answer: Answer, ms: number): Stall {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => clearTimeout(timer);
  answer.out.on("drain", stop);
  answer.out.once("finish", stop);
  answer.out.once("close", stop);
  return {
    start() {
      stop();
      // Nothing would stop the timer after the close.
      if (answer.out.destroyed) return;
      timer = setTimeout(() => answer.cut(), ms);
      timer.unref();
    },
  };
}

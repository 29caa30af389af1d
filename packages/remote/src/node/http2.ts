import { constants, performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import { refuse } from "../server/answers.js";
import { writeBody } from "./answer-body.js";
import { answerHeaders, hasLength } from "./answer-headers.js";
import type { Handler } from "./handler.js";
import type { Speaker } from "./http1.js";
import { keepSession } from "./http2-life.js";
import { createTurns } from "./turns.js";

const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR } = constants;

/** Bytes that a client may send before the server has read them: for one request, and for all of a connection. */
const windows = { stream: 256 * 1024, session: 1024 * 1024 };

/** Memory of one connection for headers, waiting frames and streams, in MB. */
const SESSION_MB = 32;

/** Creates the part of a port for HTTP/2. */
export function createHttp2(handler: Handler): Speaker {
  const { streams, headerBytes } = handler.limits;
  const sessions = new Set<ServerHttp2Session>();
  let isClosing = false;
  const settings = {
    enablePush: false,
    maxConcurrentStreams: streams,
    maxHeaderListSize: headerBytes,
    initialWindowSize: windows.stream,
  };
  return {
    take(socket) {
      const session = performServerHandshake(socket, { settings, maxSessionMemory: SESSION_MB });
      sessions.add(session);
      // A broken session closes its streams, and each stream ends its own work.
      session.on("error", () => {});
      session.once("close", () => sessions.delete(session));
      session.setLocalWindowSize(windows.session);
      // A client that has ended its side does not read answers. The port lets sockets be half-open for HTTP/1.1.
      socket.once("end", () => session.destroy());
      keepSession(session, handler.limits);
      const turn = createTurns();
      session.on("stream", (...[stream, , , rawHeaders]: Arrived) => {
        // Also while the stream waits for its turn.
        stream.on("error", () => {});
        turn(() => serve(stream, rawHeaders ?? [], handler)).catch(() => stream.destroy());
      });
      if (isClosing) session.close();
    },
    close() {
      isClosing = true;
      for (const session of sessions) session.close();
    },
  };
}

async function serve(stream: ServerHttp2Stream, rawHeaders: readonly string[], handler: Handler): Promise<void> {
  const { requestMs, stalledMs, lingerMs } = handler.limits;
  const gone = new AbortController();
  if (stream.destroyed) gone.abort();
  const overdue = setTimeout(() => void timeOut(stream), requestMs);
  overdue.unref();
  stream.once("end", () => clearTimeout(overdue));
  stream.once("close", () => {
    clearTimeout(overdue);
    gone.abort();
  });
  const cut = () => void stream.destroy(new Error("The answer was cut."));
  const answer = await answerTo({ stream, rawHeaders, signal: gone.signal }, handler);
  stream.once("finish", () => {
    if (stream.readableEnded) return;
    // The client learns that the rest of its body is not wanted.
    stream.close(NGHTTP2_NO_ERROR);
    setTimeout(() => stream.destroyed || stream.destroy(), lingerMs).unref();
  });
  const begin = (size?: number) => {
    // A client may reset a stream in such a way that it is closed, and not destroyed.
    if (stream.headersSent || stream.closed || stream.destroyed) return;
    const isStated = size !== undefined && hasLength(pseudoHeader(rawHeaders, ":method"), answer.status);
    const length = isStated ? { "content-length": size } : {};
    stream.respond({ ":status": answer.status, ...answerHeaders(answer.headers), ...length });
  };
  await writeBody(answer.body, { out: stream, begin, cut }, stalledMs);
}

/** Arguments of the event of a new stream. The types of Node leave the last one out. */
type Arrived = [stream: ServerHttp2Stream, headers: object, flags: number, rawHeaders?: readonly string[]];

type Incoming = {
  readonly stream: ServerHttp2Stream;
  readonly rawHeaders: readonly string[];
  readonly signal: AbortSignal;
};

function answerTo({ stream, rawHeaders, signal }: Incoming, handler: Handler): Response | Promise<Response> {
  const size = rawHeaders.reduce((sum, text) => sum + text.length + 16, 0);
  if (size > handler.limits.headerBytes) return refuse(431, "The headers of the request are too large.");
  const pseudo = (name: string) => pseudoHeader(rawHeaders, name);
  const method = pseudo(":method");
  const hasBody = !stream.readableEnded && method !== "GET" && method !== "HEAD";
  return handler.answer({
    scheme: pseudo(":scheme") === "https" ? "https" : "http",
    host: pseudo(":authority") || pseudo("host"),
    target: pseudo(":path"),
    method,
    rawHeaders,
    signal,
    ...(hasBody ? { body: stream } : {}),
  });
}

function pseudoHeader(rawHeaders: readonly string[], name: string): string {
  const index = rawHeaders.findIndex((text, at) => at % 2 === 0 && text === name);
  return index === -1 ? "" : (rawHeaders[index + 1] as string);
}

/** Answers 408 to a request that is not complete in time, and closes its stream. */
function timeOut(stream: ServerHttp2Stream): void {
  if (!stream.headersSent && !stream.closed && !stream.destroyed) {
    stream.respond({ ":status": 408, "content-length": 0 });
    stream.end();
  }
  stream.close(NGHTTP2_CANCEL);
}

import { constants, performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import { refuse } from "../server/answers.js";
import { writeBody } from "./answer-body.js";
import { answerHeaders, hasLength } from "./answer-headers.js";
import { clientGone, type Handler, whileWanted } from "./handler.js";
import type { Speaker } from "./http1.js";
import { keepSession } from "./http2-life.js";
import { RequestBody } from "./request-body.js";
import type { Undecided, UndecidedRequest } from "./undecided.js";

const { NGHTTP2_CANCEL, NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_FLAG_END_STREAM, NGHTTP2_NO_ERROR } = constants;

/**
 * Bytes that a client may send before the server has read them: for one request, and for all of a connection. Until a
 * principal is known, the default windows of the protocol apply: 64 KiB each. Node enlarges the window of the
 * connection again before the server has read the bytes. Therefore only the windows of requests slow a client down.
 */
const windows = { stream: 256 * 1024, session: 1024 * 1024 };

/** Memory of one connection for headers, waiting frames and streams, in MB. */
const SESSION_MB = 32;

/** Creates the part of a port for HTTP/2. */
export function createHttp2(handler: Handler, all: Undecided): Speaker {
  const { streams, headerBytes } = handler.limits;
  const sessions = new Set<ServerHttp2Session>();
  let isClosing = false;
  const settings = { enablePush: false, maxConcurrentStreams: streams, maxHeaderListSize: headerBytes };
  return {
    take(socket) {
      const session = performServerHandshake(socket, { settings, maxSessionMemory: SESSION_MB });
      sessions.add(session);
      // A broken session closes its streams, and each stream ends its own work.
      session.on("error", () => {});
      session.once("close", () => sessions.delete(session));
      // A client that has ended its side does not read answers. The port lets sockets be half-open for HTTP/1.1.
      socket.once("end", () => session.destroy());
      keepSession(session, handler.limits);
      const requests = all.connection(createWidening(session));
      session.once("close", () => requests.end());
      session.on("stream", (...[stream, , flags, rawHeaders = []]: Arrived) => {
        // Also while the stream waits for its turn.
        stream.on("error", () => {});
        const undecided = requests.begin(rawHeaders, () => stream.close(NGHTTP2_ENHANCE_YOUR_CALM));
        stream.once("close", undecided.closed);
        // The stream was cut immediately, or reset in the same read.
        if (stream.closed) return void stream.destroy();
        const body = flags & NGHTTP2_FLAG_END_STREAM ? undefined : new RequestBody(stream, undecided);
        const exchange = { stream, rawHeaders, body, undecided };
        undecided.serve(() => serve(exchange, handler).catch(() => stream.destroy()));
      });
      if (isClosing) session.close();
    },
    close() {
      isClosing = true;
      for (const session of sessions) session.close();
    },
  };
}

/** Returns a function that makes the windows of a connection wider, once. */
function createWidening(session: ServerHttp2Session): () => void {
  let isWide = false;
  return () => {
    if (isWide || session.closed || session.destroyed) return;
    isWide = true;
    session.settings({ initialWindowSize: windows.stream });
    session.setLocalWindowSize(windows.session);
  };
}

/** A request of HTTP/2. */
type Exchange = {
  readonly stream: ServerHttp2Stream;
  readonly rawHeaders: readonly string[];
  readonly body: RequestBody | undefined;
  readonly undecided: UndecidedRequest;
};

async function serve({ stream, rawHeaders, body, undecided }: Exchange, handler: Handler): Promise<void> {
  const { requestMs, stalledMs, lingerMs } = handler.limits;
  const gone = new AbortController();
  const overdue = setTimeout(() => void timeOut(stream), requestMs);
  overdue.unref();
  const left = () => {
    clearTimeout(overdue);
    gone.abort(clientGone);
  };
  stream.once("end", () => clearTimeout(overdue));
  stream.once("close", left);
  // The client left before its request was handled, so nothing would report its close.
  if (stream.destroyed) left();
  const cut = () => void stream.destroy(new Error("The answer was cut."));
  const answer = await whileWanted(answerTo({ rawHeaders, body, signal: gone.signal }, handler), gone.signal);
  if (answer === undefined) return;
  undecided.answered(answer.ok);
  stream.once("finish", () => {
    if (stream.readableEnded) return;
    // The reset shows the client that the rest of its body is not needed.
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

type Incoming = Pick<Exchange, "rawHeaders" | "body"> & { readonly signal: AbortSignal };

async function answerTo({ rawHeaders, body, signal }: Incoming, handler: Handler): Promise<Response> {
  const size = rawHeaders.reduce((sum, text) => sum + text.length + 16, 0);
  if (size > handler.limits.headerBytes) return refuse(431, "The headers of the request are too large.");
  const pseudo = (name: string) => pseudoHeader(rawHeaders, name);
  const method = pseudo(":method");
  return handler.answer({
    scheme: pseudo(":scheme") === "https" ? "https" : "http",
    host: pseudo(":authority") || pseudo("host"),
    target: pseudo(":path"),
    method,
    rawHeaders,
    signal,
    body,
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

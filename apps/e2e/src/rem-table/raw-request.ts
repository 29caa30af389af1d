import { Agent, type IncomingHttpHeaders, request as requestHttp1 } from "node:http";
import { connect, type IncomingHttpHeaders as Http2Headers } from "node:http2";
import { request as requestHttps } from "node:https";
import { EventFeed } from "./event-feed.js";
import { PATH } from "./peer.js";

/** Headers of a request. Those of HTTP/2 get small letters. */
export type RawHeaders = Readonly<Record<string, string>>;

/** Protocol of a request. */
export type Wire = "http/1.1" | "http/2";

/** Place of a server. */
export type Target = {
  readonly port: number;
  readonly wire: Wire;
  readonly tls: boolean;
  readonly path?: string;
  /** Longest wait for an event, in milliseconds. */
  readonly patience: number;
};

/** One request. */
export type Asked = { readonly method: string; readonly headers: RawHeaders; readonly body?: string | Buffer };

/** An answer whose headers have arrived. */
export class Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders | Http2Headers;
  readonly feed: EventFeed;
  readonly #end: () => void;

  constructor(status: number, { headers, feed, end }: { headers: Reply["headers"]; feed: EventFeed; end: () => void }) {
    this.status = status;
    this.headers = headers;
    this.feed = feed;
    this.#end = end;
  }

  /** The whole body. */
  async text(): Promise<string> {
    await this.feed.ended;
    return this.feed.text;
  }

  /** Cuts the connection. */
  cut(): void {
    this.#end();
  }
}

/** Sends one request on a connection of its own. Settles with the headers of the answer. */
export function sendRaw(target: Target, asked: Asked): Promise<Reply> {
  return target.wire === "http/2" ? sendHttp2(target, asked) : sendHttp1(target, asked);
}

function sendHttp1({ port, tls, path = PATH, patience }: Target, { method, headers, body }: Asked): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path, method, headers };
    const asked = tls
      ? requestHttps({ ...options, rejectUnauthorized: false, agent: false })
      : requestHttp1({ ...options, agent: new Agent() });
    asked.on("error", reject);
    asked.on("response", (answer) => {
      answer.on("error", () => {});
      const end = () => void asked.destroy();
      resolve(
        new Reply(answer.statusCode ?? 0, { headers: answer.headers, feed: new EventFeed(answer, patience), end }),
      );
    });
    asked.end(body);
  });
}

function sendHttp2({ port, tls, path = PATH, patience }: Target, { method, headers, body }: Asked): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const session = connect(`http${tls ? "s" : ""}://127.0.0.1:${port}`, { rejectUnauthorized: false });
    session.on("error", reject);
    const fields = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name === "Host" ? ":authority" : name.toLowerCase(), value]),
    );
    const stream = session.request({ ...fields, ":method": method, ":path": path }, { endStream: body === undefined });
    stream.on("error", reject);
    stream.on("close", () => session.close());
    stream.on("response", (received) => {
      const end = () => void session.destroy();
      resolve(new Reply(received[":status"] ?? 0, { headers: received, feed: new EventFeed(stream, patience), end }));
    });
    if (body !== undefined) stream.end(body);
  });
}

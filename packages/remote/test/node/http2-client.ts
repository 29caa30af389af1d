import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from "node:http2";
import { onTestFinished } from "vitest";

/** Answer over HTTP/2. */
export type Http2Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, any>>;
  readonly text: string;
};

/** Opens a connection of HTTP/2, until the end of the test. */
export function openHttp2(url: string): ClientHttp2Session {
  const session = connect(url, { rejectUnauthorized: false });
  session.on("error", () => {});
  onTestFinished(() => void session.destroy());
  return session;
}

/** Makes one request. Rejects if its stream is reset before an answer. */
export function ask(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: string | Uint8Array,
): Promise<Http2Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ":path": "/", ...headers }, { endStream: body === undefined });
    let answer: Readonly<Record<string, any>> = {};
    let text = "";
    stream.on("response", (received) => {
      answer = received;
    });
    stream.setEncoding("utf8");
    stream.on("data", (part) => {
      text += String(part);
    });
    stream.on("error", reject);
    stream.on("close", () => {
      if (answer[":status"] === undefined) reject(new Error(`The stream closed with ${stream.rstCode}.`));
      else resolve({ status: answer[":status"], headers: answer, text });
    });
    if (body !== undefined) stream.end(body);
  });
}

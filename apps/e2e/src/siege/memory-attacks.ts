import { type ClientHttp2Session, connect } from "node:http2";
import type { Attack, Target } from "./attack.js";

/** Most growth of the server's memory in an attack, in bytes: what is not decided has a bound of 64 MiB. */
const MOST = 192 * 2 ** 20;

/** Largest body that a client may send before the server reads it. */
const body = Buffer.alloc(65_535, " ");

/** Opens connections of HTTP/2 with many requests each. With a window of 0, no answer can be sent. */
async function http2(target: Target, headers: Readonly<Record<string, string>>, window?: number): Promise<void> {
  const { connections, requests } = target.scale;
  for (let count = 0; count < connections; count += 1) {
    const options = window === undefined ? {} : { settings: { initialWindowSize: window } };
    const session = connect(`http://127.0.0.1:${target.port}`, options);
    session.on("error", () => {});
    target.atEnd(() => session.destroy());
    await new Promise((resolve) => session.once("remoteSettings", resolve));
    for (let sent = 0; sent < requests && !session.destroyed; sent += 1) send(session, headers);
  }
}

function send(session: ClientHttp2Session, headers: Readonly<Record<string, string>>): void {
  const json = { ":method": "POST", ":path": "/acp", "content-type": "application/json" };
  const stream = session.request({ ...json, ...headers });
  stream.on("error", () => {});
  // The last byte never comes.
  stream.write(body);
}

/** Opens connections of HTTP/1.1 that send a text as long as the server takes it. */
async function http1(target: Target, connections: number, text: string): Promise<void> {
  for (let count = 0; count < connections; count += 1) {
    const { socket } = await target.pipe();
    const more = () => {
      while (!socket.destroyed && socket.writableLength < 2 ** 20) socket.write(text);
    };
    socket.on("drain", more);
    more();
  }
}

const post =
  "POST /acp HTTP/1.1\r\nAuthorization: Bearer slow\r\nHost: localhost\r\nContent-Type: application/json\r\n";

/** Attack without a token, during which the memory of the server is measured. */
const attack = (name: string, send: (target: Target) => Promise<void>): Attack => ({
  name: `without a token: ${name}`,
  expected: "served, within the bound",
  async run(target) {
    const before = await target.memory();
    await send(target);
    // The server reads for a while.
    await new Promise((resolve) => setTimeout(resolve, target.scale.bodyMs / 4));
    const grown = (await target.memory()) - before;
    const size = grown < MOST ? "within the bound" : `${Math.round(grown / 2 ** 20)} MiB more`;
    return `${await target.service()}, ${size}`;
  },
});

/** Attacks that fill the memory of a server without a token. The token `slow` is one that the server takes long to refuse. */
export const memoryAttacks: readonly Attack[] = [
  attack("HTTP/2, 20 000 bodies while the server decides", (target) => http2(target, { authorization: "Bearer slow" })),
  attack("HTTP/2, 20 000 bodies whose refusals nobody reads", (target) => http2(target, {}, 0)),
  attack("HTTP/2, 20 000 requests of 12 kB of headers", (target) =>
    http2(target, { authorization: "Bearer slow", "x-long": "x".repeat(12_000) }),
  ),
  attack("HTTP/1.1, bodies in chunks of one byte", (target) =>
    http1(target, target.scale.slow, `${post}Transfer-Encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(100_000)}`),
  ),
  attack("HTTP/1.1, thousands of requests in a row", (target) =>
    http1(target, target.scale.connections, `${post}Content-Length: 0\r\n\r\n`.repeat(2_000)),
  ),
];

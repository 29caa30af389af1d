import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Cut, CutClass } from "./cut-plan.js";

/** One connection through the proxy. */
type Line = {
  readonly client: Socket;
  readonly server: Socket;
  /** Bytes so far of each direction. */
  sent: number;
  received: number;
  /** Pieces of the client since the last piece of the server. */
  asked: boolean;
  isDead: boolean;
};

/** Number of the first bytes of a connection that hold headers, or the handshake of TLS. */
const START = 300;

/** A TCP proxy that cuts connections as a plan says, one cut after the other. */
export class CuttingProxy {
  port = 0;
  /** Half-open cuts wait until this is set: before the answer of `initialize`, a silent network costs 30 s. */
  isConnected = false;
  /** Classes of the cuts that were made. */
  readonly made: CutClass[] = [];
  readonly #target: number;
  readonly #cuts: Cut[];
  readonly #lines = new Set<Line>();
  readonly #server = createServer((client) => this.#join(client));
  #pieces = 0;

  private constructor(target: number, cuts: readonly Cut[]) {
    this.#target = target;
    this.#cuts = [...cuts];
  }

  static async start(target: number, cuts: readonly Cut[]): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target, cuts);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    proxy.port = (proxy.#server.address() as AddressInfo).port;
    return proxy;
  }

  close(): void {
    this.#server.close();
    for (const line of this.#lines) this.#destroy(line);
  }

  #join(client: Socket): void {
    const server = connect(this.#target, "127.0.0.1");
    const line: Line = { client, server, sent: 0, received: 0, asked: false, isDead: false };
    this.#lines.add(line);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on("error", () => this.#destroy(line));
      socket.once("close", () => {
        // A half-open line stays as it is: nobody is told.
        if (!line.isDead) this.#destroy(line);
      });
    }
    client.on("data", (bytes) => this.#pass(line, bytes, true));
    server.on("data", (bytes) => this.#pass(line, bytes, false));
    client.on("end", () => line.isDead || server.end());
    server.on("end", () => line.isDead || client.end());
  }

  #pass(line: Line, bytes: Buffer, isAsking: boolean): void {
    if (line.isDead) return;
    this.#pieces += 1;
    const [next] = this.#cuts;
    const cut = next?.at === "half-open" && !this.isConnected ? undefined : next;
    const before = isAsking ? line.sent : line.received;
    if (isAsking) line.sent += bytes.length;
    else line.received += bytes.length;
    const kept =
      cut === undefined || cut.after > this.#pieces ? undefined : offsetOf(cut, { line, before, bytes, isAsking });
    const to = isAsking ? line.server : line.client;
    line.asked = isAsking;
    if (kept === undefined || cut === undefined) {
      to.write(bytes);
      return;
    }
    this.#cuts.shift();
    this.#pieces = 0;
    this.made.push(cut.at);
    if (kept > 0) to.write(bytes.subarray(0, kept));
    if (cut.at === "half-open") line.isDead = true;
    else if (kept > 0 && cut.offset % 2 === 0) {
      line.isDead = true;
      // The bytes before the cut arrive, then the end.
      to.end(() => this.#destroy(line));
    } else this.#destroy(line);
  }

  #destroy(line: Line): void {
    line.isDead = true;
    this.#lines.delete(line);
    line.client.destroy();
    line.server.destroy();
  }
}

type Piece = { readonly line: Line; readonly before: number; readonly bytes: Buffer; readonly isAsking: boolean };

/** Returns how many bytes of a piece pass before the cut, or `undefined` if the cut is not here. */
function offsetOf({ at, offset }: Cut, { line, before, bytes, isAsking }: Piece): number | undefined {
  const inside = bytes.length < 2 ? 0 : 1 + (offset % (bytes.length - 1));
  switch (at) {
    case "inside the request's headers":
      return isAsking && before < START ? Math.min(inside, START - before) : undefined;
    case "inside the answer's headers":
      return !isAsking && before < START ? Math.min(inside, START - before) : undefined;
    case "during TLS":
      return before < START * 2 ? inside : undefined;
    case "inside a frame":
      return before >= START ? inside : undefined;
    case "between frames":
      return before >= START ? bytes.length : undefined;
    case "before the answer of a POST":
      return !isAsking && line.asked ? 0 : undefined;
    case "after the answer of a POST":
      return !isAsking && line.asked ? bytes.length : undefined;
    case "half-open":
      // The opening of a connection has 30 s, which is another bound. With TLS it has more than 1 kB.
      return line.received - (isAsking ? 0 : bytes.length) < 3_000 ? undefined : offset % 2 === 0 ? 0 : bytes.length;
  }
}

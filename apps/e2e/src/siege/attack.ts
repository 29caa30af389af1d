import { connect, type Socket } from "node:net";
import { type RawHeaders, type Reply, sendRaw } from "../rem-table/raw-request.js";

/** Numbers and times of a siege. */
export type Scale = {
  readonly slow: number;
  readonly idle: number;
  readonly streams: number;
  /** Connections of HTTP/2, and requests of each. */
  readonly connections: number;
  readonly requests: number;
  readonly headerMs: number;
  readonly bodyMs: number;
};

/** An attack on a port. Its outcome must be the stated one. */
export type Attack = {
  readonly name: string;
  readonly expected: string;
  readonly run: (target: Target) => Promise<string>;
};

/** Place of a server, and its live memory in bytes, which is measured anew for each call. */
export type Place = { readonly port: number; readonly memory: () => Promise<number> };

/** The server under siege. Everything that an attack opens is cut at its end. */
export class Target {
  readonly port: number;
  readonly memory: Place["memory"];
  readonly scale: Scale;
  readonly #ends: (() => void)[] = [];

  constructor({ port, memory }: Place, scale: Scale) {
    this.port = port;
    this.memory = memory;
    this.scale = scale;
  }

  /** Runs a function at the end of the attack. */
  atEnd(end: () => void): void {
    this.#ends.push(end);
  }

  /** Opens a TCP connection that sends a text. */
  async pipe(text = ""): Promise<Pipe> {
    const socket = connect(this.port, "127.0.0.1");
    const pipe = new Pipe(socket);
    this.atEnd(() => socket.destroy());
    await pipe.opened;
    if (text !== "") socket.write(text);
    return pipe;
  }

  async send(method: string, headers: RawHeaders, body?: string): Promise<Reply> {
    const target = { port: this.port, wire: "http/1.1", tls: false, patience: 2_000 } as const;
    const auth = { Authorization: "Bearer token-ann", ...headers };
    const reply = await sendRaw(target, { method, headers: auth, ...(body !== undefined && { body }) });
    this.atEnd(() => reply.cut());
    return reply;
  }

  post(frame: object | string, headers: RawHeaders = {}): Promise<Reply> {
    const body = typeof frame === "string" ? frame : JSON.stringify({ jsonrpc: "2.0", ...frame });
    return this.send("POST", { "Content-Type": "application/json", ...headers }, body);
  }

  /** Opens a connection; returns its id. */
  async connection(headers: RawHeaders = {}): Promise<string> {
    const params = { protocolVersion: 1, _meta: { "acp/resumable": true } };
    const reply = await this.post({ id: 0, method: "initialize", params }, headers);
    if (reply.status !== 200) throw new Error(`initialize was answered ${reply.status}`);
    return String(reply.headers["acp-connection-id"]);
  }

  /** Returns `served` if another client gets an answer now. */
  async service(): Promise<"served" | "not served"> {
    return (await this.connection().catch(() => "")) === "" ? "not served" : "served";
  }

  end(): void {
    for (const end of this.#ends.splice(0)) end();
  }
}

/** A TCP connection, and its end. */
export class Pipe {
  text = "";
  isClosed = false;
  /** Time from the opening to the end. */
  livedMs = Number.POSITIVE_INFINITY;
  readonly socket: Socket;
  readonly opened: Promise<void>;
  readonly closed: Promise<void>;

  constructor(socket: Socket) {
    this.socket = socket;
    this.opened = new Promise((resolve) => {
      socket.once("connect", resolve);
      socket.once("close", () => resolve());
    });
    this.closed = new Promise((resolve) => {
      socket.once("end", resolve);
      socket.once("close", () => resolve());
    });
    let openedAt = performance.now();
    socket.once("connect", () => {
      openedAt = performance.now();
    });
    void this.closed.then(() => {
      this.isClosed = true;
      this.livedMs = performance.now() - openedAt;
    });
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      if (this.text.length < 1_000) this.text += bytes.toString("latin1");
    });
  }

  /** Status of the answer, or 0. */
  get status(): number {
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(this.text)?.[1] ?? 0);
  }
}

/** Returns the distinct values in order, such as `404` or `400, 404`. */
export const distinct = (values: readonly unknown[]): string => [...new Set(values.map(String))].sort().join(", ");

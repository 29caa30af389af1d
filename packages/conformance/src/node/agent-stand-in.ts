import { randomBytes } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";
import { PassThrough, Readable, Writable } from "node:stream";
import type { AgentSeat } from "../client/client-pipe.js";

/** Program that a client starts as its agent. It passes its input and output to the runner, which plays the agent. */
export type AgentStandIn = AgentSeat & {
  /** Source of the program, for Node. */
  readonly source: string;
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  /** Ends the program and the server. Called when the scene is over, and when the client has ended without an agent. */
  close(): void;
};

/**
 * Listens on this machine for one agent program. The program connects twice: its stdin and stdout go over the first
 * connection, and commands of the runner over the second one. The token excludes other programs.
 */
export async function createStandIn(): Promise<AgentStandIn> {
  const token = randomBytes(16).toString("hex");
  const input = new PassThrough();
  const output = new PassThrough();
  let control: Socket | undefined;
  const orders: string[] = [];
  let leave = () => {};
  const gone = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const order = (text: string) => {
    if (control === undefined) orders.push(text);
    else if (control.writable) control.write(`${text}\n`);
  };
  const connected = (kind: string, socket: Socket, rest: Buffer) => {
    if (kind === "control") {
      control = socket;
      for (const text of orders.splice(0)) order(text);
      socket.on("close", leave);
      socket.on("end", () => {
        leave();
        socket.end();
      });
      socket.resume();
      return;
    }
    if (rest.length > 0) input.write(rest);
    socket.pipe(input);
    socket.on("error", () => input.end());
    output.pipe(socket);
  };
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    greet(socket, token, connected);
  });
  const port = await listening(server);
  return {
    source: sourceOf(port, token),
    readable: Readable.toWeb(input) as ReadableStream<Uint8Array>,
    writable: Writable.toWeb(output) as WritableStream<Uint8Array>,
    gone,
    exit: (code) => order(`exit ${code}`),
    closeOutput: () => order("mute"),
    complain: (bytes) => order(`complain ${bytes}`),
    close() {
      input.end();
      order("exit 0");
      server.close();
      // Closes all connections, because other programs may have connected too. The last command is still sent.
      for (const socket of sockets) socket.destroySoon();
      if (control === undefined) leave();
    },
  };
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { readonly port: number }).port));
  });
}

/** Maximum length of the first line of a connection, in bytes. A correct line has 40 bytes. */
const HEAD_BYTES = 100;

/** Reads the first line of a connection: its kind and the token. */
function greet(socket: Socket, token: string, connected: (kind: string, socket: Socket, rest: Buffer) => void): void {
  let head = Buffer.alloc(0);
  socket.on("error", () => {});
  const read = (bytes: Buffer) => {
    head = Buffer.concat([head, bytes]);
    const end = head.subarray(0, HEAD_BYTES).indexOf(10);
    if (end < 0 && head.length < HEAD_BYTES) return;
    socket.off("data", read);
    socket.pause();
    const [kind = "", shown] = head.subarray(0, end).toString().split(" ");
    if (end >= 0 && shown === token) connected(kind, socket, head.subarray(end + 1));
    else socket.destroy();
  };
  socket.on("data", read);
}

/**
 * Returns the source of the program. The program ends by a command of the runner, by a signal, or if the runner has
 * ended. The program ignores Ctrl-C, which is for the client.
 */
function sourceOf(port: number, token: string): string {
  return `"use strict";
const { connect } = require("node:net");
process.on("SIGINT", () => {});
const open = (kind) => connect({ port: ${port}, host: "127.0.0.1", allowHalfOpen: true }).on("error", () => process.exit(1))
  .once("connect", function () { this.write(kind + " ${token}\\n"); if (kind === "data") process.stdin.pipe(this); });
const data = open("data");
const control = open("control");
const mute = () => { data.unpipe(process.stdout); process.stdout.write("", () => require("fs").closeSync(1)); };
data.pipe(process.stdout, { end: false });
data.once("end", mute);
process.stdout.on("error", () => {});
let rest = "";
const obey = ([verb, value]) => {
  if (verb === "exit") process.stdout.write("", () => process.exit(Number(value)));
  if (verb === "complain") process.stderr.write("The oven is cold.\\n".repeat(Number(value) / 18));
  if (verb === "mute") { data.off("end", mute); mute(); }
};
control.on("data", (bytes) => {
  const lines = (rest + bytes).split("\\n");
  rest = lines.pop();
  for (const line of lines) obey(line.split(" "));
});
control.on("close", () => process.exit(1));
`;
}

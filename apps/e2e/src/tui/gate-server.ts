import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Doors that a test opens for a script in another process. */
export interface GateServer extends AsyncDisposable {
  readonly port: number;
  /** Lets the script go on that waits, or will wait, at the door of that name. */
  open(name: string): void;
  /** Settles when the first script has gone, and with it its process. */
  readonly left: Promise<void>;
}

/** Starts a server of doors on this machine. */
export async function createGateServer(): Promise<GateServer> {
  const sockets = new Set<Socket>();
  const opened: string[] = [];
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", leave);
    for (const name of opened) socket.write(`${name}\n`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    left,
    open(name) {
      opened.push(name);
      for (const socket of sockets) socket.write(`${name}\n`);
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** The doors of a server, seen from the script: a promise for each name. */
export function gatesAt(port: number): (name: string) => PromiseLike<void> {
  const open = new Set<string>();
  const waiting = new Map<string, () => void>();
  let rest = "";
  const socket = connect(port, "127.0.0.1").setEncoding("utf8").unref();
  socket.on("error", () => undefined);
  socket.on("data", (data: string) => {
    const lines = (rest + data).split("\n");
    rest = lines.pop() ?? "";
    for (const name of lines) {
      open.add(name);
      waiting.get(name)?.();
    }
  });
  return (name) =>
    new Promise((resolve) => {
      if (open.has(name)) resolve();
      else waiting.set(name, resolve);
    });
}

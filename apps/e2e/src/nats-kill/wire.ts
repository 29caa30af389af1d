import { connect, createServer, type Server, type Socket } from "node:net";

/**
 * Proxy between a gateway and a broker. It can cut its connections, or hold all bytes back while the connections stay
 * open.
 */
export class Wire {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isHeld = false;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as { readonly port: number }).port;
  }

  /** Opens a proxy to a port of this machine. */
  static async to(port: number): Promise<Wire> {
    const server = createServer({ pauseOnConnect: true });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const wire = new Wire(server);
    server.on("connection", (near) => wire.#join(near, connect(port, "127.0.0.1")));
    return wire;
  }

  /** Ends all connections. New ones are accepted. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Holds back the bytes of both directions until {@link release}. */
  hold(): void {
    this.#isHeld = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Passes on the waiting bytes, and all later ones. */
  release(): void {
    this.#isHeld = false;
    for (const socket of this.#sockets) socket.resume();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #join(near: Socket, far: Socket): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on("error", () => {});
      from.on("data", (bytes) => void to.write(bytes));
      from.once("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#isHeld) from.pause();
      else from.resume();
    }
  }
}

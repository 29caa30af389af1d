import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Port that leads to another one, and that a test can cut. */
export type CutProxy = {
  readonly port: number;
  /** Breaks all connections. New ones are refused. */
  cut(): void;
  /** Leads new connections to this port. */
  lead(target: number): void;
};

/** Starts a port that leads to another one, until the end of the test. */
export async function startCutProxy(first: number): Promise<CutProxy> {
  let target: number | undefined = first;
  const sockets = new Set<Socket>();
  const cut = () => {
    target = undefined;
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    if (target === undefined) return void near.destroy();
    const far = connect(target, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => {}).on("close", () => void (sockets.delete(one) && other.destroy()));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    cut();
    server.close();
  });
  const lead = (port: number) => {
    target = port;
  };
  return { port: (server.address() as AddressInfo).port, cut, lead };
}

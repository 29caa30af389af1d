import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { killed } from "../process/killed.js";

/** Reason why no broker can be started here, or `undefined`. */
export const noBroker =
  spawnSync("nats-server", ["--version"]).error === undefined ? undefined : "nats-server is not installed";

/** Characters of the messages of a server that are kept. */
const MOST_PRINTED = 10_000;

/** NATS server with JetStream in a process of its own. It keeps its port and its folder when it is started again. */
export class Broker {
  readonly port: number;
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;

  private constructor(port: number, args: readonly string[]) {
    this.port = port;
    this.#args = ["-a", "127.0.0.1", "-p", String(port), ...args];
  }

  /** Starts one server, or a cluster of three. */
  static async start(folder: string, count: 1 | 3 = 1): Promise<readonly Broker[]> {
    const ports = await freePorts(count * 2);
    const routes = ports.slice(count).map((port) => `nats-route://127.0.0.1:${port}`);
    const brokers = ports.slice(0, count).map((port, at) => {
      const store = join(folder, `broker-${at}`);
      const own = ["-js", "-sd", store, "-n", `broker-${at}`];
      const cluster = ["--cluster_name", "kills", "--cluster", routes[at] as string, "--routes", routes.join(",")];
      return new Broker(port, count === 1 ? own : [...own, ...cluster]);
    });
    await mkdir(folder, { recursive: true });
    await Promise.all(brokers.map((broker) => broker.run()));
    return brokers;
  }

  /** Runs the server. Settles when it takes connections. */
  async run(): Promise<void> {
    const child = spawn("nats-server", this.#args, { stdio: ["ignore", "ignore", "pipe"] });
    this.#child = child;
    let printed = "";
    await new Promise<void>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", () => reject(new Error(`nats-server ended: ${printed.slice(-500)}`)));
      // The server ends when nobody reads its messages, so the listener stays.
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        printed = (printed + text).slice(-MOST_PRINTED);
        if (printed.includes("Server is ready")) resolve();
      });
    });
  }

  /** Kills the server without a chance to write. */
  kill(): Promise<void> {
    return killed(this.#child);
  }
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as { readonly port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { describe, onTestFinished } from "vitest";

const reason = spawnSync("nats-server", ["--version"]).error === undefined ? undefined : "nats-server is not installed";

/** Declares tests that need a server. Without one, they are skipped, and the title tells the reason. */
export const describeWithNats = (title: string, tests: () => void): void => {
  if (reason === undefined) describe(title, tests);
  else describe.skip(`${title} (${reason})`, tests);
};

/** Server with JetStream, and a folder of its own. */
export class NatsServer {
  readonly #folder = mkdtempSync(join(tmpdir(), "turnkit-nats-"));
  readonly #child: ChildProcess;

  private constructor() {
    this.#child = spawn("nats-server", ["-a", "127.0.0.1", "-p", "-1", "-js", "-sd", this.#folder], {
      stdio: ["ignore", "ignore", "pipe"],
    });
  }

  /** Starts a server on a free port, and returns it with its address. */
  static async start(): Promise<{ readonly server: NatsServer; readonly url: string }> {
    const server = new NatsServer();
    const address = await server.#printed(/Listening for client connections on (\S+)/);
    await server.#printed(/Server is ready/);
    return { server, url: `nats://${address}` };
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #log = "";

  #printed(pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(this.#log);
        if (found !== null) resolve(found[1] ?? "");
      };
      look();
      this.#child.stderr?.on("data", (chunk: Buffer) => {
        this.#log += chunk.toString();
        look();
      });
      this.#child.once("error", reject);
      this.#child.once("exit", () => reject(new Error(`nats-server ended: ${this.#log.slice(-500)}`)));
    });
  }
}

/** Connects to a server until the end of the test. */
export async function connected(url: string): Promise<NatsConnection> {
  const connection = await connect({ servers: url });
  onTestFinished(() => connection.close());
  return connection;
}

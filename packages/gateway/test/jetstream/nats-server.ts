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
  readonly #folder: string;
  readonly #child: ChildProcess;
  #port = "-1";

  private constructor(folder: string, port: string) {
    this.#folder = folder;
    this.#child = spawn("nats-server", ["-a", "127.0.0.1", "-p", port, "-js", "-sd", this.#folder], {
      stdio: ["ignore", "ignore", "pipe"],
    });
  }

  /** Starts a server on a free port, and returns it with its address. */
  static async start(): Promise<{ readonly server: NatsServer; readonly url: string }> {
    const server = new NatsServer(mkdtempSync(join(tmpdir(), "turnkit-nats-")), "-1");
    return { server, url: `nats://${await server.#begun()}` };
  }

  /** Starts a killed server again, on the same port and with the same folder. */
  async again(): Promise<NatsServer> {
    const server = new NatsServer(this.#folder, this.#port);
    await server.#begun();
    return server;
  }

  /** Kills the server, and removes its folder. */
  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await ended;
  }

  /** Settles when the server is ready. Returns its address. */
  async #begun(): Promise<string> {
    const address = await this.#printed(/Listening for client connections on (\S+)/);
    this.#port = address.split(":").at(-1) ?? "";
    await this.#printed(/Server is ready/);
    return address;
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

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { runSource } from "../process/source.js";

/** Memory of a server in bytes: what lives in it, and what its process has of the system. */
export type ServerMemory = { readonly live: number; readonly rss: number };

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** A server under siege in a process of its own. If it ends, the siege ends with 1, and says how. */
export class ServerProcess {
  readonly port: number;
  readonly #child: Child;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: Child, lines: AsyncIterator<string>, port: number) {
    this.#child = child;
    this.#lines = lines;
    this.port = port;
  }

  static async start(): Promise<ServerProcess> {
    const [command, ...args] = runSource(new URL("./siege-server-main.ts", import.meta.url));
    const child = spawn(command, ["--expose-gc", ...args], { stdio: ["pipe", "pipe", "inherit"] });
    child.once("exit", (code, signal) => {
      console.log(`broken: the server ended with ${signal ?? code}`);
      process.exit(1);
    });
    // The end is told above. A line that is written meanwhile must not hide it.
    child.stdin.on("error", () => {});
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return new ServerProcess(child, lines, Number((await lines.next()).value));
  }

  /** Measures after a collection of garbage. */
  async memory(): Promise<ServerMemory> {
    this.#child.stdin.write("\n");
    const [live = Number.NaN, rss = Number.NaN] = String((await this.#lines.next()).value)
      .split(" ")
      .map(Number);
    return { live, rss };
  }

  end(): void {
    this.#child.removeAllListeners("exit");
    this.#child.stdin.end();
  }
}

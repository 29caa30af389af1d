import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { runSource } from "../../process/source.js";

/** Number of updates of each prompt. */
export const UPDATES = 12;

/** Files of a server that outlive its process. */
export type ServerFiles = { readonly folder: string; readonly ledger: string };

/** A server in a process of its own, which can be killed and started again on the same port. */
export class ServerProcess {
  port = 0;
  readonly #files: ServerFiles;
  #child: ChildProcess | undefined;

  constructor(files: ServerFiles) {
    this.#files = files;
  }

  async start(): Promise<void> {
    const [command, ...args] = runSource(new URL("./restarted-server-main.ts", import.meta.url));
    const { folder, ledger } = this.#files;
    const env = { TURNKIT_LOG_FOLDER: folder, TURNKIT_LEDGER: ledger, TURNKIT_PORT: String(this.port) };
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, ...env } });
    this.#child = child;
    const [line] = await once(createInterface({ input: child.stdout }), "line");
    this.port = Number(line);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }
}

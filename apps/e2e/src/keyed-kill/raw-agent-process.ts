import { type ChildProcess, spawn } from "node:child_process";
import { createRawPeer, type Frame, type RawPeer } from "../interop/raw-lines.js";
import { runSource } from "../process/source.js";

/** Agent in a process of its own, driven by raw frames of version 2. */
export class RawAgentProcess {
  readonly peer: RawPeer;
  readonly updates: Frame[] = [];
  readonly #child: ChildProcess;
  readonly #died: Promise<undefined>;

  constructor(folder: string) {
    const [command, ...args] = runSource(new URL("./killed-agent-main.ts", import.meta.url));
    const child = spawn(command, args, {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, TURNKIT_KILL_FOLDER: folder },
    });
    this.#child = child;
    // A killed agent no longer reads.
    child.stdin.on("error", () => undefined);
    this.peer = createRawPeer(child.stdout, child.stdin, ({ method, params }) => {
      if (method === "session/update") this.updates.push(params.update);
      return undefined;
    });
    this.#died = Promise.all([this.peer.ended, new Promise((resolve) => child.on("exit", resolve))]).then(
      () => undefined,
    );
  }

  /** Sends a request. Returns `undefined` if the agent dies before the answer. */
  async ask(method: string, params: object): Promise<Frame | undefined> {
    return Promise.race([this.peer.request(method, params), this.#died]);
  }

  /** Sends a request and returns its result. */
  async result(method: string, params: object): Promise<Frame> {
    const answer = await this.ask(method, params);
    if (answer?.result === undefined) throw new Error(`${method} has no result: ${JSON.stringify(answer)}`);
    return answer.result;
  }

  initialize(): Promise<Frame> {
    const info = { name: "raw", version: "1.0.0" };
    return this.result("initialize", { protocolVersion: 2, info, capabilities: {} });
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#died;
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }
}

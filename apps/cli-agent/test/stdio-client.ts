import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { unconfigured } from "./environment.js";

type Message = { id?: number; method?: string; params?: unknown; result?: unknown; error?: unknown };
type Answer = (params: Record<string, unknown>) => unknown;

/** Arguments and environment of the agent's process. By default it keeps no sessions. */
type StdioOptions = { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> };

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** The agent's program, as the runner of the tests built it. */
export const agentProgram: string = JSON.parse(process.env.TURNKIT_TEST_PROGRAMS ?? "{}")[main];

/** Minimal client: it speaks version 1 to the agent's real process and records the updates. */
export class StdioClient {
  readonly updates: Record<string, unknown>[] = [];
  stderr = "";
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #open = new Map<number, { resolve(result: never): void; reject(error: unknown): void }>();
  readonly #answers: Readonly<Record<string, Answer>>;
  #serial = 0;

  constructor(
    answers: Readonly<Record<string, Answer>> = {},
    { args = ["--no-sessions"], env = {} }: StdioOptions = {},
  ) {
    this.#answers = answers;
    this.#child = spawn(process.execPath, [agentProgram, ...args], { env: { ...unconfigured(), ...env } });
    this.#child.stderr.on("data", (chunk) => {
      this.stderr += chunk;
    });
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#receive(JSON.parse(line)));
    this.#child.on("close", () => {
      for (const { reject } of this.#open.values()) reject(new Error(`The agent ended: ${this.stderr}`));
    });
  }

  request<Result>(method: string, params: object): Promise<Result> {
    const id = ++this.#serial;
    this.#send({ id, method, params });
    return new Promise<Result>((resolve, reject) => this.#open.set(id, { resolve, reject }));
  }

  notify(method: string, params: object): void {
    this.#send({ method, params });
  }

  /** Returns all updates of one kind. */
  heard(kind: string): Record<string, unknown>[] {
    return this.updates.filter(({ sessionUpdate }) => sessionUpdate === kind);
  }

  /** Returns the whole text of the agent. */
  get text(): string {
    return this.heard("agent_message_chunk")
      .map(({ content }) => (content as { text: string }).text)
      .join("");
  }

  /** Closes stdin, as a client does at its end, and returns the exit code. */
  async close(): Promise<number | null> {
    const { exitCode, signalCode } = this.#child;
    if (signalCode !== null) return null;
    this.#child.stdin.end();
    return exitCode ?? ((await once(this.#child, "close")) as [number | null])[0];
  }

  /** Kills the agent. */
  async kill(): Promise<void> {
    const closed = once(this.#child, "close");
    this.#child.kill("SIGKILL");
    await closed;
  }

  #receive(message: Message): void {
    if (message.method === undefined) {
      const open = this.#open.get(message.id ?? 0);
      this.#open.delete(message.id ?? 0);
      if (message.error !== undefined) open?.reject(message.error);
      else open?.resolve(message.result as never);
    } else if (message.method === "session/update") {
      this.updates.push((message.params as { update: Record<string, unknown> }).update);
    } else if (message.id !== undefined) {
      const answer = this.#answers[message.method];
      if (!answer) this.#send({ id: message.id, error: { code: -32601, message: "Method not found" } });
      else {
        const result = answer(message.params as Record<string, unknown>);
        // `undefined` leaves the question open.
        if (result !== undefined) this.#send({ id: message.id, result });
      }
    }
  }

  #send(message: Message): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}

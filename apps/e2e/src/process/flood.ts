import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { DialectName } from "@turnkit/session";
import { build } from "esbuild";
import { hellos } from "../hostile/hostile-frames.js";
import type { FloodReport } from "./flooding-agent.js";
import type { SlowClientReport } from "./slow-client.js";

/** Programs of a flood, built as users run them: a loader of TypeScript would be measured too. */
export type FloodPrograms = { readonly client: string; readonly agent: string; remove(): Promise<void> };

/** Flags of Node for both processes, and the bound of the state on both sides, if not the default. */
export type FloodConditions = { readonly flags: readonly string[]; readonly stateBytes?: number };

/** Load of a flood: number of updates, bytes of each, number of messages. */
export type UpdateFlood = {
  readonly dialect: DialectName;
  readonly updates: number;
  readonly bytes: number;
  readonly messages: number;
};

/** Result of a flood of requests. */
export type RequestFlood = {
  /** Number of requests kept open, and numbers of those refused beyond that, by code. */
  readonly open: number;
  readonly refused: Readonly<Record<string, number>>;
  /** The same of a thousand prompts to one session. */
  readonly prompts: Readonly<Record<string, number>>;
  /** True if a good prompt was answered after it all. */
  readonly good: boolean;
  readonly peakMB: number;
};

/**
 * Flags of Node with which the memory of a process shows what it keeps, and not how long its collector lets garbage lie.
 * Without them old garbage takes up to four times what lives on a machine with much memory, twice on a small one. Young
 * garbage takes up to 100 MB in Node 24.
 */
export const strictCollector = ["--expose-gc", "--max-old-space-size=1024", "--max-semi-space-size=4"];

export async function buildFloodPrograms(): Promise<FloodPrograms> {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-flood-"));
  await build({
    entryPoints: ["slow-client.ts", "flooding-agent-main.ts"].map((name) =>
      fileURLToPath(new URL(name, import.meta.url)),
    ),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    conditions: ["@turnkit/source"],
  });
  return {
    client: join(folder, "slow-client.mjs"),
    agent: join(folder, "flooding-agent-main.mjs"),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A client that is slow, in a process of its own, and an agent that says as much as it is given room for. */
export async function floodClient(
  { client, agent }: FloodPrograms,
  { dialect, updates, bytes, messages }: UpdateFlood,
  { flags, stateBytes }: FloodConditions,
): Promise<SlowClientReport & { readonly agent: FloodReport }> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    client,
    dialect,
    `${updates} of ${bytes} bytes in ${messages} messages`,
    String(stateBytes ?? ""),
    process.execPath,
    ...flags,
    agent,
    String(stateBytes ?? ""),
  ]);
  return JSON.parse(stdout);
}

/** Prompts to one session of which it keeps 100, with some that come later while others end. */
const mostPrompts = 1_000;

/** Raw requests into an agent, more than it keeps open; then prompts to one session; then a good one. */
export async function floodAgent(
  { agent }: FloodPrograms,
  { dialect, requests }: { readonly dialect: DialectName; readonly requests: number },
  { flags, stateBytes }: FloodConditions,
): Promise<RequestFlood> {
  const command = [...flags, agent, String(stateBytes ?? "")];
  const child = spawn(process.execPath, command, { stdio: ["pipe", "pipe", "inherit"] });
  const client = new RawClient(child.stdin, child.stdout);
  await client.ask("hello", "initialize", hellos[dialect]);
  const place = { cwd: "/", mcpServers: [] };
  const { result } = await client.ask("open", "session/new", place);
  const flood = Array.from({ length: requests }, (_, n) => client.ask(`wait-${n}`, "_flood/wait", {}));
  // Those beyond the bound are answered; the barrier has its answer behind theirs.
  await client.ask("barrier", "_flood/none", {});
  const open = flood.length - client.answers("wait-").length;
  const refused = countCodes(client.answers("wait-"));
  // At the bound there is room for nothing: one of them has to end first.
  client.tell("_flood/answer");
  await Promise.all(flood);
  const prompt = { sessionId: result.sessionId, prompt: [{ type: "text", text: "1 of 1 bytes in 1 messages" }] };
  await Promise.all(Array.from({ length: mostPrompts }, (_, n) => client.ask(`prompt-${n}`, "session/prompt", prompt)));
  const prompts = countCodes(client.answers("prompt-"));
  const good = await client.ask("good", "session/prompt", prompt);
  const { result: report } = await client.ask("report", "_flood/report", {});
  child.stdin.end();
  await once(child, "exit");
  return { open, refused, prompts, good: "result" in good, peakMB: report.peakMB };
}

type Frame = { readonly [key: string]: any };

class RawClient {
  readonly #output: NodeJS.WritableStream;
  readonly #waiting = new Map<unknown, (frame: Frame) => void>();
  readonly #answers: Frame[] = [];

  constructor(output: NodeJS.WritableStream, input: NodeJS.ReadableStream) {
    this.#output = output;
    createInterface({ input }).on("line", (line) => {
      const frame = JSON.parse(line) as Frame;
      if ("method" in frame) return;
      this.#answers.push(frame);
      this.#waiting.get(frame.id)?.(frame);
      this.#waiting.delete(frame.id);
    });
  }

  ask(id: string, method: string, params: object): Promise<Frame> {
    const answer = new Promise<Frame>((resolve) => this.#waiting.set(id, resolve));
    this.#output.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return answer;
  }

  tell(method: string): void {
    this.#output.write(`${JSON.stringify({ jsonrpc: "2.0", method, params: {} })}\n`);
  }

  answers(prefix: string): readonly Frame[] {
    return this.#answers.filter(({ id }) => String(id).startsWith(prefix));
  }
}

function countCodes(answers: readonly Frame[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { error } of answers) {
    const name = error === undefined ? "answered" : String(error.code);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { readWireLog, type WireEntry } from "@turnkit/transport/trace";
import { createModelServer } from "../models/model-server.js";
import { call, type Part, say } from "../models/step.js";
import type { RealAgent } from "./agent-table.js";

const turnkit = fileURLToPath(new URL("../../../node-client/src/main.ts", import.meta.url));

/** Result of one turn. */
export type TurnReport = {
  readonly exitCode: number | null;
  /** Output of `turnkit`. */
  readonly stdout: string;
  readonly stderr: string;
  /** The file that the agent was to write, after the turn; absent if there is none. */
  readonly file: string | undefined;
  /** Methods of the messages that crossed the wire, in order. */
  readonly methods: readonly string[];
  /** Kinds of the updates of the agent, each with the number of sessions that had them. */
  readonly updates: ReadonlyMap<string, number>;
};

/**
 * Course of the turn: the tool is allowed, or denied, or the person interrupts the model in the middle of a stream, or a
 * subagent writes the file.
 */
export type Scene = "allow" | "deny" | "interrupt" | "delegate";

/** Prompt of the subagent, by which the stand-in knows its requests. */
const TASK = "Write it for me";

/** Lets `turnkit` drive one turn of the agent: text, a tool call that asks, its result, text. */
export async function driveTurn(agent: RealAgent, bin: string, scene: Scene): Promise<TurnReport> {
  const cwd = await mkdtemp(join(tmpdir(), "turnkit-real-"));
  const home = await mkdtemp(join(tmpdir(), "turnkit-home-"));
  const note = join(cwd, "note.txt");
  const trace = join(home, "trace.jsonl");
  const { tool, input } = agent.write(note, "HELLO\n");
  const delegated = scene === "delegate" ? agent.delegate?.(TASK) : undefined;
  let isAsked = false;
  await using server = await createModelServer((request) => {
    if (!request.tools.includes(tool)) return [say("A title")];
    if (delegated !== undefined && request.prompt.includes(TASK)) {
      if (isAsked) return [say("The file is written.")];
      isAsked = true;
      return [say("I write it. "), call(tool, input)];
    }
    if (request.results.length > 0) return [say("That is all.")];
    if (delegated !== undefined) return [say("I delegate. "), call(delegated.tool, delegated.input)];
    if (scene === "interrupt") return endless(request.over);
    return [say("I write it. "), call(tool, input)];
  });
  try {
    const [program, ...args] = agent.command;
    const own = [
      "--permissions",
      scene === "deny" ? "deny" : "allow",
      "--trace",
      trace,
      "--timeout",
      "60s",
      "--output",
      "text",
      "--prompt",
      "Write HELLO",
    ];
    const child = spawn(
      process.execPath,
      [
        "--conditions=@turnkit/source",
        "--import",
        import.meta.resolve("tsx"),
        turnkit,
        ...own,
        "--",
        join(bin, program),
        ...args,
      ],
      { cwd, env: { ...process.env, ...agent.env(server, home) }, stdio: ["ignore", "pipe", "pipe"] },
    );
    const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
    if (scene === "interrupt") interruptWhen(child, /I write it/);
    const [exitCode] = (await once(child, "close")) as [number | null];
    const entries = readWireLog(await readFile(trace, "utf8"));
    return {
      ...{
        exitCode,
        stdout: await stdout,
        stderr: await stderr,
        file: await readFile(note, "utf8").catch(() => undefined),
      },
      methods: entries.flatMap(methodOf),
      updates: updatesIn(entries),
    };
  } finally {
    await rm(cwd, { recursive: true, force: true, maxRetries: 10 });
    await rm(home, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Text, and then nothing until the agent hangs up. */
async function* endless(over: Promise<unknown>): AsyncGenerator<Part> {
  yield say("I write it. ");
  await over;
}

function interruptWhen(child: ChildProcessByStdio<null, Readable, Readable>, seen: RegExp): void {
  let text = "";
  child.stdout.on("data", (chunk) => {
    if (seen.test(text)) return;
    text += chunk;
    if (seen.test(text)) child.kill("SIGINT");
  });
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += chunk;
  return text;
}

function updatesIn(entries: readonly WireEntry[]): ReadonlyMap<string, number> {
  const sessions = new Map<string, Set<unknown>>();
  for (const entry of entries) {
    const { params } = ("received" in entry ? entry.received : {}) as {
      params?: { sessionId?: unknown; update?: unknown };
    };
    const { sessionUpdate: kind } = (params?.update ?? {}) as { sessionUpdate?: unknown };
    if (typeof kind === "string") sessions.set(kind, (sessions.get(kind) ?? new Set()).add(params?.sessionId));
  }
  return new Map([...sessions].map(([kind, { size }]) => [kind, size]));
}

function methodOf(entry: WireEntry): readonly string[] {
  const message = "sent" in entry ? entry.sent : "received" in entry ? entry.received : undefined;
  const method = (message as { method?: unknown } | undefined)?.method;
  return typeof method === "string" ? [method] : [];
}

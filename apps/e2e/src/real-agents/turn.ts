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
};

/** Course of the turn: the tool is allowed, or denied, or the person interrupts the model in the middle of a stream. */
export type Scene = "allow" | "deny" | "interrupt";

/** Lets `turnkit` drive one turn of the agent: text, a tool call that asks, its result, text. */
export async function driveTurn(agent: RealAgent, bin: string, scene: Scene): Promise<TurnReport> {
  const cwd = await mkdtemp(join(tmpdir(), "turnkit-real-"));
  const home = await mkdtemp(join(tmpdir(), "turnkit-home-"));
  const note = join(cwd, "note.txt");
  const trace = join(home, "trace.jsonl");
  const { tool, input } = agent.write(note, "HELLO\n");
  await using server = await createModelServer((request) => {
    if (!request.tools.includes(tool)) return [say("A title")];
    if (request.results.length > 0) return [say("That is all.")];
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

function methodOf(entry: WireEntry): readonly string[] {
  const message = "sent" in entry ? entry.sent : "received" in entry ? entry.received : undefined;
  const method = (message as { method?: unknown } | undefined)?.method;
  return typeof method === "string" ? [method] : [];
}

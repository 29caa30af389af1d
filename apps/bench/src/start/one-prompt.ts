import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Measure } from "../scenario.js";
import { startStandInModel } from "./stand-in-model.js";

const built = (program: string) => fileURLToPath(new URL(`../../cli-agent/dist/${program}`, import.meta.url));
const PROMPT = "How many files are here?";

/** Returns the command line that runs one client with one prompt and the agent of turnkit. */
type Client = (agent: readonly string[]) => readonly string[];

export const turnkit: Client = (agent) => [built("turnkit.js"), "--output", "quiet", PROMPT, "--", ...agent];

/** acpx takes the command of an agent as one text. */
export const acpx: Client = (agent) => {
  const program = fileURLToPath(import.meta.resolve("acpx"));
  return [program, "--agent", agent.map((word) => `"${word}"`).join(" "), "--format", "quiet", "exec", PROMPT];
};

/** Measures one prompt by a client, from the start of its process to its end. The model answers immediately. */
export function measureOnePrompt(client: Client): Measure {
  return async () => {
    const { url, answer } = await startStandInModel();
    const folder = await mkdtemp(join(tmpdir(), "turnkit-bench-"));
    const agent = [process.execPath, built("main.js"), "--model", "openai/gpt-4o", "--base-url", url, "--no-sessions"];
    const { PATH = "" } = process.env;
    const env = { PATH, HOME: folder, LANG: "C.UTF-8", OPENAI_API_KEY: "none" };
    const started = performance.now();
    const child = spawn(process.execPath, client(agent), { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    const closed = once(child, "close");
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    await closed;
    const time = performance.now() - started;
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    if (stdout.trim() !== answer) throw new Error(`The client printed ${JSON.stringify(stdout)}.\n${stderr}`);
    return { time };
  };
}

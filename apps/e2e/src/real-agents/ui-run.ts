import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createModelServer } from "../models/model-server.js";
import { call, type Part, type ReceivedRequest, say } from "../models/step.js";
import { play, type Size } from "../tui/play.js";
import { keys, PseudoTerminal } from "../tui/pseudo-terminal.js";
import type { RealAgent } from "./agent-table.js";
import { writeSettings } from "./settings-file.js";
import { resumedScene, type UiScene, uiScenes } from "./ui-script.js";

const turnkit = fileURLToPath(new URL("../../../node-client/src/main.ts", import.meta.url));
const program = [process.execPath, "--conditions=@turnkit/source", "--import", import.meta.resolve("tsx"), turnkit];

/** Result of a scene: `passed`, what the agent does not offer, or a fault with the screen. */
export type SceneResult = {
  readonly name: string;
  readonly verdict: "passed" | "not offered" | "failed";
  readonly detail?: string;
};

const size: Size = [100, 40];
/** Some agents need long for a start and for a stop. */
const PATIENCE_MS = 60_000;
/** Picture of 64 × 64 pixels. Some agents read and resize pictures. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsItiNKMZ1Qi+hcEKLNXzWgQEBAQEBAQE" +
    "BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQELgui/wEPZWzwqQAAAABJRU5ErkJggg==",
  "base64",
);

/**
 * Plays the script of a user with an agent, in a pseudo-terminal. Then continues the conversation in another process.
 * Reports each scene when it is over.
 */
export async function driveUi(agent: RealAgent, bin: string, report: (result: SceneResult) => void): Promise<void> {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "turnkit-real-")));
  const home = await realpath(await mkdtemp(join(tmpdir(), "turnkit-home-")));
  const picture = join(home, "cart.png");
  await writeFile(picture, png);
  const written = new Set<string>();
  await using server = await createModelServer((received) => {
    const request = { ...received, prompt: lastPrompt(received) };
    const file = fileFor(request.prompt);
    if (file === undefined) return answer(request);
    const { tool, input } = agent.write(join(cwd, file), "HELLO\n");
    // Agents ask for titles and summaries without their tools.
    if (!request.tools.includes(tool)) return [say("A title")];
    if (written.has(file)) return [say("That is all 1.")];
    written.add(file);
    return [say("I write it. "), call(tool, input)];
  });
  await writeSettings(agent, server, home);
  const [name, ...words] = agent.command;
  const open = (...args: readonly string[]) =>
    PseudoTerminal.open({
      command: [...program, ...args, "--", join(bin, name), ...words] as [string, ...string[]],
      ...{ cwd, columns: size[0], rows: size[1] },
      env: { ...agent.env(server, home), XDG_STATE_HOME: join(home, "turnkit") },
    });
  let switched = false;
  try {
    await using terminal = await open();
    for (const scene of uiScenes) {
      const result = await playScene(terminal, scene, picture);
      if (result.name === "model") switched = result.verdict === "passed";
      report(result);
    }
    const file = await readFile(join(cwd, "note.txt"), "utf8").catch(() => undefined);
    if (file !== "HELLO\n") report(failed("file", `note.txt holds ${JSON.stringify(file)}`));
    const denied = await readFile(join(cwd, "more.txt"), "utf8").catch(() => undefined);
    if (denied !== undefined) report(failed("file", "more.txt was written, though that was denied"));
    const [first, chosen] = [modelOf(server.requests, "Hello"), modelOf(server.requests, "Who is it?")];
    if (switched && first === chosen) {
      report(failed("model", `the agent asked ${first} before and after the choice`));
    }
    terminal.type(`${keys.ctrlC}${keys.ctrlC}`);
    await terminal.exited;
    report(await resume(terminal, open));
  } finally {
    await rm(cwd, { recursive: true, force: true, maxRetries: 10 });
    await rm(home, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function resume(
  before: PseudoTerminal,
  open: (...args: readonly string[]) => Promise<PseudoTerminal>,
): Promise<SceneResult> {
  const shown = before.transcript().replace(/\n(?=\S*$)/g, "");
  const [, id] = /To continue this session: turnkit --session (\S+)/.exec(shown) ?? [];
  if (id === undefined) {
    const said = shown.trimEnd().split("\n").slice(-3).join(" ");
    return { name: resumedScene.name, verdict: "not offered", detail: `turnkit printed no command: ${said}` };
  }
  await using terminal = await open("--session", id);
  const result = await playScene(terminal, resumedScene, "");
  terminal.type(`${keys.ctrlC}${keys.ctrlC}`);
  await terminal.exited;
  return result;
}

async function playScene(terminal: PseudoTerminal, scene: UiScene, picture: string): Promise<SceneResult> {
  const { name, moments, refusal } = scene;
  try {
    const refused = await play(terminal, moments({ picture }), { size, patienceMs: PATIENCE_MS, endsAt: refusal });
    if (refused !== undefined) await clear(terminal);
    return refused === undefined ? { name, verdict: "passed" } : { name, verdict: "not offered", detail: refused };
  } catch (error) {
    await clear(terminal);
    await terminal.until((screen) => !/● Working/.test(screen), 5_000).catch(() => undefined);
    await clear(terminal);
    const { message, cause } = error as Error;
    return failed(name, `${message}\n${cause instanceof Error ? cause.message : ""}`);
  }
}

/** Clears the prompt line for the next scene. A key that follows Esc at once would be Alt and this key. */
async function clear(terminal: PseudoTerminal): Promise<void> {
  terminal.type(keys.escape);
  await new Promise((resolve) => setTimeout(resolve, 500));
}

function failed(name: string, detail: string): SceneResult {
  return { name, verdict: "failed", detail };
}

/** Returns the last prompt, also if it follows the result of a refused tool. */
function lastPrompt({ body, prompt, wire }: ReceivedRequest): string {
  if (wire !== "chat-completions") return prompt;
  const { content } = body.messages.findLast(({ role }: { role: string }) => role === "user") ?? {};
  return typeof content === "string" ? content : JSON.stringify(content ?? "");
}

function fileFor(prompt: string): string | undefined {
  // Some agents send the prompt of a refused turn again, before the next one.
  if (/And now\?|Wait|Go on|Who|Look|remember/.test(prompt)) return undefined;
  if (prompt.includes("Write more")) return "more.txt";
  return prompt.includes("Write it") ? "note.txt" : undefined;
}

function answer({ prompt, tools, model, over, body }: ReceivedRequest): readonly Part[] | AsyncIterable<Part> {
  if (tools.length === 0) return [say("A title")];
  if (/Wait\W*$/.test(prompt)) return endless(over);
  const text = JSON.stringify(body);
  // Some agents repeat earlier prompts before the last one.
  if (prompt.includes("remember")) return [say(text.includes("Write it") ? "I remember." : "I forgot.")];
  if (prompt.includes("Look"))
    return [say(/image\/(?:png|jpeg|webp)/.test(text) ? "I see a picture." : "I see nothing.")];
  return [say(`Here is ${model}.`)];
}

/** Words without an end, until the agent hangs up. Some agents pass a word on only when the next one has arrived. */
async function* endless(over: Promise<unknown>): AsyncGenerator<Part> {
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  for (let n = 0; !isOver; n += 1) {
    yield say(n === 0 ? "I wait " : "and wait ");
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function modelOf(requests: readonly ReceivedRequest[], prompt: string): string | undefined {
  return requests.find((request) => request.tools.length > 0 && request.prompt.includes(prompt))?.model;
}

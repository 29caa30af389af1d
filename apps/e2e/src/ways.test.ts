import { existsSync, readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { setImmediate as tick } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createAgent, type Turn } from "@turnkit/agent";
import { allowOnce, connectWith, v1Dialect } from "@turnkit/client";
import { createStdioChannel } from "@turnkit/transport/node";
import { afterAll, beforeAll, expect, test } from "vitest";

// The ways that CONTRIBUTING.md draws, compared with the functions that V8 counts during one message.
const root = fileURLToPath(new URL("../../../", import.meta.url));
const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
const [, chapter = "", notes = ""] =
  /^## Four ways\n([\s\S]*?)These files are not counted:\n([\s\S]*?)^## /m.exec(page) ?? [];
const drawn = new Map(
  [...chapter.matchAll(/^```\n(.+?): \d+ files.*\n([\s\S]*?)^```/gm)].map(([, title = "", lines = ""]) => [
    title,
    [...lines.matchAll(/^ +(\S+\.ts) *(.*)/gm)].map(([, file = "", comment = ""]) => ({ file, comment })),
  ]),
);
const uncounted = [...notes.matchAll(/`([^`]+\.ts)`/g)].map(([, file]) => `/${file}`);
const reducer = importedBelow("session/reduce.ts");

/** Returns a file of a package, and the files of this package that it imports, directly or not. */
function importedBelow(file: string, found = new Set<string>()): ReadonlySet<string> {
  const path = join(root, "packages", file.replace("/", "/src/"));
  if (found.has(file) || !existsSync(path)) return found;
  found.add(file);
  for (const [, other = ""] of readFileSync(path, "utf8").matchAll(/ from "(\.[^"]+)\.js"/g)) {
    importedBelow(`${join(dirname(file), other)}.ts`, found);
  }
  return found;
}

const profiler = new Session();

/** Start of the functions with which vitest exports a name. They run at each use of the name in another file. */
const EXPORTER = /^\(\) ?=> ?\{ ?(?:try ?\{ ?)?return /;

/** Returns the files of packages with a function that ran since the last call. */
async function filesThatRan(): Promise<ReadonlySet<string>> {
  const { result } = await profiler.post("Profiler.takePreciseCoverage");
  const files = new Set<string>();
  for (const { url, scriptId, functions } of result) {
    const [, owner, file] = /packages\/([\w-]+)\/src\/([^?]+\.ts)/.exec(url) ?? [];
    if (file === undefined) continue;
    const { scriptSource } = await profiler.post("Debugger.getScriptSource", { scriptId });
    const ran = functions.flatMap(({ ranges }) => ranges.slice(0, 1)).filter(({ count }) => count > 0);
    if (ran.some(({ startOffset, endOffset }) => !EXPORTER.test(scriptSource.slice(startOffset, endOffset))))
      files.add(`${owner}/${file}`);
  }
  return files;
}

/** Waits until no message is on its way. Streams in memory need fewer turns of the event loop. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await tick();
}

/** Returns the files that run in each of three equal steps. Other tests of this process may have left a timer. */
async function ran(step: () => unknown): Promise<ReadonlySet<string>> {
  let files: ReadonlySet<string> | undefined;
  for (let times = 0; times < 3; times += 1) {
    await settle();
    await filesThatRan();
    await step();
    await settle();
    const now = await filesThatRan();
    files = new Set([...now].filter((file) => files?.has(file) ?? true));
  }
  return files ?? new Set();
}

function expectWays(files: ReadonlySet<string>, ...titles: readonly string[]): void {
  const lines = titles.flatMap((title) => drawn.get(title) ?? []);
  const expected = new Set(lines.map(({ file }) => file));
  const earlier = new Set(lines.filter(({ comment }) => /\bonce\b/.test(comment)).map(({ file }) => file));
  const isNoted = (file: string) => reducer.has(file) || uncounted.some((name) => file.endsWith(name));
  expect({
    missing: [...files].filter((file) => !expected.has(file) && !isNoted(file)),
    superfluous: [...expected].filter((file) => !files.has(file) && !earlier.has(file)),
  }).toEqual({ missing: [], superfluous: [] });
}

/** Work of the agent for a prompt. Each test sets its own. */
let work = async (_turn: Turn): Promise<void> => undefined;
let prompt = async (): Promise<void> => undefined;
let close = async (): Promise<void> => undefined;

beforeAll(async () => {
  profiler.connect();
  await profiler.post("Debugger.enable");
  await profiler.post("Profiler.enable");
  await profiler.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const [toAgent, toClient] = [new PassThrough(), new PassThrough()];
  const agent = createAgent({ info: { name: "agent", version: "1" }, newSession() {}, prompt: (turn) => work(turn) });
  void agent.serve(createStdioChannel({ input: toAgent, output: toClient }));
  const client = await connectWith([v1Dialect], createStdioChannel({ input: toClient, output: toAgent }), {
    info: { name: "client", version: "1" },
    permissions: (question) => allowOnce(question),
  });
  const session = await client.newSession({ cwd: "/work" });
  session.onEvent(() => undefined);
  prompt = async () => void (await session.prompt("Hello").ended);
  close = () => client.close();
});

afterAll(async () => {
  await close();
  await profiler.post("Profiler.stopPreciseCoverage");
  profiler.disconnect();
});

test("CONTRIBUTING draws the files of a piece of text", async () => {
  let files: ReadonlySet<string> = new Set();
  work = async (turn) => {
    await turn.say("The first piece begins the message.");
    files = await ran(() => turn.say("A piece."));
  };
  await prompt();
  expectWays(files, "wire in", "wire out", "update → listener", "say → stdout");
});

test("CONTRIBUTING draws the files of a permission question", async () => {
  let files: ReadonlySet<string> = new Set();
  work = async (turn) => {
    const call = turn.toolCall({ title: "Run it", kind: "execute" });
    files = await ran(() => call.ask());
    call.finish();
  };
  await prompt();
  expectWays(files, "wire in", "wire out", "permission, agent", "permission, client");
});

test("CONTRIBUTING draws the files of a prompt", async () => {
  work = async () => undefined;
  expectWays(await ran(prompt), "wire in", "wire out", "prompt, client", "prompt, agent");
});

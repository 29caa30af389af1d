import { execFile } from "node:child_process";
import { chmod, copyFile, mkdtemp, readdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs, promisify } from "node:util";
import { UsageError } from "./exit-code.js";
import { readProtocol } from "./invocation.js";
import { judges } from "./permission-judges.js";
import { createPermissionPolicy } from "./permissions.js";
import { type ProgramStreams, runProgram } from "./program.js";
import { findAttachment } from "./prompt/attachment.js";
import type { PromptDraft } from "./prompt/prompt-draft.js";
import { unifiedDiff } from "./render/diff.js";
import type { Page } from "./render/page.js";
import { patchLines } from "./render/patch.js";
import { runPrompt } from "./run.js";
import { serveSessions } from "./serve/serve-sessions.js";
import { createTerminalView } from "./terminal-view.js";

/**
 * Runs `pnpm demo [FILE] [--keep] [--protocol auto|1|2|seed] [--web]`. This client starts the repository's own agent in a
 * new directory with a copy of FILE. The client allows the agent's requests and shows the changes. FILE itself is only
 * read. With `--web`, a page in a browser is the client.
 */

const agentFolder = fileURLToPath(new URL("../../cli-agent/", import.meta.url));
const pagePackage = fileURLToPath(new URL("../../web/package.json", import.meta.url));

async function demo(argv: readonly string[], streams: ProgramStreams): Promise<number> {
  const { file, keep, dialects, web } = readArguments(argv);
  const original = file ?? (await findSample());
  const before = await readSource(original);
  const directory = await realpath(await mkdtemp(join(tmpdir(), "turnkit-demo-")));
  try {
    const copy = join(directory, basename(original));
    await copyFile(original, copy);
    await chmod(copy, 0o600); // the original may be read-only
    if (web) return await serveDemo(directory, streams);
    const view = createTerminalView(streams, directory);
    view.page.section("demo");
    view.page.line(["bold", "turnkit demo"], `: the agent reviews a copy of ${original}`);
    view.page.line(["dim", `${directory} is its directory; every question is answered with "allow once".`]);
    const result = await runPrompt({
      setup: { command: agentCommand(), directory, dialects, mcpServers: [] },
      prompt: await demoPrompt(copy),
      permissions: createPermissionPolicy(judges.allow, view),
      ...{ view, interrupts: streams.interrupts },
    });
    await showChanges(view.page, { original, before, copy });
    const unread =
      (await readFile(original, "utf8").catch(() => undefined)) === before ? "is as it was" : "CHANGED meanwhile";
    view.page.line(`Stop reason: ${String(result.stopReason ?? "none")}. ${original} ${unread}.`);
    return result.exitCode;
  } finally {
    if (keep) streams.stdout.write(`The copy stays in ${directory}\n`);
    else await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Builds the page, then serves the agent of the demo with it. Nothing is stored outside of the agent's folder. */
async function serveDemo(directory: string, streams: ProgramStreams): Promise<number> {
  streams.stderr.write("turnkit demo: building the page …\n");
  const vite = createRequire(pagePackage).resolve("vite/package.json");
  const pageFolder = join(directory, ".page");
  const build = [join(dirname(vite), "bin/vite.js"), "build", "--logLevel", "error", "--outDir", pageFolder];
  await promisify(execFile)(process.execPath, build, { cwd: dirname(pagePackage) });
  const env = { ...streams.env, XDG_STATE_HOME: join(directory, ".state") };
  const place = { host: "127.0.0.1", port: 0, cwd: directory };
  return serveSessions(
    { kind: "serve", ...place, command: agentCommand(), dialects: ["v1", "v2", "seed"], mcp: [] },
    { ...streams, env },
    pathToFileURL(`${pageFolder}/`),
  );
}

async function demoPrompt(file: string): Promise<PromptDraft> {
  const attachment = await findAttachment(file);
  return { text: `Review ${attachment.name}.`, attachments: [attachment] };
}

type Reviewed = { readonly original: string; readonly before: string; readonly copy: string };

async function showChanges(page: Page, { original, before, copy }: Reviewed): Promise<void> {
  const after = await readFile(copy, "utf8").catch(() => undefined);
  const patch = unifiedDiff(basename(original), before, after);
  page.section("changes");
  page.line(["bold", patch === "" ? "Nothing changed in the copy." : "What changed in the copy:"]);
  if (patch !== "") page.lines(patchLines(patch, { gutter: "" }));
  page.section("result");
}

function readArguments(argv: readonly string[]) {
  // `pnpm demo -- FILE` passes the `--` to this program.
  const { values, positionals } = parseWords(argv[0] === "--" ? argv.slice(1) : argv);
  if (positionals.length > 1)
    throw new UsageError("Give one file: pnpm demo [FILE] [--keep] [--protocol VERSION] [--web]");
  // pnpm runs scripts in the folder of the package. INIT_CWD is the user's directory.
  const [file] = positionals.map((name) => resolve(process.env.INIT_CWD ?? process.cwd(), name));
  return { file, keep: values.keep, web: values.web, dialects: readProtocol(values.protocol) };
}

function parseWords(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        keep: { type: "boolean", default: false },
        web: { type: "boolean", default: false },
        protocol: { type: "string" },
      },
    });
  } catch (error) {
    // The rest of the message is advice about "--", but pnpm would remove a "--".
    throw new UsageError(`${(error as Error).message.split(/\. |\n/)[0]?.replace(/\.$/, "")}.`);
  }
}

async function findSample(): Promise<string> {
  const folder = join(agentFolder, "samples");
  const names = await readdir(folder).catch(() => []);
  const sample = names.filter((name) => /\.[cm]?[jt]s$/.test(name)).sort()[0];
  if (sample === undefined) throw new UsageError(`There is no sample in ${folder}: give a FILE.`);
  return join(folder, sample);
}

async function readSource(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new UsageError(`There is no file ${path}.`);
  if (!found.isFile()) throw new UsageError(`${path} is not a file.`);
  return readFile(path, "utf8");
}

/**
 * Returns a command that runs the agent from its sources, so a fresh clone needs no build. In tests, the agent is already
 * built, and starts in a tenth of the time.
 */
function agentCommand(): readonly [string, ...string[]] {
  const main = join(agentFolder, "src/main.ts");
  const built: string | undefined = JSON.parse(process.env.TURNKIT_TEST_PROGRAMS ?? "{}")[main];
  const source = built ? [built] : ["--conditions=@turnkit/source", "--import", import.meta.resolve("tsx"), main];
  // The demo works offline and stores nothing, even if the user has configured a model.
  return [process.execPath, ...source, "--model", "reviewer", "--no-sessions"];
}

await runProgram((streams) => demo(process.argv.slice(2), streams));

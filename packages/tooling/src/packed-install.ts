import { exec } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { isNodeEntry } from "./rule/runs-anywhere.js";
import { checkSnippets } from "./snippets.js";
import { isOwnFailure, tsc } from "./type-check.js";
import { entriesOf, isPublishable, readWorkspaces, root, type Workspace } from "./workspace.js";

// Installs each package with its peers, optional ones too, from its tarball into an empty project. Checks its types, imports it, and bundles it for a
// browser. Then runs the examples of the pages with the built packages.
const packages = readWorkspaces().filter(isPublishable);
const tarballs = Object.fromEntries(
  packages.map(({ folder, manifest }) => [manifest.name, `file:${join(root, folder, ".pack/package.tgz")}`]),
);

const node = JSON.stringify(process.execPath);
const compile = `${node} ${JSON.stringify(tsc)} -p`;

/** Stricter compiler settings than those of the workspace, because users of the packages may have them. */
const strictest = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };
/** Oldest and newest types of Node that a project may have. */
const NODE_TYPES = ["20.19", "26"];
const lib = ["es2023", "esnext.disposable", "dom", "dom.iterable", "dom.asynciterable"];

const outcomes = await Promise.allSettled([...packages.map(tryAlone), tryExamples()]);
for (const outcome of outcomes) {
  if (outcome.status === "fulfilled") process.stdout.write(`${outcome.value}\n`);
  else process.stderr.write(`${outcome.reason.message}\n`);
}
process.exitCode = outcomes.some(({ status }) => status === "rejected") ? 1 : 0;

async function tryAlone(workspace: Workspace): Promise<string> {
  const { name, peerDependencies } = workspace.manifest;
  const entries = [...entriesOf(workspace).keys()].map((entry) => name + entry.slice(1));
  const project = mkdtempSync(join(tmpdir(), "turnkit-packed-"));
  try {
    const settings = writeProject(project, name, entries, peerDependencies);
    for (const types of NODE_TYPES) {
      const install = "npm install --no-audit --no-fund --prefer-offline --loglevel=error";
      await run(project, `${install} --save-dev @types/node@${types}`);
      for (const file of settings) await compileIn(project, file);
    }
    await run(project, `${node} every-entry.js`);
    await bundle(
      project,
      name,
      entries.filter((entry) => !isNodeEntry(entry)),
    );
    return `${name}: ${entries.length === 1 ? "one entry installs" : `${entries.length} entries install`} alone`;
  } catch (error) {
    const { stdout = "", message } = error as Error & { stdout?: string };
    throw new Error(`${name}: ${message}\n${stdout}`);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** Writes an empty project that imports every entry, and returns its compiler settings: two resolutions × two uses. */
function writeProject(
  project: string,
  name: string,
  entries: readonly string[],
  peers: Workspace["manifest"]["peerDependencies"],
): readonly string[] {
  const write = (file: string, content: unknown) =>
    writeFileSync(join(project, file), typeof content === "string" ? content : JSON.stringify(content));
  const { [name]: own, ...overrides } = tarballs;
  write("package.json", { private: true, type: "module", dependencies: { ...peers, [name]: own }, overrides });

  const portable = entries.filter((entry) => !isNodeEntry(entry));
  write("every-entry.js", importing(entries));
  write("every-entry.ts", importing(entries));
  write("portable.ts", importing(portable));

  return ["nodenext", "bundler"].flatMap((moduleResolution) =>
    // Entries that run in any runtime must also compile without Node's types.
    Object.entries({ "every-entry": ["node"], portable: [] }).map(([use, types]) => {
      const file = `${moduleResolution}-${use}.json`;
      const module = moduleResolution === "nodenext" ? "nodenext" : "esnext";
      const basics = { ...strictest, noEmit: true, target: "es2022", lib };
      write(file, { compilerOptions: { ...basics, types, module, moduleResolution }, files: [`${use}.ts`] });
      return file;
    }),
  );
}

/** Runs the examples of the pages, which combine packages as users do. */
async function tryExamples(): Promise<string> {
  const { ok, output } = await checkSnippets({ ...strictest, lib, customConditions: [] });
  if (!ok && isOwnFailure(output)) throw new Error(`examples: ${output}`);
  return "examples: compile against what was built";
}

function importing(entries: readonly string[]): string {
  const imports = entries.map((entry, index) => `import * as entry${index} from ${JSON.stringify(entry)};`);
  const list = entries.map((_, index) => `entry${index}`).join(", ");
  return `${imports.join("\n")}\nif ([${list}].some((entry) => Object.keys(entry).length === 0)) throw new Error("empty entry");\n`;
}

/**
 * Entries without Node in their names must bundle for a browser without anything of Node; session's built files import
 * nothing but each other.
 */
async function bundle(project: string, name: string, portable: readonly string[]): Promise<void> {
  const { outputFiles } = await build({
    stdin: {
      contents: portable.map((entry, at) => `export * as entry${at} from ${JSON.stringify(entry)};`).join("\n"),
      resolveDir: project,
    },
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    logLevel: "error",
  });
  if (/["'`]node:/.test(outputFiles[0]?.text ?? "'node:")) throw new Error("the browser bundle names node:");
  if (name === "@turnkit/session") importsOnlyItself(join(project, "node_modules", name, "dist"));
}

function importsOnlyItself(folder: string): void {
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".js"),
  )) {
    const built = readFileSync(join(folder, file), "utf8");
    const [foreign] = built.match(/^(?:import|export)\b[^"';]*["'](?!\.{1,2}\/).*|\bimport\(.*/m) ?? [];
    if (foreign !== undefined) throw new Error(`its built ${file} imports something: ${foreign}`);
  }
}

async function compileIn(project: string, settings: string): Promise<void> {
  try {
    await run(project, `${compile} ${settings}`);
  } catch (error) {
    if (isOwnFailure((error as { stdout?: string }).stdout ?? "")) throw error;
  }
}

async function run(cwd: string, command: string): Promise<void> {
  await promisify(exec)(command, { cwd });
}

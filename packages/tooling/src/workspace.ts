import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { SourceFile } from "./source.js";

/** File of an entry under a condition, or one for each further condition. */
type Target = string | { readonly default: string };

/** The part of a `package.json` that the rules read. */
export type Manifest = {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, Target>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
};

/** A package or an app of the monorepo. */
export type Workspace = {
  /** From the root: `packages/session`. */
  readonly folder: string;
  /** The last part of the folder: `session`. */
  readonly name: string;
  readonly manifest: Manifest;
  /** Names in the folder itself, without what tools write there. */
  readonly topLevel: readonly string[];
  readonly readme: string;
  /** Text of `docs/reference/session.md`. */
  readonly reference: string;
  /** Every TypeScript file of `src` and `test`. */
  readonly files: readonly SourceFile[];
};

/** The repository's root folder. */
export const root: string = fileURLToPath(new URL("../../../", import.meta.url));

const written = new Set(["node_modules", "dist", ".turbo", ".pack", ".snippets", ".programs"]);

let read: readonly Workspace[] | undefined;

/** Returns every package and app. The disk is read once in a process, so that all rules share the parsed files. */
export function readWorkspaces(): readonly Workspace[] {
  read ??= ["packages", "apps"]
    .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}`))
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map(readWorkspace);
  return read;
}

function readWorkspace(folder: string): Workspace {
  const name = folder.slice(folder.indexOf("/") + 1);
  const topLevel = readdirSync(join(root, folder)).filter((name) => !written.has(name));
  return {
    folder,
    name,
    manifest: JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")),
    topLevel: topLevel.sort(),
    readme: readPage(`${folder}/README.md`),
    reference: folder.startsWith("packages/") ? readPage(`docs/reference/${name}.md`) : "",
    files: [...readSources(join(root, folder, "src")), ...readSources(join(root, folder, "test"))],
  };
}

function readPage(path: string): string {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "";
}

function readSources(folder: string): readonly SourceFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(root, path).replaceAll("\\", "/"), text: readFileSync(path, "utf8") }));
}

/** Returns true if a workspace is published to the registry. */
export function isPublishable(workspace: Workspace): boolean {
  return workspace.manifest.private !== true;
}

/** The entries of a package with the source file behind each: `./node` → `packages/agent/src/node/index.ts`. */
export function entriesOf(workspace: Workspace): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  for (const [entry, target] of Object.entries(workspace.manifest.exports ?? {})) {
    const given = typeof target === "string" ? target : target["@turnkit/source"];
    const source = typeof given === "object" ? given.default : given;
    if (source?.endsWith(".ts")) entries.set(entry, join(workspace.folder, source).replaceAll("\\", "/"));
  }
  return entries;
}

/** Resolves a relative import to the path of a source file. */
export function resolveRelative(from: string, specifier: string): string {
  return join(dirname(from), specifier).replaceAll("\\", "/").replace(/\.js$/, ".ts");
}

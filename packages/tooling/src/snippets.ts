import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Check, checkTypes } from "./type-check.js";
import { readWorkspaces, root } from "./workspace.js";

/** A `ts` fence of a page or a docstring. */
export type Snippet = { readonly path: string; readonly line: number; readonly code: string };

// Where every package resolves by its name; one folder per process, since several may run at once.
const folder = `apps/e2e/.snippets/${process.pid}`;

/** Takes the `ts` fences out of a page, or out of the docstrings of a source file. */
export function snippetsIn(path: string, text: string): readonly Snippet[] {
  const snippets: Snippet[] = [];
  const lines = text.split("\n").map((line) => (path.endsWith(".ts") ? line.replace(/^\s*\* ?/, "") : line));
  let start: number | undefined;
  lines.forEach((line, index) => {
    if (start === undefined && /^\s*```ts$/.test(line) && isProse(path, text, index)) start = index + 1;
    else if (start !== undefined && /^\s*```$/.test(line)) {
      snippets.push({ path, line: start, code: lines.slice(start, index).join("\n") });
      start = undefined;
    }
  });
  return snippets;
}

function isProse(path: string, text: string, index: number): boolean {
  return !path.endsWith(".ts") || /^\s*\*/.test(text.split("\n")[index] ?? "");
}

/** The file of a snippet: as many empty lines before it as the page has, so that errors name the page's line. */
export function fileOf(snippet: Snippet): { readonly name: string; readonly text: string } {
  // A fence that starts with `// agent.ts` is what the page's other fences import as "./agent.js".
  const own = /^\/\/ ([a-z][a-z0-9-]*\.ts)\b/.exec(snippet.code)?.[1];
  const page = snippet.path.replaceAll("/", "__");
  return {
    name: `${page}/${own ?? `line-${snippet.line + 1}.ts`}`,
    text: `${"\n".repeat(snippet.line)}${snippet.code}\nexport {};\n`,
  };
}

/** Turns `.snippets/7/packages__agent__README.md/line-9.ts(12,3)` back into `packages/agent/README.md:12:3`. */
export function namePages(output: string): string {
  return output.replace(/[^\s()]*\.snippets\/\d+\/([^/\s]+)\/[^/\s(]+\((\d+),(\d+)\)/g, (_, page, line, column) => {
    return `${String(page).replaceAll("__", "/")}:${line}:${column}`;
  });
}

/** Compiles every `ts` fence of the pages and docstrings. */
export async function checkSnippets(): Promise<Check> {
  const target = join(root, folder);
  for (const { name, text } of readPages().flatMap(([path, text]) => snippetsIn(path, text).map(fileOf))) {
    mkdirSync(dirname(join(target, name)), { recursive: true });
    writeFileSync(join(target, name), text);
  }
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, "none.ts"), "export {};\n"); // tsc refuses an empty folder
  writeFileSync(
    join(target, "tsconfig.json"),
    JSON.stringify({ extends: "../../../../tsconfig.base.json", include: ["./**/*.ts"] }),
  );
  const { ok, output } = await checkTypes(folder);
  rmSync(target, { recursive: true, force: true });
  return { ok, output: namePages(output) };
}

function readPages(): readonly (readonly [path: string, text: string])[] {
  const workspaces = readWorkspaces();
  const pages = ["", "docs", ...workspaces.map(({ folder }) => folder)].flatMap((folder) =>
    listPages(folder).map((name) => [join(folder, name), readFileSync(join(root, folder, name), "utf8")] as const),
  );
  const sources = workspaces.flatMap(({ files }) => files).filter(({ path }) => path.includes("/src/"));
  return [...pages, ...sources.map(({ path, text }) => [path, text] as const)];
}

function listPages(folder: string): readonly string[] {
  try {
    return readdirSync(join(root, folder)).filter((name) => name.endsWith(".md") && name !== "CHANGELOG.md");
  } catch {
    return []; // no docs folder yet
  }
}

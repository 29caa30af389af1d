import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildPrograms } from "./programs.js";
import { type Check, checkTypes } from "./type-check.js";
import { readWorkspaces, root } from "./workspace.js";

/** A `ts` or `tsx` fence of a page or a docstring. A `text` fence right after it contains its expected output. */
export type Snippet = {
  readonly path: string;
  readonly line: number;
  readonly code: string;
  readonly isJsx?: true;
  readonly output?: string;
};

// A folder in which every package resolves by its name. Each process has its own folder, because several may run at the
// same time.
const folder = `apps/e2e/.snippets/${process.pid}`;

/** Takes the `ts` and `tsx` fences out of a page, or out of the docstrings of a source file. */
export function snippetsIn(path: string, text: string): readonly Snippet[] {
  const snippets: Snippet[] = [];
  const lines = text.split("\n").map((line) => (path.endsWith(".ts") ? line.replace(/^\s*\* ?/, "") : line));
  let start: number | undefined;
  lines.forEach((line, index) => {
    if (start === undefined && /^\s*```tsx?$/.test(line) && isProse(path, text, index)) start = index + 1;
    else if (start !== undefined && /^\s*```$/.test(line)) {
      const output = outputAfter(lines, index + 1);
      const code = lines.slice(start, index).join("\n");
      const isJsx = lines[start - 1]?.endsWith("x");
      snippets.push({ path, line: start, code, ...(isJsx && { isJsx }), ...(output !== undefined && { output }) });
      start = undefined;
    }
  });
  return snippets;
}

function outputAfter(lines: readonly string[], from: number): string | undefined {
  if (lines[from] !== "" || lines[from + 1] !== "```text") return undefined;
  return lines.slice(from + 2, lines.indexOf("```", from + 2)).join("\n");
}

function isProse(path: string, text: string, index: number): boolean {
  return !path.endsWith(".ts") || /^\s*\*/.test(text.split("\n")[index] ?? "");
}

/**
 * Returns the file of a snippet. Empty lines replace the earlier lines of the page, so that errors have the line numbers of
 * the page.
 */
export function fileOf(snippet: Snippet): { readonly name: string; readonly text: string } {
  // A fence that starts with `// agent.ts` is what the page's other fences import as "./agent.js".
  const own = /^\/\/ ([a-z][a-z0-9-]*\.tsx?)\b/.exec(snippet.code)?.[1];
  const page = snippet.path.replaceAll("/", "__");
  return {
    name: `${page}/${own ?? `line-${snippet.line + 1}.ts${snippet.isJsx ? "x" : ""}`}`,
    text: `${"\n".repeat(snippet.line)}${snippet.code}\nexport {};\n`,
  };
}

/** Turns `.snippets/7/packages__agent__README.md/line-9.ts(12,3)` back into `packages/agent/README.md:12:3`. */
export function namePages(output: string): string {
  return output.replace(/[^\s()]*\.snippets\/\d+\/([^/\s]+)\/[^/\s(]+\((\d+),(\d+)\)/g, (_, page, line, column) => {
    return `${String(page).replaceAll("__", "/")}:${line}:${column}`;
  });
}

/** Compiles every `ts` and `tsx` fence of the pages and docstrings, by the workspace's compiler options and `more`. */
export async function checkSnippets(more: object = {}): Promise<Check> {
  const target = join(root, folder);
  writeSnippets(target);
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, "none.ts"), "export {};\n"); // tsc refuses an empty folder
  writeFileSync(
    join(target, "tsconfig.json"),
    JSON.stringify({
      extends: "../../../../tsconfig.base.json",
      compilerOptions: { jsx: "react-jsx", ...more },
      include: ["./**/*.ts", "./**/*.tsx"],
    }),
  );
  const { ok, output } = await checkTypes(folder);
  rmSync(target, { recursive: true, force: true });
  return { ok, output: namePages(output) };
}

/** Expected and actual output of a fence. */
export type Run = { readonly at: string; readonly expected: string; readonly printed: string };

/** Runs every `ts` fence of the pages that a `text` fence follows, one process each. */
export async function runSnippets(): Promise<readonly Run[]> {
  const target = join(root, `${folder}-run`);
  try {
    const shown = writeSnippets(target).filter(({ output }) => output !== undefined);
    const sources = shown.map((snippet, index) => [`${index}`, join(target, fileOf(snippet).name)]);
    await buildPrograms(Object.fromEntries(sources), join(target, "built"));
    return await Promise.all(
      shown.map(async (snippet, index) => ({
        at: `${snippet.path}:${snippet.line}`,
        expected: snippet.output ?? "",
        printed: await run(join(target, `built/${index}.js`)),
      })),
    );
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

function writeSnippets(target: string): readonly Snippet[] {
  const snippets = readPages().flatMap(([path, text]) => snippetsIn(path, text));
  for (const { name, text } of snippets.map(fileOf)) {
    mkdirSync(dirname(join(target, name)), { recursive: true });
    writeFileSync(join(target, name), text);
  }
  return snippets;
}

function run(file: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [file], { cwd: root, timeout: 30_000 }, (_error, stdout, stderr) => {
      resolve((stdout + stderr).trimEnd());
    });
  });
}

function readPages(): readonly (readonly [path: string, text: string])[] {
  const workspaces = readWorkspaces();
  const pages = ["", "docs", "docs/reference", ...workspaces.map(({ folder }) => folder)].flatMap((folder) =>
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

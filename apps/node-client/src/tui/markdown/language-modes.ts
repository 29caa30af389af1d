import type { StreamParser } from "@codemirror/streamparser";

/** Parser of a language that reads a text line by line. Its state is opaque. */
export type Mode = StreamParser<unknown>;

let require: NodeJS.Require | undefined;

/**
 * Loads a module at the first code of its language, so that a start without such code does not wait for it. The module
 * is loaded synchronously, because printed lines cannot get their colours later.
 */
function load(module: string) {
  require ??= process.getBuiltinModule("node:module").createRequire(import.meta.url);
  return require(module);
}

/** Modules and members of the parsers, by names of languages. Parsers that are slow for hostile text are left out. */
const places: Readonly<Record<string, readonly [module: string, member: string]>> = {
  ...rows("javascript", { javascript: "js jsx mjs cjs javascript", typescript: "ts tsx mts cts typescript" }),
  ...rows("javascript", { json: "json jsonc json5" }),
  ...rows("python", { python: "py python" }),
  ...rows("clike", { c: "c h", cpp: "cpp c++ cc hpp cxx", java: "java", csharp: "cs csharp c#", kotlin: "kt kotlin" }),
  ...rows("clike", { scala: "scala", dart: "dart" }),
  ...rows("rust", { rust: "rs rust" }),
  ...rows("go", { go: "go golang" }),
  ...rows("shell", { shell: "sh bash zsh shell console" }),
  ...rows("css", { css: "css", sCSS: "scss", less: "less" }),
  ...rows("xml", { xml: "xml svg", html: "html htm vue" }),
  ...rows("sql", { standardSQL: "sql", mySQL: "mysql", pgSQL: "pgsql postgresql postgres", sqlite: "sqlite" }),
  ...rows("ruby", { ruby: "rb ruby" }),
  ...rows("toml", { toml: "toml" }),
  ...rows("lua", { lua: "lua" }),
  ...rows("swift", { swift: "swift" }),
  ...rows("dockerfile", { dockerFile: "dockerfile docker" }),
  ...rows("properties", { properties: "ini properties env" }),
  ...rows("diff", { diff: "diff patch" }),
};

function rows(module: string, members: Readonly<Record<string, string>>): Record<string, readonly [string, string]> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([member, names]) => names.split(" ").map((name) => [name, [module, member]])),
  );
}

/** Maximum number of characters after the fence that may name a language or a file. */
const MAX_INFO = 200;

/** Returns the known language of a block of code, from the text after its fence: `ts`, `ts title=a`, `src/a.ts`. */
export function languageOf(info: string | undefined): string | undefined {
  const [word = ""] = (info ?? "")
    .slice(0, MAX_INFO)
    .toLowerCase()
    .split(/[\s,{:]/, 1);
  const name = word.slice(word.lastIndexOf(".") + 1);
  return Object.hasOwn(places, name) ? name : undefined;
}

export function modeOf(language: string): Mode {
  const [module, member] = places[language] as readonly [string, string];
  return (load(`@codemirror/legacy-modes/mode/${module}`) as Record<string, Mode>)[member] as Mode;
}

export function loadStringStream(): typeof import("@codemirror/streamparser").StringStream {
  return load("@codemirror/streamparser").StringStream;
}

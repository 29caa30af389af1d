import { Visitor } from "oxc-parser";
import { isTest, parseSource, type SourceFile } from "../source.js";
import type { Workspace } from "../workspace.js";

/** Declarations of errors in the sources of all packages. */
type Declared = {
  /** Codes of the classes, such as `frame` of `FrameError`. `undefined` if a class has several codes. */
  readonly classes: Map<string, string | undefined>;
  /** Codes by the members of `rpcErrorCode`, which the named constructors of `RpcError` share: `-32602`. */
  readonly rpc: Map<string, string>;
  /** String codes with which the sources make errors. */
  readonly strings: Set<string>;
};

/** Returns the differences between the codes of a package and the tables under `## Errors` of its reference page. */
export function errorTableViolations(workspaces: readonly Workspace[]): readonly string[] {
  const packages = workspaces.filter(({ folder, name }) => folder.startsWith("packages/") && name !== "tooling");
  const declared: Declared = { classes: new Map(), rpc: new Map(), strings: new Set() };
  for (const file of packages.flatMap(sourcesOf)) declare(file, declared);
  const made = packages.map((workspace) => {
    const codes = new Map<string, string>();
    for (const file of sourcesOf(workspace)) for (const code of madeIn(file, declared)) codes.set(code, file.path);
    return { workspace, codes };
  });
  for (const { codes } of made) for (const code of codes.keys()) declared.strings.add(code);
  return made.flatMap(({ workspace: { name, reference }, codes }) => {
    const received = tellsOf(reference);
    const page = `docs/reference/${name}.md`;
    const known = new Set([...declared.strings, ...declared.rpc.values(), ...declared.classes.keys()]);
    return [
      ...[...codes]
        .filter(([code]) => !received.words.has(code))
        .map(([code, path]) => `${page}: no table of errors has ${code}, which ${path} makes`),
      ...[...received.codes]
        .filter((code) => !known.has(code))
        .map((code) => `${page}: a table of errors has ${code}, which no code makes`),
    ];
  });
}

function sourcesOf(workspace: Workspace): readonly SourceFile[] {
  return workspace.files.filter(({ path }) => path.includes("/src/") && !isTest(path));
}

/** Classes of errors, and the codes of `rpcErrorCode`. */
function declare(file: SourceFile, { classes, rpc }: Declared): void {
  if (!/Error\b/.test(file.text)) return;
  let current = "";
  new Visitor({
    ClassDeclaration: (node) => {
      current =
        node.superClass?.type === "Identifier" && node.superClass.name.endsWith("Error") ? (node.id?.name ?? "") : "";
      if (current !== "") classes.set(current, undefined);
    },
    CallExpression: (node) => {
      const code = node.callee.type === "Super" ? literalOf(node.arguments[0]) : undefined;
      if (current !== "" && code !== undefined) classes.set(current, code);
    },
    VariableDeclarator: (node) => {
      if (node.id.type !== "Identifier" || node.id.name !== "rpcErrorCode") return;
      const text = file.text.slice(node.start, node.end);
      for (const [, name, code] of text.matchAll(/(\w+): (-\d+)/g)) rpc.set(name as string, code as string);
    },
  }).visit(parseSource(file).program);
}

/** The codes of what a file makes: string codes of errors, numbers of the named constructors of `RpcError`. */
function madeIn(file: SourceFile, { classes, rpc }: Declared): readonly string[] {
  const codes: (string | undefined)[] = [];
  if (!/Error\b/.test(file.text)) return [];
  new Visitor({
    NewExpression: (node) => {
      if (node.callee.type !== "Identifier" || !classes.has(node.callee.name)) return;
      codes.push(classes.get(node.callee.name) ?? literalOf(node.arguments[0]));
    },
    ClassDeclaration: (node) => {
      codes.push(classes.get(node.id?.name ?? ""));
    },
    MemberExpression: (node) => {
      const { object, property } = node;
      if (object.type !== "Identifier" || property.type !== "Identifier") return;
      if (object.name === "RpcError" || object.name === "rpcErrorCode") codes.push(rpc.get(property.name));
    },
  }).visit(parseSource(file).program);
  // A class whose constructor only passes a text on has no code.
  return codes.filter((code) => code !== undefined && /^(-32\d{3}|[a-z_]+)$/.test(code)) as string[];
}

function literalOf(node: { readonly type: string; readonly value?: unknown } | undefined): string | undefined {
  return node?.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

type Told = {
  /** Everything in code type. */
  readonly words: ReadonlySet<string>;
  /** Names of errors in a table: numbers, classes, codes behind a class or in the column `code`. */
  readonly codes: ReadonlySet<string>;
};

function tellsOf(page: string): Told {
  const words = new Set<string>();
  const codes = new Set<string>();
  const section = /^## Errors\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(page)?.[1] ?? "";
  let column = -1;
  for (const line of section.split("\n")) {
    const cells = line.startsWith("|") ? line.split("|").slice(1, -1) : [];
    if (cells.length === 0) column = -1;
    if (column === -1) column = cells.findIndex((cell) => cell.replaceAll("`", "").trim() === "code");
    else for (const code of wordsOf(cells[column] ?? "")) codes.add(code);
    for (const word of cells.flatMap(wordsOf)) {
      words.add(word);
      if (/^(-32\d{3}|[A-Z]\w*Error)$/.test(word)) codes.add(word);
    }
    for (const [, code] of line.matchAll(/Error` `([a-z_]+)`/g)) codes.add(code as string);
  }
  return { words, codes };
}

const wordsOf = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word as string);

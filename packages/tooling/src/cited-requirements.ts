import { parseSource, type SourceFile } from "./source.js";

type Node = { readonly type: string; readonly [member: string]: unknown };

const TEST_WORDS = new Set(["it", "test", "describe"]);

/**
 * Returns the requirement ids in the titles of a file's tests. A title may have lists and ranges of ids, such as `V1-RPC-05,
 * V1-RPC-22`, `V1-UPD-05..08` and `V1-TERM-06/07`.
 */
export function citedIn(file: SourceFile): ReadonlySet<string> {
  return new Set([...citationsIn(file).keys()].filter((id) => id.includes("-")));
}

/**
 * Returns the ids of requirements and defects (`B1` of `defect B1: …`) in the titles. The value of an id are the words that
 * cite it, such as `V1-UPD-05..08` for `V1-UPD-06`.
 */
export function citationsIn(file: SourceFile): ReadonlyMap<string, ReadonlySet<string>> {
  const known = found.get(file);
  if (known) return known;
  const words = new Map<string, Set<string>>();
  const program = parseSource(file).program as unknown as Node;
  const tables = tablesIn(program);
  visit(program, (node) => {
    if (node.type !== "CallExpression" || !isTestCall(node.callee as Node)) return;
    for (const title of textsIn((node.arguments as readonly Node[])[0], tables)) {
      for (const [id, word] of [...citationsOf(title), ...defectsOf(title)])
        words.set(id, (words.get(id) ?? new Set()).add(word));
    }
  });
  found.set(file, words);
  return words;
}

const found = new WeakMap<SourceFile, ReadonlyMap<string, ReadonlySet<string>>>();

/** Returns all ids that a text cites. Ranges and lists become single ids. */
export function requirementIds(text: string): readonly string[] {
  return citationsOf(text).map(([id]) => id);
}

function citationsOf(text: string): readonly (readonly [id: string, word: string])[] {
  const found = text.matchAll(/\b((?:V[12]|P)-[A-Z]+1?|REM|SHARE|NATS|CONF)-(\d+)((?:(?:\.\.|\/)\d+)*)/g);
  return [...found].flatMap(([word, area, first = "", more = ""]) => {
    const numbers = [Number(first)];
    for (const [, joint, number] of more.matchAll(/(\.\.|\/)(\d+)/g)) {
      const last = numbers.at(-1) ?? 0;
      if (joint === "..") for (let next = last + 1; next < Number(number); next += 1) numbers.push(next);
      numbers.push(Number(number));
    }
    return numbers.map((number) => [`${area}-${String(number).padStart(2, "0")}`, word] as const);
  });
}

/** A colon or a comma ends the word, so that `defect B1:` does not name B12. */
function defectsOf(text: string): readonly (readonly [id: string, word: string])[] {
  return [...text.matchAll(/\bdefect ([A-Z]\d+)[:,]/g)].map(([word, id = ""]) => [id, word] as const);
}

/** `it(…)`, `it.each(…)(…)`, `describe.for(…)(…)`: all begin with one of the words. */
function isTestCall(callee: Node): boolean {
  if (callee.type === "Identifier") return TEST_WORDS.has(callee.name as string);
  if (callee.type === "MemberExpression") return isTestCall(callee.object as Node);
  if (callee.type === "CallExpression" || callee.type === "TaggedTemplateExpression") {
    return isTestCall((callee.callee ?? callee.tag) as Node);
  }
  return false;
}

/** Returns the arrays of a file by the names of their constants. An `it.each` may use one of them. */
function tablesIn(program: Node): ReadonlyMap<string, Node> {
  const tables = new Map<string, Node>();
  visit(program, (node) => {
    if (node.type !== "VariableDeclarator") return;
    const { id, init } = node as unknown as { readonly id: Node; readonly init: Node | null };
    if (id.type === "Identifier" && init?.type === "ArrayExpression") tables.set(id.name as string, init);
  });
  return tables;
}

/**
 * Returns the title of a test, and the texts in its table of `it.each`, because the ids of a title may come from the table.
 */
function textsIn(title: Node | undefined, tables: ReadonlyMap<string, Node>): readonly string[] {
  const texts: string[] = [];
  const table = title?.type === "Identifier" ? tables.get(title.name as string) : title;
  if (table !== undefined) {
    visit(table, (node) => {
      if (node.type === "Literal" && typeof node.value === "string") texts.push(node.value);
      if (node.type === "TemplateElement") texts.push((node.value as { raw: string }).raw);
    });
  }
  return texts;
}

function visit(node: Node, look: (node: Node) => void): void {
  look(node);
  for (const member of Object.values(node)) {
    for (const child of Array.isArray(member) ? member : [member]) {
      if (typeof child === "object" && child !== null && "type" in child) visit(child as Node, look);
    }
  }
}

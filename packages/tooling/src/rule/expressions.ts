import { type CallExpression, type NewExpression, Visitor } from "oxc-parser";
import { parseSource, type SourceFile } from "../source.js";

/** A regular expression in a source file. */
export type Expression = { readonly file: string; readonly source: string; readonly flags: string };

/** Returns the regular expressions of a file that repeat something without a bound. */
export function unboundedExpressions(file: SourceFile): readonly Expression[] {
  const found: Expression[] = [];
  new Visitor({
    Literal(node) {
      if (!("regex" in node) || node.regex == null) return;
      const { pattern, flags } = node.regex;
      if (isUnbounded(pattern)) found.push({ file: file.path, source: pattern, flags });
    },
  }).visit(parseSource(file).program);
  return found;
}

/** A call of `RegExp` in a source file: its arguments, and whether a function contains it. */
export type BuiltExpression = { readonly file: string; readonly built: string; readonly isInFunction: boolean };

/** Returns the calls of `RegExp` in a file, which build expressions from texts. */
export function builtExpressions(file: SourceFile): readonly BuiltExpression[] {
  const { path, text } = file;
  const calls: { readonly start: number; readonly built: string }[] = [];
  const functions: { readonly start: number; readonly end: number }[] = [];
  const call = ({ callee, arguments: given, start }: NewExpression | CallExpression) => {
    if (callee.type !== "Identifier" || callee.name !== "RegExp") return;
    const [first, last] = [given[0], given.at(-1)];
    calls.push({ start, built: first && last ? text.slice(first.start, last.end).replace(/\s+/g, " ") : "" });
  };
  const enter = ({ start, end }: { readonly start: number; readonly end: number }) => functions.push({ start, end });
  new Visitor({
    NewExpression: call,
    CallExpression: call,
    FunctionDeclaration: enter,
    FunctionExpression: enter,
    ArrowFunctionExpression: enter,
  }).visit(parseSource(file).program);
  return calls.map(({ start, built }) => {
    const isInFunction = functions.some((one) => one.start < start && start < one.end);
    return { file: path, built, isInFunction };
  });
}

/** Returns the expressions that a module builds by `RegExp` while it is loaded, and that repeat without a bound. */
export async function recordedExpressions(
  file: string,
  load: () => Promise<unknown>,
): Promise<{ readonly count: number; readonly unbounded: readonly Expression[] }> {
  const built: Expression[] = [];
  const Original = globalThis.RegExp;
  const record = (expression: RegExp) => {
    built.push({ file, source: expression.source, flags: expression.flags });
    return expression;
  };
  globalThis.RegExp = new Proxy(Original, {
    construct: (_, given: [string, string?]) => record(new Original(...given)),
    apply: (_, __, given: [string, string?]) => record(new Original(...given)),
  });
  try {
    await load();
  } finally {
    globalThis.RegExp = Original;
  }
  return { count: built.length, unbounded: built.filter(({ source }) => isUnbounded(source)) };
}

function isUnbounded(pattern: string): boolean {
  const outside = pattern.replace(/\\./gsu, "a").replace(/\[[^\]]*\]/gu, "a");
  return /[+*]|\{\d+,\}/u.test(outside);
}

/** Characters that most expressions name only by a class. */
const usual = [
  "a",
  "A",
  "0",
  " ",
  "\t",
  "\n",
  "\r",
  "/",
  "\\",
  ".",
  "-",
  "_",
  ":",
  "=",
  '"',
  "'",
  "`",
  "(",
  "[",
  "{",
  "<",
  "|",
];

/**
 * Returns texts of a length that come close to a match: repetitions of its characters, of pairs of them and of its words.
 * Each ends with a control character, or with a character that the expression names.
 */
export function hostileTexts({ source: written }: Expression, length: number): readonly string[] {
  const source = written.replace(/\\(?:u([\da-f]{4})|x([\da-f]{2}))/giu, (_, four: string, two: string) =>
    String.fromCharCode(Number.parseInt(four ?? two, 16)),
  );
  const words = source.match(/[A-Za-z]{2,}/gu) ?? [];
  const chars = [...new Set([...usual, ...source.replace(/\\[a-zA-Z]/gu, "")])];
  const named = [...new Set(source.replace(/\\(.)/gsu, "$1"))].slice(0, 12);
  const pairs = named.flatMap((one) => named.map((other) => one + other));
  return [...chars, ...words, ...pairs].flatMap((piece) => {
    const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    const ends = piece.length === 1 ? ["\u0001", ...named] : ["\u0001"];
    return [text, ...ends.map((end) => text + end)];
  });
}

/** Returns the CPU time in milliseconds of a search for all matches in a text. */
export function searchTime({ source, flags }: Expression, text: string): number {
  const expression = new RegExp(source, flags.includes("g") || flags.includes("y") ? flags : `${flags}g`);
  const before = process.cpuUsage();
  text.replace(expression, "");
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

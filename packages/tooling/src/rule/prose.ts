import type { SourceFile } from "../source.js";
import { isTest, parseSource, placeOf } from "../source.js";
import type { Workspace } from "../workspace.js";
import { type Page, proseLines } from "./links.js";

const mostWords = 30;

const forbidden = new Set(
  ["What", "Who", "Whoever", "Whatever", "Whether", "How", "Which", "Where"].concat("Of", "As", "In", "That"),
);

/** Constructions that a reader of English as a second language reads twice, each with its remedy. */
const riddles: readonly (readonly [RegExp, string])[] = [
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|such\b)\w+/i, 'write "is not a …"'],
  [/\banew\b/i, 'write "again"'],
  [/\bmeanwhile\b/i, 'write "in the meantime"'],
  [/\balso if\b/i, 'write "even if"'],
  [/\b(?:prevent|forbid)s? that\b/i, 'write "prevents … from"'],
  [/\b(?:is|are|was|were|has|have) told\b/i, 'write "gets" or "reports"'],
  [/\bcallers? without types\b/i, 'write "callers in JavaScript"'],
  [/\b(?:is|are|was|were) known by\b/i, 'write "recognises … by"'],
  [/\bas (?:it|they) stands?\b/i, 'write "unchanged"'],
];

/** Folders whose texts may still have riddles: tests, measurements, and packages that have not been mended yet. */
const unchecked = /^(?:apps\/(?:e2e|bench)|packages\/tooling)\//;

/** Returns the places of docstrings of the product and of pages with a construction that has to be read twice. */
export function riddleViolations(workspaces: readonly Workspace[], pages: readonly Page[]): readonly string[] {
  return [
    ...workspaces.flatMap(({ files }) =>
      files
        .filter(({ path }) => !isTest(path) && !unchecked.test(path))
        .flatMap((file) => docstringsOf(file).flatMap(({ start, text }) => riddlesIn(text, placeOf(file, start)))),
    ),
    ...pages
      .filter(({ path }) => !unchecked.test(path))
      .flatMap(({ path, text }) =>
        proseLines(text).flatMap(({ line, content }) => riddlesIn(content, `${path}:${line}`)),
      ),
  ];
}

function riddlesIn(text: string, place: string): readonly string[] {
  const plainText = text.replace(/`[^`]*`/g, "Code").replace(/\s+/g, " ");
  return riddles.flatMap(([pattern, remedy]) => {
    const [found] = pattern.exec(plainText) ?? [];
    return found === undefined ? [] : [`${place} has "${found}": ${remedy}`];
  });
}

/** Returns the docstrings whose first word is one of those that are neither a verb nor a noun. */
export function beginningViolations(workspaces: readonly Workspace[]): readonly string[] {
  return workspaces.flatMap(({ files }) => files.flatMap(oddBeginnings));
}

/** Returns the sentences of docstrings and pages with more than 30 words; lists, tables and code are left out. */
export function sentenceViolations(workspaces: readonly Workspace[], pages: readonly Page[]): readonly string[] {
  return [
    ...workspaces.flatMap(({ files }) => files.flatMap(longSentencesOfFile)),
    ...pages.flatMap(longSentencesOfPage),
  ];
}

function oddBeginnings(file: SourceFile): readonly string[] {
  return docstringsOf(file).flatMap(({ start, text }) => {
    const [word = ""] = /^[A-Za-z]+/.exec(text.trim()) ?? [];
    return forbidden.has(word) ? [`${placeOf(file, start)} begins with ${word}`] : [];
  });
}

function longSentencesOfFile(file: SourceFile): readonly string[] {
  return docstringsOf(file).flatMap(({ start, text }) => {
    const lines = proseLines(text).map(({ content }) => content);
    return longSentences(lines).map((sentence) => `${placeOf(file, start)} ${sentence}`);
  });
}

function longSentencesOfPage({ path, text }: Page): readonly string[] {
  const lines = proseLines(text);
  return paragraphs(lines).flatMap((paragraph) => {
    const content = paragraph.map((line) => line.content);
    return longSentences(content).map((sentence) => `${path}:${paragraph[0]?.line} ${sentence}`);
  });
}

/** Groups lines by the empty lines between them. Each line keeps its number for messages. */
function paragraphs<Line extends { readonly content: string }>(lines: readonly Line[]): readonly (readonly Line[])[] {
  const groups: Line[][] = [[]];
  for (const line of lines) {
    if (line.content.trim() === "") groups.push([]);
    else groups.at(-1)?.push(line);
  }
  return groups;
}

/** The docstrings of a file, without their stars and their `@example`s. */
function docstringsOf(file: SourceFile): readonly { readonly start: number; readonly text: string }[] {
  return parseSource(file)
    .comments.filter(({ type, value }) => type === "Block" && value.startsWith("*"))
    .map(({ start, value }) => ({ start, text: plain(value.slice(1)) }));
}

function plain(docstring: string): string {
  return docstring
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, ""))
    .join("\n")
    .replace(/^@example\b[\s\S]*?(?=^@(?!example)|$(?![\s\S]))/gm, "");
}

/** Returns the sentences of some lines of Markdown that have too many words. */
export function longSentences(lines: readonly string[]): readonly string[] {
  return blocksOf(lines)
    .flatMap(sentencesIn)
    .map((sentence) => ({ sentence, words: sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length }))
    .filter(({ words }) => words > mostWords)
    .map(({ sentence, words }) => `has ${words} words: ${sentence.slice(0, 70)}…`);
}

/** Joins the lines of each paragraph. Headings, tables, list items with what is indented under them are left out. */
function blocksOf(lines: readonly string[]): readonly string[] {
  const blocks: string[] = [];
  let inList = false;
  let open = false;
  for (const line of lines) {
    const isItem = /^\s*([-*+]|\d+\.)\s/.test(line);
    const isBlank = line.trim() === "";
    if (isBlank || /^\s*(\||#{1,6} |<)/.test(line)) open = false;
    else if (isItem || (inList && (open || /^\s/.test(line)))) open = inList = true;
    else if (open && !line.startsWith("@")) blocks.push(`${blocks.pop()} ${line.trim()}`);
    else {
      inList = false;
      open = true;
      blocks.push(line.replace(/^@\w+ ?/, "").trim());
    }
    if (isBlank) open = false;
  }
  return blocks;
}

/** Splits a paragraph into sentences. An inline piece of code and the text of a link count as they are read. */
function sentencesIn(block: string): readonly string[] {
  return block
    .replace(/`[^`]*`/g, "Code")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\{@link(?:code)? ([^}]*)\}/g, "Code")
    .split(/(?<=[.!?][)"*_]*)\s+(?=[("*_]*[\p{Lu}\p{N}])/u);
}

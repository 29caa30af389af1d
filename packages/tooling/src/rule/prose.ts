import type { SourceFile } from "../source.js";
import { parseSource, placeOf } from "../source.js";
import type { Workspace } from "../workspace.js";
import { type Page, proseLines } from "./links.js";
import { type Allowance, shrinkingViolations } from "./shrinking.js";

const mostWords = 30;

const forbidden = new Set(
  ["What", "Who", "Whoever", "Whatever", "Whether", "How", "Which", "Where"].concat("Of", "As", "In", "That"),
);

/** Docstrings that still begin with a forbidden word, by workspace. This list shrinks only. */
const beginningsLeft: Allowance = {
  "packages/agent": 14,
  "packages/client": 4,
  "packages/schema": 10,
};

/** Sentences that are still too long, by workspace or folder of pages. This list shrinks only. */
const sentencesLeft: Allowance = {
  "packages/agent": 1,
  "packages/client": 2,
  "packages/schema": 1,
  "packages/session": 7,
  "packages/transport": 3,
  "apps/cli-agent": 7,
  "apps/node-client": 8,
};

/** Docstrings whose first word is not a verb or a noun, for what can be said of that by a list of words. */
export function beginningViolations(
  workspaces: readonly Workspace[],
  allowed: Allowance = beginningsLeft,
): readonly string[] {
  const found = workspaces.map(({ folder, files }) => [folder, files.flatMap(oddBeginnings)] as const);
  return shrinkingViolations(new Map(found), allowed, "docstrings with a forbidden beginning");
}

/** Sentences of docstrings and pages with more than 30 words; lists, tables and code are left out. */
export function sentenceViolations(
  workspaces: readonly Workspace[],
  pages: readonly Page[],
  allowed: Allowance = sentencesLeft,
): readonly string[] {
  const found = new Map(workspaces.map(({ folder, files }) => [folder, files.flatMap(longSentencesOfFile)]));
  for (const page of pages) {
    const parts = page.path.split("/");
    const folder = parts.length === 1 ? "." : parts.slice(0, parts[0] === "docs" ? 1 : 2).join("/");
    found.set(folder, [...(found.get(folder) ?? []), ...longSentencesOfPage(page)]);
  }
  return shrinkingViolations(found, allowed, `sentences of more than ${mostWords} words`);
}

function oddBeginnings(file: SourceFile): readonly string[] {
  return docstringsOf(file).flatMap(({ start, text }) => {
    const [word = ""] = /^[A-Za-z]+/.exec(text.trim()) ?? [];
    return forbidden.has(word) ? [`  ${placeOf(file, start)} begins with ${word}`] : [];
  });
}

function longSentencesOfFile(file: SourceFile): readonly string[] {
  return docstringsOf(file).flatMap(({ start, text }) => {
    const lines = proseLines(text).map(({ content }) => content);
    return longSentences(lines).map((sentence) => `  ${placeOf(file, start)} ${sentence}`);
  });
}

function longSentencesOfPage({ path, text }: Page): readonly string[] {
  const lines = proseLines(text);
  return paragraphs(lines).flatMap((paragraph) => {
    const content = paragraph.map((line) => line.content);
    return longSentences(content).map((sentence) => `  ${path}:${paragraph[0]?.line} ${sentence}`);
  });
}

/** Groups the lines of a page at the gaps between them, so that each group has its place. */
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

import { expect, test } from "vitest";
import { readPages } from "../src/rule/links.js";
import { beginningViolations, longSentences, riddleViolations, sentenceViolations } from "../src/rule/prose.js";
import { readWorkspaces, root } from "../src/workspace.js";
import { fixture } from "./fixture.js";

test("docstrings begin with a verb or a noun", () => {
  expect(beginningViolations(readWorkspaces())).toEqual([]);
});

test("sentences of docstrings and pages have 30 words at most", () => {
  const pages = readPages(root).filter(({ path }) => !path.startsWith(".") && !path.startsWith("apps/bench/"));
  expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining(["README.md", "docs/order.md"]));
  expect(sentenceViolations(readWorkspaces(), pages)).toEqual([]);
});

test("docstrings and pages have no constructions that are read twice", () => {
  const pages = readPages(root).filter(({ path }) => !path.startsWith(".") && !path.startsWith("apps/bench/"));
  expect(riddleViolations(readWorkspaces(), pages)).toEqual([]);
});

test.for([
  ["A value that is no object.", 'has "is no object": write "is not a …"'],
  ["Starts the timer anew.", 'has "anew": write "again"'],
  ["Works also\n * if it fails.", 'has "also if": write "even if"'],
  ["The owner is told.", 'has "is told": write "gets" or "reports"'],
  ["Its terminals are known by their name.", 'has "are known by": write "recognises … by"'],
  ["The text is shown as it stands.", 'has "as it stands": write "unchanged"'],
] as const)("a riddle is found in a docstring and in a page: %s", ([text, found]) => {
  const files = { "src/a.ts": `/**\n * ${text}\n */` };
  const page = { path: "README.md", text: text.replace("\n *", "") };
  expect(riddleViolations([fixture("packages/agent", files)], [page])).toEqual([
    `packages/agent/src/a.ts:1 ${found}`,
    `README.md:1 ${found}`,
  ]);
});

test.for(["There is no object.", "It is no longer open.", "`is no` is code.", "There are no such files."])(
  "%s is no riddle",
  (text) => {
    expect(riddleViolations([], [{ path: "README.md", text }])).toEqual([]);
  },
);

const words = (count: number, word = "word") => Array.from({ length: count }, () => word).join(" ");

test.for([
  "/** What it is. */\nexport const a = 1;",
  "/**\n * Whether it is.\n */",
  "export type A = { /** Where it is. */ readonly b: 1 };",
])("a forbidden beginning is found: %s", (text) => {
  const places = beginningViolations([fixture("packages/agent", { "src/a.ts": text })]);
  expect(places).toEqual([expect.stringMatching(/packages\/agent\/src\/a\.ts:1 begins with W/)]);
});

test("verbs, nouns and other comments may begin anyhow", () => {
  const text = "/** Returns it. */ // What\n/* How */ /** Inbound calls. */ /** `in` is code. */ /** Official. */";
  expect(beginningViolations([fixture("packages/agent", { "src/a.ts": text })])).toEqual([]);
});

test("a long sentence of a docstring and of a page is found", () => {
  const text = `/**\n * ${words(15)}\n * ${words(16)}.\n */\n/** ${words(20)}. W ${words(20)}. */`;
  const page = { path: "packages/agent/README.md", text: `# A\n\n${words(31)}.\n` };
  expect(sentenceViolations([fixture("packages/agent", { "src/a.ts": text })], [page])).toEqual([
    expect.stringContaining("packages/agent/src/a.ts:1 has 31 words: word"),
    expect.stringContaining("packages/agent/README.md:3 has 31 words: word"),
  ]);
});

test.for([
  ["a list", `- ${words(31)}`],
  ["a numbered list", `1. ${words(15)}\n   ${words(16)}`],
  ["a list whose lines are not indented", `- ${words(15)}\n${words(16)}`],
  ["a table", `| ${words(31)} |`],
  ["a heading", `## ${words(31)}`],
  ["code", `${words(20)} \`${words(20)}\``],
  ["two sentences", `${words(20)}. \`code\` ${words(20)}.`],
  ["two tags", `@param a ${words(20)}\n@returns ${words(20)}`],
] as const)("%s is no long sentence", ([, text]) => {
  expect(longSentences(text.split("\n"))).toEqual([]);
});

test.for([
  ["an abbreviation inside", `${words(20)} e.g. ${words(20)}`],
  ["links", `${words(20)} [${words(11)}](somewhere)`],
  ["a colon", `${words(20)}: ${words(20)}.`],
  ["a list before it", `- one\n\n${words(31)}.`],
] as const)("a long sentence with %s is one", ([, text]) => {
  expect(longSentences(text.split("\n"))).toHaveLength(1);
});

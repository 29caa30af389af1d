import type { HostileText } from "./linear-time.js";
import { redaction } from "./redaction-texts.js";
import { markdown, wideCharacters, zeroWidth } from "./screen-texts.js";

/** A parser of texts of a peer, a model, a file or a repository, and texts that could make it slow. */
export type ForeignText = {
  readonly name: string;
  /** Path from the root of the repository. */
  readonly file: string;
  /** Origin of the text. */
  readonly text: string;
  /** Longest text that reaches the parser, and the outcome for longer ones. */
  readonly bound: string;
  /** Calls the parser. `module` is the imported file. */
  readonly run: (module: any, text: string) => unknown;
  readonly hostile: readonly HostileText[];
  /** Length of the measured text, if the bound is below 1 MiB. */
  readonly length?: number;
};

/**
 * Every parser in the sources that reads foreign text and is more than one regular expression. The expressions are in
 * `packages/tooling/spec/expressions.tsv`.
 */
export const foreignTexts: readonly ForeignText[] = [
  {
    name: "redactText",
    file: "packages/transport/src/trace/redact.ts",
    text: "messages, lines and stderr of a peer, for logs and errors",
    bound: "8 Mi UTF-16 units; the rest is left out, and a note says so",
    run: ({ redactText }, text) => redactText(text, ["hunter2-horse"]),
    hostile: redaction,
  },
  {
    name: "textLines",
    file: "apps/node-client/src/tui/markdown/markdown-lines.ts",
    text: "messages, thoughts and plans of an agent",
    bound:
      "3000 lines of formatted text for a message, or as much other work; the rest is shown as source text behind a notice",
    run: ({ textLines }, text) => textLines(text, 80),
    hostile: [...markdown, ...wideCharacters],
  },
  {
    name: "wrapText",
    file: "apps/node-client/src/render/wrap.ts",
    text: "output of tools, diffs, questions and pasted text",
    bound: "256 Ki UTF-16 units for output and pasted text; 16 MiB, the size of a message, for questions",
    run: ({ wrapText }, text) => [wrapText(text, 80), wrapText(text, 80, { at: "width" })],
    hostile: [...markdown, ...wideCharacters],
    length: 512 * 1024,
  },
  {
    name: "clip",
    file: "apps/node-client/src/render/wrap.ts",
    text: "titles, names of commands and paths of an agent",
    bound: "the size of a message, 16 MiB",
    run: ({ clip }, text) => clip([text], 80),
    hostile: [...markdown, ...wideCharacters],
  },
  {
    name: "sanitise",
    file: "apps/node-client/src/sanitise.ts",
    text: "every text of an agent that reaches the terminal",
    bound: "the size of a message, 16 MiB",
    run: ({ sanitise, showControls }, text) => [sanitise(text), showControls(text)],
    hostile: [...markdown, ...wideCharacters, ...zeroWidth],
    // An invisible character becomes eight characters, such as `<U+200B>`.
    length: 256 * 1024,
  },
  {
    name: "safeJson",
    file: "apps/node-client/src/output/safe-json.ts",
    text: "events of an agent, for programs that read JSON",
    bound: "the size of a message, 16 MiB",
    run: ({ safeJson }, text) => safeJson(text),
    hostile: [...wideCharacters, ...zeroWidth],
    length: 256 * 1024,
  },
  {
    name: "edit",
    file: "apps/node-client/src/tui/model/text-input.ts",
    text: "text that a person pastes",
    bound: "256 Ki UTF-16 units; the rest is dropped",
    run: ({ edit, inputOf }, text) =>
      ["backspace", "left", "delete-word", "word-left", "up", "home"].map((name) => edit(inputOf(text), { name })),
    hostile: [...wideCharacters, ...zeroWidth, { piece: "a\n" }, { piece: " " }, { piece: "a " }],
  },
];

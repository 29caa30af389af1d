import type { ForeignText } from "./foreign-text.js";
import { markdown, wideCharacters, zeroWidth } from "./screen-texts.js";

/** Languages with a parser of their own. */
const languages = [
  ...["ts", "json", "py", "c", "java", "kotlin", "scala", "dart", "rust", "go", "sh", "css", "less", "html", "sql"],
  ...["rb", "toml", "lua", "swift", "dockerfile", "ini", "diff"],
];

/** Code whose parts open something, or end nothing, in lines as long as those that get colours. */
const openCode = [
  ...["${", "(", "{", "[[", "<a ", "<a>", "/*", "`", '"\\', "'''", '"""', "::", "function a(", "class A{", "#"],
  ...["\u{1f600}", "$(", "=> ", "url(", "a: ", " ", "1e"],
].map((piece) => ({ piece: `${piece.repeat(Math.floor(490 / piece.length))}\n` }));

const pieces = (...all: readonly string[]) => all.map((piece) => ({ piece }));

/** Context of a log, in which lines have no width. */
const logged = { directory: "/", width: 80, detail: "log" };

/** Parsers of `turnkit`, whose texts are shown on a terminal. */
export const screenParsers: readonly ForeignText[] = [
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
    run: ({ wrapText }, text) => wrapText(text, 80),
    hostile: [...markdown, ...wideCharacters, ...zeroWidth],
  },
  {
    name: "wrapText at any character",
    file: "apps/node-client/src/render/wrap.ts",
    text: "output of tools, diffs and pasted text",
    bound: "256 Ki UTF-16 units for output and pasted text; 16 MiB, the size of a message, for questions",
    run: ({ wrapText }, text) => wrapText(text, 80, { at: "width" }),
    hostile: [...markdown, ...wideCharacters, ...zeroWidth],
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
    run: ({ sanitise }, text) => sanitise(text),
    hostile: [...markdown, ...wideCharacters, ...zeroWidth],
  },
  {
    name: "showControls",
    file: "apps/node-client/src/sanitise.ts",
    text: "commands and diffs by which a person decides",
    bound: "the size of a message, 16 MiB",
    run: ({ showControls }, text) => showControls(text),
    hostile: [...markdown, ...wideCharacters, ...zeroWidth],
  },
  {
    name: "safeJson",
    file: "apps/node-client/src/output/safe-json.ts",
    text: "events of an agent, for programs that read JSON",
    bound: "the size of a message, 16 MiB",
    run: ({ safeJson }, text) => safeJson(text),
    hostile: [...wideCharacters, ...zeroWidth],
  },
  {
    name: "edit",
    file: "apps/node-client/src/tui/model/text-input.ts",
    text: "text that a person pastes",
    bound: "256 Ki UTF-16 units; the rest is dropped",
    run: ({ edit, inputOf }, text) =>
      ["backspace", "left", "delete-word", "word-left", "up", "home"].map((name) => edit(inputOf(text), { name })),
    hostile: [...wideCharacters, ...zeroWidth, { piece: "a\n" }, { piece: " " }, { piece: "a " }],
    length: 256 * 1024,
  },
  {
    name: "createKeyReader",
    file: "apps/node-client/src/tui/model/key.ts",
    text: "input of the terminal, with its answers and with pasted text",
    bound: "64 KiB, one read of a terminal; 4096 characters for a sequence, 1 Mi for a paste; the rest is dropped",
    length: 65_536,
    run: ({ createKeyReader }, text) => {
      const reader = createKeyReader(() => {});
      for (const begin of ["", "\u001b[200~"]) reader.read(begin + text);
      reader.stop();
    },
    hostile: pieces(
      "\u001b",
      "\u001b[",
      "\u001b]",
      "\u001bP",
      "\u001b[M",
      "\u001b[1;",
      "\u001b[20",
      "\r",
      "a\r",
      "\u0000",
      "a",
    ),
  },
  {
    name: "diffLines",
    file: "apps/node-client/src/render/diff.ts",
    text: "patches and texts of changes of an agent",
    bound: "100 ms for the comparison of two texts; then both are shown completely",
    run: ({ diffLines }, text) =>
      diffLines({ type: "diff", changes: [], patch: { format: "git_patch", text } }, "/", 200),
    hostile: pieces(
      "diff --git a b\n",
      "--- /a\n",
      "--- /a\t",
      "+++ /",
      "@@\n",
      "+a\n",
      "-\n",
      "\n",
      "\r",
      "a",
      "@@\n-a b c\n+a c b\n",
    ),
  },
  {
    name: "changedWords",
    file: "apps/node-client/src/render/word-changes.ts",
    text: "pairs of removed and added lines of patches",
    bound: "500 characters for a line, 60 changed words, 200 pairs of a patch; beyond these no words are compared",
    run: ({ changedWords }, text) => {
      for (let at = 0; at < 200; at++) changedWords(text.slice(at, at + 500), text.slice(at + 501, at + 1001));
    },
    hostile: pieces("a", "a b ", "- ", "\u0301", "\ud83d", "ab,c;", " \t", "\u{1f600}"),
  },
  {
    name: "unfenced",
    file: "apps/node-client/src/render/fence.ts",
    text: "output of tools",
    bound: "the size of a message, 16 MiB",
    run: ({ unfenced }, text) => unfenced(`\`\`\`\n${text}`),
    hostile: pieces("`", "```\n", "~~~", " ", "\n", "a\n```", "```a"),
  },
  {
    name: "unifiedDiff",
    file: "apps/node-client/src/render/diff.ts",
    text: "texts before and after a change of an agent",
    bound: "100 ms for the comparison; then both texts are shown completely",
    run: ({ unifiedDiff }, text) =>
      unifiedDiff("a", text.slice(0, text.length / 2), `b\n${text.slice(text.length / 2).replaceAll("x", "y")}`),
    hostile: pieces("\n", "a\n", "x\n", "x\na\n", "a", "\r\n", "a\nb\nx\n"),
  },
  {
    name: "optionLabel",
    file: "apps/node-client/src/render/permission.ts",
    text: "names of options of an agent",
    bound: "the size of a message, 16 MiB",
    run: ({ optionLabel }, name) => optionLabel({ name }),
    hostile: pieces("a ", "\u2800a", "\u{1f600}\ufe0f", "\u{1f600}", "\ufe0f", "a"),
  },
  {
    name: "patchLines",
    file: "apps/node-client/src/render/patch.ts",
    text: "patches of an agent, also those that a person has to approve",
    bound: "the size of a message, 16 MiB; 200 pairs of lines whose words are compared",
    run: ({ patchLines }, text) => patchLines(text, { limit: Number.POSITIVE_INFINITY, directory: "/a" }),
    hostile: ["", "@@\n"].flatMap((head) =>
      [
        "-\n",
        "+\n",
        " \n",
        "-a\n+b\n",
        "-\n-\n+\n",
        "--- a\n",
        "+++ b\n",
        "diff --git a b\n",
        "index \n",
        "-a b c d e f g h\n",
      ].map((piece) => ({ head, piece })),
    ),
  },
  {
    name: "unfenced",
    file: "apps/node-client/src/render/fence.ts",
    text: "output of tools",
    bound: "the size of a message, 16 MiB",
    run: ({ unfenced }, text) => [unfenced(text), unfenced(`\`\`\`\n${text}`)],
    hostile: pieces("```\n", "`", "\n", " ", "~~~\n", "``"),
  },
  {
    name: "readToolInput",
    file: "apps/node-client/src/render/tool-input.ts",
    text: "inputs of tools of an agent",
    bound: "the size of a message, 16 MiB",
    run: ({ readToolInput }, text) => [
      readToolInput({ command: text }),
      readToolInput({ command: text.split(" ").slice(0, 9_000) }),
      readToolInput({ text }),
    ],
    hostile: pieces("a", "a ", "'", "'' ", "\\", '"'),
  },
  {
    name: "coveredLines",
    file: "apps/node-client/src/render/permission.ts",
    text: "tool calls that a person decides about",
    bound: "the size of a message, 16 MiB; 200 levels, with more the question is cancelled",
    run: ({ coveredLines }, text) =>
      coveredLines(
        { kind: "edit", locations: [], content: [{ type: "content", content: { type: "text", text } }] },
        "",
        { terminals: new Map(), context: logged },
      ),
    hostile: pieces("a", "a ", "a\n", '"', "\u200b"),
  },
  {
    name: "coveredLines of an input",
    file: "apps/node-client/src/render/permission.ts",
    text: "inputs of tools that a person decides about",
    bound: "the size of a message, 16 MiB; 200 levels, with more the question is cancelled",
    run: ({ coveredLines }, text) =>
      coveredLines({ kind: "edit", locations: [], content: [], rawInput: { text } }, "", {
        terminals: new Map(),
        context: logged,
      }),
    hostile: pieces("a", "a ", "a\n", '"', 'command" ', "\u200b"),
  },
  {
    name: "questionLines",
    file: "apps/node-client/src/render/permission.ts",
    text: "commands that a person decides about",
    bound: "the size of a message, 16 MiB",
    run: ({ questionLines }, command) =>
      questionLines({ title: "a", subject: { type: "command", command, cwd: "/" } }, logged),
    hostile: pieces("a", "a ", "a\n", '"', "\u200b"),
  },
  {
    name: "questionLines with a long title",
    file: "apps/node-client/src/render/permission.ts",
    text: "titles of questions of an agent, which contain the command in version 1",
    bound: "the size of a message, 16 MiB",
    run: ({ questionLines }, title) => questionLines({ title, subject: { type: "other" } }, logged),
    hostile: pieces("a", "a ", "a\n", '"', "\u200b"),
  },
  {
    name: "findMentions",
    file: "apps/web/src/mention/mentions.ts",
    text: "prompts that a person pastes",
    bound: "500 mentions; later ones are plain text",
    run: ({ findMentions, withoutEscapes }, text) => [findMentions(text), withoutEscapes(text)],
    hostile: pieces("@", "@a ", '@"', '@"a', "@'", " @a", ".", "@a.", ")", "\\ ", "@\\ ", ' @"a\n', "\\@", "@a:1"),
  },
  {
    name: "readTyped",
    file: "apps/node-client/src/tui/model/commands.ts",
    text: "typed and pasted text",
    bound: "256 Ki UTF-16 units",
    run: ({ readTyped }, text) => readTyped(`/${text}`, []),
    hostile: pieces("a", "a ", " ", "/"),
    length: 256 * 1024,
  },
  {
    name: "createMarkdownStream",
    file: "apps/node-client/src/tui/markdown/markdown-stream.ts",
    text: "messages of an agent, in small pieces",
    bound: "about 0.7 s of work for a message; the rest is shown as source text",
    run: ({ createMarkdownStream }, text) => {
      const stream = createMarkdownStream();
      for (let at = 0; at < text.length; at += 256) stream.write(text.slice(at, at + 256));
      return stream.end();
    },
    hostile: pieces("- a\n", "> ", "`", "*", "[a](", "|a|b|\n", "\n\n", "a "),
  },
  ...languages.map((language) => ({
    name: `createHighlighter for ${language}`,
    file: "apps/node-client/src/tui/markdown/highlighter.ts",
    text: "code in messages of an agent",
    bound: "500 characters of a line, 150 ms for a message; the rest has no colours",
    run: ({ createHighlighter }: any, text: string) => createHighlighter().lines(text, language, false),
    hostile: openCode,
  })),
  {
    name: "languageOf",
    file: "apps/node-client/src/tui/markdown/language-modes.ts",
    text: "text after the fence of a block of code",
    bound: "200 characters",
    run: ({ languageOf }, text) => languageOf(text),
    hostile: pieces(".", "a.", ":", "a", " "),
  },
  {
    name: "blockLines",
    file: "apps/node-client/src/render/line.ts",
    text: "output of tools in a log",
    bound: "the size of a message, 16 MiB",
    run: ({ blockLines }, text) => blockLines(text, { sequences: "show" }),
    hostile: pieces("\n", "a\n", "\t", "\r", "\u001b[1m", "\u200b"),
  },
  {
    name: "readField",
    file: "apps/node-client/src/form-field.ts",
    text: "choices of an agent's form",
    bound: "the size of a message, 16 MiB; a person types the line",
    run: ({ readField }, text) => readField({ type: "array", items: { enum: text.split(" ") } }, "a,b"),
    hostile: pieces(" ", "a ", "\u0130 ", "aaaaaaaa "),
  },
];

import type { ForeignText } from "./foreign-text.js";
import { redaction } from "./redaction-texts.js";

const pieces = (...all: readonly string[]) => all.map((piece) => ({ piece }));

const message = "32 MiB, the longest line; a longer one closes the channel";
const receiver = { message() {}, invalidLine() {} };

/** Parsers of the packages. */
export const wireParsers: readonly ForeignText[] = [
  {
    name: "redactText",
    file: "packages/transport/src/trace/redact.ts",
    text: "messages, lines and stderr of a peer, for logs and errors",
    bound: "8 Mi UTF-16 units; the rest is left out, and a note says so",
    run: ({ redactText }, text) => redactText(text, ["hunter2-horse"]),
    hostile: redaction,
  },
  {
    name: "redactSecrets",
    file: "packages/transport/src/trace/redact.ts",
    text: "messages of a peer, for logs",
    bound: "the size of a message; 200 levels, below which every value is redacted",
    input: (text) => ({ params: { list: text.split("\n"), env: [text] } }),
    run: ({ redactSecrets }, message) => redactSecrets(message),
    hostile: pieces(
      ...["\n", "a\n", "--token\n", "token=aaaa\n", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n", "seed phrase\n"],
      ...["Authorization: Bearer aaaaaaaaaaaaaaaa\n", "https://a:b@c\n", "curl -u a:b c\n", "const token = 1;\n"],
      ...["\u001b[1mtoken\u001b[0m=a\n", "sk-eyJ://-u -p ghp_AKIA:AA\n", "a b c d e f g h i j k l m n o p q r s t\n"],
    ),
  },
  {
    name: "redactSecrets with many members",
    file: "packages/transport/src/trace/redact.ts",
    text: "messages of a peer, for logs",
    bound: "the size of a message; 20 000 texts, after which every text is redacted",
    // The message is as long as the text.
    input: (text) => text.split(" ", text.length / 24).map((name, at) => ({ [name]: "a", [at]: name })),
    run: ({ redactSecrets }, message) => redactSecrets(message),
    hostile: pieces("a ", "token ", "aToken ", "API_KEY ", "--token ", "name ", "value=1 ", "env ", "secret=a "),
  },
  {
    name: "redactSecrets with a long name",
    file: "packages/transport/src/trace/redact.ts",
    text: "names of members in messages of a peer, for logs",
    bound: "the size of a message",
    run: ({ redactSecrets }, text) => redactSecrets({ params: { [text]: "a" } }),
    hostile: pieces("\n", "a", "token", "--token", "API_KEY", "aA"),
  },
  {
    name: "one line of JSON",
    file: "packages/transport/src/channels/line-parser.ts",
    text: "lines of a peer",
    bound: message,
    run: ({ LineParser }, text) => new LineParser().deliver(text, text.length, receiver),
    hostile: [
      ...pieces(" ", "\t", "\ufeff", "1", "1.", '"', '" ', "[", "{", '{"a":', "[1,", "a", "\ud83d"),
      ...["1", '"', "[", "{"].flatMap((head) =>
        ["1", "e", '"', " ", '" ', "\\", "1234567890123456 "].map((piece) => ({ head, piece })),
      ),
      ...[" ", "1234567890123456,", '"",', "[],"].map((piece) => ({
        head: '{"id":12345678901234567890,"a":[',
        piece,
        tail: "1]}",
      })),
    ],
  },
  {
    name: "many lines of JSON",
    file: "packages/transport/src/channels/line-reader.ts",
    text: "lines of a peer",
    bound: "64 KiB, one read of a pipe; other work runs between two reads",
    run: ({ LineReader }, text) => {
      const reader = new LineReader(32 * 1024 * 1024);
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length; at += 65_536) {
        reader.push(bytes.subarray(at, at + 65_536));
        while (reader.deliverNext(receiver));
      }
    },
    length: 65_536,
    hostile: pieces(
      "\n",
      "\r\n",
      "a\n",
      "{}\n",
      "[a]\n",
      "{\n",
      '{"":a}\n',
      "0\n",
      "e\u0301\n",
      '{"method":"a","params":{"a":"b"}}\n',
    ),
  },
  {
    name: "a line in small chunks",
    file: "packages/transport/src/channels/line-reader.ts",
    text: "lines of a peer",
    bound: message,
    run: ({ LineReader }, text) => {
      const reader = new LineReader(32 * 1024 * 1024);
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length; at += 16) {
        reader.push(bytes.subarray(at, at + 16));
        while (reader.deliverNext(receiver));
      }
    },
    hostile: pieces("a", "\u{1f600}"),
  },
  {
    name: "checkedEstimate",
    file: "packages/transport/src/channels/message-size.ts",
    text: "messages that a program forwards from a peer",
    bound: "10 000 values are visited; then the exact size is computed",
    run: ({ checkedEstimate }, text) => checkedEstimate({ method: "a", params: { text, list: text.split(" ") } }),
    hostile: pieces(" ", "a ", "\u0001", "\u6f22", "\ud83d"),
  },
  {
    name: "isPackageRunner",
    file: "packages/session/src/command/package-runner.ts",
    text: "commands of an agent, of a file of agents and of MCP servers",
    bound: "1000 words; a longer command counts as a package runner",
    run: ({ isPackageRunner }, text) => [
      isPackageRunner([text]),
      isPackageRunner(["sh", "-c", text, "npx"]),
      isPackageRunner(text.split(" ").slice(0, 999)),
      isPackageRunner(["go", "run", text]),
    ],
    hostile: [
      ...pieces("npm ", "npm a ", "env ", "env -a ", "sh -c ", "a.a", "a@", "/", "\\", "-cli", ".js", "node -m ", "$"),
      ...["npm ", "npm a ", "a "].map((piece) => ({ head: "$ ", piece })),
    ],
  },
  {
    name: "parseCommandLine",
    file: "packages/session/src/command/parse-command-line.ts",
    text: "commands of an agent or a model",
    bound: "131 072 UTF-16 units; no rule covers a longer line",
    run: ({ parseCommandLine }, text) => parseCommandLine(text),
    hostile: [
      ...pieces(
        "a ",
        "a>b ",
        "<a>b",
        "a;",
        "a\n",
        "'a'",
        '"a"',
        '"\\a"',
        "\\a",
        " \\\n",
        "a=1",
        "a~",
        "<1-",
        "1",
        "a'",
      ),
      ...['"', "'", "a<"].flatMap((head) => ["a", "\\a", "1", "-"].map((piece) => ({ head, piece }))),
    ],
    length: 131_072,
  },
  {
    name: "commandsIn",
    file: "packages/session/src/command/plain-commands.ts",
    text: "commands of an agent or a model",
    bound: "131 072 UTF-16 units; no rule covers a longer line",
    run: ({ commandsIn, fitsCommandPattern }, text) => [
      commandsIn(text),
      fitsCommandPattern(text.split(" "), ["a", "*"]),
    ],
    hostile: pieces("a ", "a;", "a && ", "test [ ", "a -- ", "git bisect ", "npx ", "sh -c ", "..", "../"),
    length: 131_072,
  },
  {
    name: "createPathCheck",
    file: "packages/session/src/paths/path-check.ts",
    text: "paths of an agent or a model",
    bound: "4096 UTF-16 units, also in the normalised form; a longer path counts as protected",
    run: ({ createPathCheck }, text) => createPathCheck().protectedBy(text),
    hostile: pieces(
      "a/",
      "a~1/",
      "a~1.",
      "\ufdfa",
      "\u0301",
      "\u200b",
      ".",
      "../",
      "*",
      "a.",
      ".env",
      ".git/",
      "\u0130",
    ),
    length: 4096,
  },
  {
    name: "diffFiles",
    file: "packages/session/src/files/diff-files.ts",
    text: "patches of an agent",
    bound: "the size of a message, 16 MiB",
    run: ({ diffFiles }, text) =>
      diffFiles({ type: "diff", changes: [{ operation: "modify", path: "/a" }], patch: { format: "git_patch", text } }),
    hostile: [
      ...pieces("diff --git a b\n", "diff --git a b\n--- a\n", "diff ", "\n", "a\n", "@@\n"),
      ...["\\303\\244", "a", "\\", "\u2028"].map((piece) => ({ head: 'diff --git a b\n--- "', piece, tail: '"\n' })),
    ],
  },
  {
    name: "gitPatch",
    file: "packages/session/src/codec/v2/git-patch.ts",
    text: "texts of changed files, from a repository or a model",
    bound: "400 changed lines and 2 000 000 comparisons; more are one change of all lines",
    run: ({ gitPatch }, text) => {
      // Half of the text is the common part of two files that differ in many other lines.
      const common = text.slice(0, text.length / 4);
      const file = (mark: string) =>
        `${mark}\n${common}${Array.from({ length: 500 }, (_, at) => `${mark}${at}\n`).join("")}`;
      return gitPatch({ operation: "modify", path: "/a", oldText: file("a"), newText: file("b") });
    },
    hostile: pieces("\n", "a\n", "a\nb\n", "a", "\r\n", "\u{1f600}", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"),
  },
  {
    name: "gitPatch with a long path",
    file: "packages/session/src/codec/v2/git-patch.ts",
    text: "names of changed files, from a repository or a model",
    bound: "the size of a message, 16 MiB",
    run: ({ gitPatch }, path) => gitPatch({ operation: "add", path, newText: "a" }),
    hostile: pieces("\n", "a", "\r\n", "\u{1f600}", '"', "\u0001"),
  },
  {
    name: "matchesPattern",
    file: "packages/session/src/form/form-pattern.ts",
    text: "patterns in forms of an agent, and answers to forms",
    bound: "2000 characters, 5000 states, 1 000 000 steps for a form; then the text is accepted",
    run: ({ matchesPattern }, text) => [
      matchesPattern("(a+)+b", text, { steps: 1_000_000 }),
      matchesPattern(text.slice(0, 2000), text, { steps: 1_000_000 }),
    ],
    hostile: pieces(
      "a",
      "(a",
      "(a*)*",
      "a{9}",
      "a{0,999}",
      "[a",
      "a|",
      "(",
      ".*",
      "\u{1f600}",
      "\\d+",
      "(a{0}){99999999}",
    ),
  },
  {
    name: "checkFormAnswer",
    file: "packages/session/src/form/form-answer.ts",
    text: "answers to forms",
    bound: "the size of a message, 16 MiB",
    run: ({ checkFormAnswer }, text) =>
      ["email", "uri", "date", "date-time"].map((format) =>
        checkFormAnswer({ properties: { a: { type: "string", format } } }, { a: text }),
      ),
    hostile: [
      ...pieces("a", "@", "a@", "a:", " "),
      { head: "a:", piece: "a" },
      { head: "2026-01-01T10:10:10.", piece: "1" },
    ],
  },
  {
    name: "terminalText",
    file: "packages/session/src/codec/fallback/terminals.ts",
    text: "commands of an agent, and output of commands",
    bound: "16 384 characters of output, the newest; 16 MiB, the size of a message, for a command",
    run: ({ terminalText }, command) => terminalText({ command, text: "", textBytes: 0, droppedBytes: 0 }),
    hostile: [
      ...pieces("\u0090", "\u001b]", "\u001b[", "\u009b", "\r", "a\r", "\r\n", "\u0007", "\u001b"),
      ...["\u0090", "\u001b]", "\u001b[1;", "a"].map((piece) => ({ piece, tail: "\u001b" })),
    ],
  },
  {
    name: "bytesOfBase64",
    file: "packages/session/src/terminal-bytes.ts",
    text: "output of terminals of a peer",
    bound: "the size of a message, 16 MiB",
    run: ({ bytesOfBase64, withoutFirstBytes }, text) => [
      bytesOfBase64(text, []),
      withoutFirstBytes(text, text.length / 2),
    ],
    hostile: pieces("AAAA", "====", "A=", " ", "\u{1f600}", "\ud83d"),
  },
  {
    name: "transcriptMarkdown",
    file: "packages/session/src/transcript.ts",
    text: "messages of an agent",
    bound: "the size of the session's state",
    run: ({ transcriptMarkdown }, text) => {
      const content = [{ type: "text", text }, { type: "image" }];
      return transcriptMarkdown({ timeline: [{ type: "message", role: "agent", content }] });
    },
    hostile: [
      ...pieces("```\n", "``` ", "`", "> ", ">", "1.", "~~~\n", "~", "- ```\n", "\n", " "),
      ...["`", "~", " ", "> "].map((piece) => ({ piece, tail: "x`" })),
    ],
  },
  {
    name: "createRecordingReader",
    file: "packages/session/src/recording/recording.ts",
    text: "recordings of sessions",
    bound: "the length of one line; the rest is reported as too long",
    run: ({ createRecordingReader }, text) => {
      const reader = createRecordingReader({});
      for (let at = 0; at < text.length; at += 65_536) reader.push(text.slice(at, at + 65_536));
      return reader.end();
    },
    hostile: pieces("a\n", "{}\n", "{\n", "\n", "a", "[]\n", '{"event":{"type":"a"}}\n'),
  },
  {
    name: "commandIn",
    file: "packages/client/src/broker/command-facts.ts",
    text: "inputs of tools of an agent",
    bound: "64 levels and 10 000 values; with more, only a person decides",
    run: ({ commandIn }, text) => [commandIn({ command: text }), commandIn({ [text]: 1 })],
    hostile: pieces("a ", "-", "_", "<a>b", "a;", "\ud83d", "a"),
  },
  {
    name: "commandIn with many words",
    file: "packages/client/src/broker/command-facts.ts",
    text: "inputs of tools of an agent",
    bound: "64 levels and 10 000 values; with more, only a person decides",
    run: ({ commandIn }, text) => {
      const words = text.split(" ");
      return [words.length, 4_000].map((count) => {
        const command = words.slice(0, count);
        return commandIn({ command, args: command.slice(1) });
      });
    },
    hostile: pieces("a ", "- ", " ", "aaaaaaaaaaaa ", "\ud83d "),
  },
  {
    name: "liesInside",
    file: "packages/client/src/broker/permission-facts.ts",
    text: "paths of an agent",
    bound: "the size of a message, 16 MiB",
    run: ({ liesInside }, text) => liesInside(text, ["/a"]),
    hostile: [
      ...["/", "c:\\", "\\\\a\\"].flatMap((head) =>
        ["a/", "../", "a\\", "a:", "//", "a"].map((piece) => ({ head, piece })),
      ),
      ...pieces("\\", "a"),
    ],
  },
];

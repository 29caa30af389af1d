import type { ForeignText } from "./foreign-text.js";

const pieces = (...all: readonly string[]) => all.map((piece) => ({ piece }));

/** Returns the error of a call, because the parser refuses the text. */
function refused(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

/** Parsers of `turnkit-agent`. */
export const agentParsers: readonly ForeignText[] = [
  {
    name: "applyEdits with long texts",
    file: "apps/cli-agent/src/tools/edit-files.ts",
    text: "files of a repository, and edits of a model",
    bound: "1 MB for a file",
    run: ({ applyEdits }, text) => {
      const half = text.slice(0, text.length / 2);
      return [`b${half}`, `${half}b`, half, `${half.slice(0, half.length / 2)}b${half.slice(half.length / 2)}`].map(
        (oldText) => refused(() => applyEdits(text, [{ oldText, newText: "" }])),
      );
    },
    hostile: [...pieces("a", "aaaaaaaa\n", "aab", "\n", "\r\n", " ", "\u{1f600}"), { piece: "a", tail: "c" }],
  },
  {
    name: "applyEdits with many edits",
    file: "apps/cli-agent/src/tools/edit-files.ts",
    text: "files of a repository, and edits of a model",
    bound: "32 Mi characters that are searched for all edits: 32 edits in a file of 1 MB; with more, the call fails",
    run: ({ applyEdits }, text) => {
      const names = Array.from({ length: text.length / 16 }, (_, at) => `<${at}>`);
      const edits = names.map((oldText) => ({ oldText, newText: "" }));
      return [32, edits.length].map((count) => refused(() => applyEdits(text + names.join(""), edits.slice(0, count))));
    },
    hostile: pieces("a", "<", "<1", "\n", "\r\n"),
  },
  {
    name: "editsBetween",
    file: "apps/cli-agent/src/lint/edits.ts",
    text: "files of a repository, before and after a fix",
    bound: "100 000 lines, 400 changed lines, 100 ms; more are one edit of the whole file",
    run: ({ editsBetween }, text) => editsBetween(text, text.toUpperCase()),
    hostile: [...pieces("a\n", "\n", "a\na\nx\n", "x\n", "a"), { head: "a\n", piece: "x\n", tail: "a\n" }],
  },
  {
    name: "patchBetween",
    file: "apps/cli-agent/src/lint/edits.ts",
    text: "files of a repository, before and after a fix",
    bound: "100 000 lines, 400 changed lines, 100 ms; more are one change of all lines",
    run: ({ patchBetween }, text) => patchBetween(text, text.toUpperCase()),
    hostile: [...pieces("a\n", "a\na\nx\n", "a"), { head: "a\n", piece: "x\n", tail: "a\n" }],
  },
  {
    name: "parseFindings",
    file: "apps/cli-agent/src/lint/finding.ts",
    text: "reports about files of a repository",
    bound: "16 MB for a report, 1 MB for a file",
    run: ({ parseFindings }, text) => {
      const places = Array.from({ length: text.length / 64 }, (_, at) => ({ labels: [{ span: { offset: at * 64 } }] }));
      const code = `${text.slice(0, text.length / 16)})`;
      return parseFindings(JSON.stringify({ diagnostics: [...places, { code }, { code: `a(${code}` }] }), text);
    },
    hostile: pieces("a", "\n", "a\n", "\u00e9", "\u{1f600}", "(", "a(", ")", "\ufeff"),
  },
  {
    name: "pathsInText",
    file: "apps/cli-agent/src/reviewer/request.ts",
    text: "prompts of a client",
    bound: "1000 paths; further ones are not read",
    run: ({ pathsInText }, text) => pathsInText(text),
    hostile: pieces(
      "a ",
      "`a",
      '"a.js" ',
      "`a.js`",
      "'a/b' ",
      "a.js ",
      "a,",
      ".",
      ":1",
      ":",
      "a/",
      "/",
      "file:///%2F.js ",
      "\u00ab",
      '"',
    ),
  },
  {
    name: "findMentions",
    file: "apps/cli-agent/src/reviewer/request.ts",
    text: "prompts of a client",
    bound: "500 mentions; further ones are not read",
    run: ({ findMentions }, text) => [
      findMentions([{ type: "text", text }]),
      findMentions(text.split(" ").map((uri: string) => ({ type: "resource_link", uri }))),
    ],
    hostile: pieces("a.js ", "/a/b.js ", "file:///a.js ", "../", "a/"),
  },
  {
    name: "explainFinding",
    file: "apps/cli-agent/src/reviewer/answers.ts",
    text: "lines of a repository, and messages of a linter about them",
    bound: "160 characters of a line",
    run: ({ explainFinding }, text) =>
      explainFinding({ line: 1, column: 1, rule: text, severity: "error", message: text, help: text }, text),
    hostile: pieces(" ", "a ", "\n", "`", "\u3000"),
  },
  {
    name: "fence",
    file: "apps/cli-agent/src/markdown.ts",
    text: "names of files, lines of a repository, and patches",
    bound: "the size of a message, 16 MiB",
    run: ({ fence, code }, text) => [fence(text), code(text)],
    hostile: pieces("`", "`a", "``\n", "a"),
  },
  {
    name: "readIgnoreRules",
    file: "apps/cli-agent/src/tools/ignore-rules.ts",
    text: "the .gitignore of a repository",
    bound: "128 KiB, a rule has at most 1024 characters; a larger file counts as empty",
    run: ({ readIgnoreRules }, text) => {
      // A search stops testing a path after a time limit, and so does this test.
      const end = performance.now() + 10;
      return readIgnoreRules(text).ignores("a".repeat(255), false, () => performance.now() > end);
    },
    hostile: [
      ...pieces("a\n", "*a\n", "!*\n", "\\ \n", "[", "[[:", "[a]\n", "\\", " ", "**/", "\r", "a/*\n"),
      ...["a", "[", "*a", "[[:"].map((one) => ({ piece: `${one.repeat(1000 / one.length)}*]\n` })),
    ],
    length: 128 * 1024,
  },
  {
    name: "compileGlob",
    file: "apps/cli-agent/src/tools/glob-pattern.ts",
    text: "patterns of a model and of a repository",
    bound: "1024 characters; a longer pattern is refused or matches nothing",
    run: ({ compileGlob }, text) => compileGlob(text, { braces: true })?.fits("a".repeat(255)),
    hostile: pieces("*a", "**/", "{,", "{a,b}", "{*,*}", "[", "[[:", "[a-", "[]", "\\", "?", "*"),
    length: 1024,
  },
  {
    name: "fits of a pattern",
    file: "apps/cli-agent/src/tools/glob-pattern.ts",
    text: "paths of a repository",
    bound: "4096 characters, the longest path of a system; 20 s for a search, which lets other work run",
    run: ({ compileGlob }, text) => compileGlob(`${"*a".repeat(200)}/**/{b,*c*}`, { braces: true }).fits(text),
    hostile: pieces("a", "a/", "/", "ab", "\u{1f600}", "c"),
    length: 4096,
  },
  {
    name: "htmlText",
    file: "apps/cli-agent/src/tools/fetch-url.ts",
    text: "pages of the web",
    bound: "2 MiB, 500 levels, 1 s; then the call fails",
    length: 131_072,
    run: ({ htmlText }, text) => htmlText(text).catch((error: unknown) => error),
    hostile: pieces(
      "<",
      "<p>a",
      "<td>",
      "<a ",
      "&",
      "&amp;",
      "<!--",
      "</a>",
      "a ",
      " ",
      "\n",
      "<div>",
      "<ul><li>",
      '<a href="http://a">',
    ),
  },
  {
    name: "readProviderError",
    file: "apps/cli-agent/src/models/read-provider-error.ts",
    text: "errors of a provider of models",
    bound: "1000 characters of a message",
    run: ({ readProviderError }, text) => {
      const cause = new Error(`b${text.slice(text.length / 2)}`);
      const answer = { responseBody: text, responseHeaders: { "retry-after": text } };
      return readProviderError(
        Object.assign(new Error(text, { cause }), answer),
        { provider: "a", key: "aaaaaaab" },
        0,
      );
    },
    hostile: pieces("a", "context ", "too many ", "input ", " ", "aaaaaaa", "1"),
  },
  {
    name: "readCommandLine",
    file: "apps/cli-agent/src/tools/command-scope.ts",
    text: "commands of a model",
    bound: "131 072 characters; a longer line needs a shell",
    run: ({ readCommandLine, commandScope }, text) => {
      const line = `git diff --stat ${text}`.slice(0, 131_000);
      return commandScope({ line, argv: readCommandLine(line), cwd: "/" });
    },
    hostile: pieces("a ", "a: ", ":", "a/ ", "-w ", "--stat ", ". ", "a.env ", "/"),
    length: 131_072,
  },
  {
    name: "gitPlaces",
    file: "apps/cli-agent/src/tools/git-folders.ts",
    text: "commands of a model",
    bound: "10 000 characters, 200 folders, 5000 paths; with more, the question says so",
    // A folder without folders. The walk through 5000 folders takes time of the disk, also for a line of one word.
    run: ({ gitPlaces }, text) => gitPlaces(text, import.meta.dirname),
    hostile: pieces("git -C a ", "cd a;", "git a ", "git -C a b=", "$(", "file:///a ", "-Ca "),
    length: 10_000,
  },
  {
    name: "startsProgram",
    file: "apps/cli-agent/src/tools/git-settings.ts",
    text: "settings of a repository",
    bound: "32 MiB, the output of Git",
    run: ({ startsProgram, remoteOf }, text) =>
      ["core.", "merge.", "filter.", "gpg.", "remote.", "url.", "includeif."].map((name) => [
        startsProgram(name + text, text),
        remoteOf(name + text, text),
      ]),
    hostile: pieces("a", ".", "a.", ".path", ".cmd", ".insteadof", ".url", "\n"),
  },
  {
    name: "readMarkdown",
    file: "apps/cli-agent/src/own-commands/frontmatter.ts",
    text: "commands and skills of a project",
    bound: "16 384 characters of a header; a longer one counts as text",
    run: ({ readMarkdown }, text) => [readMarkdown(text), readMarkdown(`---\n${text.slice(0, 16_000)}\n---\n${text}`)],
    hostile: pieces("a: b\n", "a:\n b\n", "---\n", " ", 'a: "', "a: '", "\n", " #", "\t", "a:"),
  },
  {
    name: "expandOwnCommand",
    file: "apps/cli-agent/src/own-commands/own-command.ts",
    text: "commands and skills of a project",
    bound: "1 Mi characters that fill the places of a command; further places stay empty",
    run: ({ expandOwnCommand }, text) => expandOwnCommand({ body: text }, text),
    hostile: pieces('"', "'", "a ", "!`", "!`a", "$1", "$ARGUMENTS", "#", " "),
  },
  {
    name: "toOwnCommand",
    file: "apps/cli-agent/src/own-commands/own-command.ts",
    text: "commands and skills of a project",
    bound: "16 384 characters of a description",
    run: ({ toOwnCommand }, body) => toOwnCommand("a", { header: {}, body }),
    hostile: pieces("a ", " ", "\t", "#", "# ", "\n"),
  },
  {
    name: "describeNearest",
    file: "apps/cli-agent/src/tools/nearest-lines.ts",
    text: "files of a repository, and edits of a model",
    bound: "1 MB for a file; 200 lines that are compared",
    run: ({ describeNearest }, text) => describeNearest(text, "a\n".repeat(200)),
    hostile: pieces("a\n", "a", "ab ", "\n", " ", "a b\n", "aaaaaaaaaaaaaaaaaaaaaaaa\n"),
  },
  {
    name: "describeNearest with a long part",
    file: "apps/cli-agent/src/tools/nearest-lines.ts",
    text: "files of a repository, and edits of a model",
    bound: "1 MB for a file; 200 lines that are compared",
    run: ({ describeNearest }, text) => describeNearest(text, `${text.slice(0, text.length / 8)}z`),
    hostile: pieces("a\n", "a", "ab ", "\n", " ", "a b\n", "aaaaaaaaaaaaaaaaaaaaaaaa\n"),
  },
  {
    name: "explainLinux",
    file: "apps/cli-agent/src/sandbox/explain.ts",
    text: "output of commands",
    bound: "32 Ki characters, the newest",
    run: ({ explainLinux }, text) => explainLinux(text),
    hostile: pieces("a", "E", "getaddrinfo ", "Permission "),
  },
  {
    name: "namesProject",
    file: "apps/cli-agent/src/mcp/project-text.ts",
    text: "settings of MCP servers",
    bound: "4096 characters, 200 paths; more count as a name of the project",
    run: ({ namesProject }, text) => namesProject(text, "/tmp"),
    hostile: pieces("/tmp", "%2F", "%", "$HOME", "~/", "a ", "/", "-", "a=", "%25"),
    length: 4096,
  },
];

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it, test } from "vitest";
import { parseCommandLine, type Redirection } from "./parse-command-line.js";

/** Writes a parsed line in short: words in JSON, `*` behind a pattern, redirections and operators as they are. */
function short(line: string): string | undefined {
  return parseCommandLine(line)
    ?.map(({ words, redirections, operator = "" }) => {
      const received = words.map(({ text, isGlob }) => `${JSON.stringify(text)}${isGlob ? "*" : ""}`);
      const files = redirections.map((one) => `${one.fd ?? ""}${one.operator} ${JSON.stringify(one.target)}`);
      return [...received, ...files, operator].filter((part) => part !== "").join(" ");
    })
    .join(" ");
}

describe("parseCommandLine", () => {
  test.each([
    ["npm test", '"npm" "test"'],
    ["  git\tlog  -1 ", '"git" "log" "-1"'],
    [`echo 'a "b" \\n' "c 'd' \\"e\\" \\\\ \\x" f\\ g''`, `"echo" "a \\"b\\" \\\\n" "c 'd' \\"e\\" \\\\ \\\\x" "f g"`],
    ["a'b'\"c\"d ''", '"abcd" ""'],
    ["a && b || c; d | e & f;", '"a" && "b" || "c" ; "d" | "e" & "f" ;'],
    ["a\n\nb &&\n c\n", '"a" ; "b" && "c" ;'],
    ["docker run \\\n  -v x", '"docker" "run" "-v" "x"'],
    ['git commit -m "one\ntwo!"', '"git" "commit" "-m" "one\\ntwo!"'],
    [
      "npm test > out 2>&1 < in >> log >| x <> y 2>&-",
      '"npm" "test" > "out" 2>& "1" < "in" >> "log" >| "x" <> "y" 2>& "-"',
    ],
    [">x npm test", '"npm" "test" > "x"'],
    ["ls *.ts [ab] x? '*' \\*", '"ls" "*.ts"* "[ab]"* "x?"* "*" "*"'],
    [
      "git diff HEAD~1 a#b x=y --a=b 50% @ , : ] ^",
      '"git" "diff" "HEAD~1" "a#b" "x=y" "--a=b" "50%" "@" "," ":" "]" "^"',
    ],
    ["'if' x; \\! y; find . ! -name z", '"if" "x" ; "!" "y" ; "find" "." "!" "-name" "z"'],
    ["echo a2>x", '"echo" "a2" > "x"'],
    ["a >2", '"a" > "2"'],
    ["grüße 😀 '“x”'", '"grüße" "😀" "“x”"'],
  ])("%j is %s", (line, received) => {
    expect(short(line)).toBe(received);
  });

  test.each([
    ...[
      "",
      "  ",
      "\n",
      ";",
      "&",
      "| a",
      "a |",
      "a &&",
      "a ||\n",
      "a ;; b",
      "a ; ; b",
      "a ;& b",
      "a & & b",
      "a ||| b",
      "a &&& b",
    ],
    ...[
      "$x",
      'a "$x"',
      "a $(b)",
      "a $".concat("{b}"),
      "a $'b'",
      'a $"b"',
      "a $((1))",
      'a "$"',
      "a $",
      "`a`",
      'a "`b`"',
      "a `",
    ],
    ...["~", "a ~", "a ~b", "a x=~", "a x:~", "a ''~", "cd ~/x", "a /~"],
    ...["{ a; }", "a {b,c}", "a {1..3}", "a {}", "a }", "{fd}>x a"],
    ...["(a)", "a (b)", "f() { a; }", "function f { a; }", "a <(b)", "a >(b)", "a @(b)", "((1))", "a=(b)", "a ="],
    ...["# a", "a # b", "a;#b", "a\n# b", "a \\\n# b"],
    ...["'a", 'a "b', "a '", 'a "b\\', "a \\", 'a "b\\"'],
    ...["X=1 a", "X=1", "X+=1 a", "a[1]=x b", ">f X=1 a", "a; X=1 b", "a\\=b", "=ls", "a =ls"],
    ...[
      "alias a=b",
      "a; alias b=c",
      "unalias x",
      "set -f",
      "shopt -s extglob",
      "eval 'a b'",
      ". x",
      "\\alias a=b",
      "command alias a=b",
    ],
    ...[
      "if a; then b; fi",
      "while a; do b; done",
      "for x in y; do z; done",
      "case x in y) z;; esac",
      "! a",
      "a && ! b",
      "[[ a ]]",
    ],
    ...["time a", "coproc a", "select x", "until a", "noglob a", "- a", "done", "a |& b", "a &| b", "a &! b"],
    ...[
      "a << b",
      "a <<- b",
      "a <<< b",
      "a <<b\nc\nb",
      "> x",
      "< x",
      "a > ",
      "a >\n",
      "a > ; b",
      "a > > b",
      "a >*",
      "a > ?x",
    ],
    ...[
      "a &> x",
      "a &>> x",
      "a >& x",
      "a >& 12",
      "a <& x",
      "a 12> x",
      "a >1>x",
      "a >! x",
      "a >>| x",
      "a >>! x",
      "a 2>&1-",
    ],
    ...["a\rb", "a\r\nb", "a \0", "a\x07", "a '\x1b[1m'", "a\x7fb", "a\x85b", "a\vb", "a\fb"],
    ...["a\u00a0b", "a\u2003b", "a\u3000b", "a\u2028b", "'a\u00a0b'", "\ufeffa", "a\u180eb", "a \ud800", "a '\udc00'"],
    ...["a\\\nb", 'a "b" \\', "\\\na", "a &\\\n& b", "a >\\\n> b", "a 2\\\n>b"],
  ])("%j is not understood", (line) => {
    expect(parseCommandLine(line)).toBeUndefined();
  });

  test.each([
    ...["w &!rm", "w &! rm x", "w&|rm", "w &!", "<1-5>x", "w <1-5>x", "w <->", "w a<-9>", "w <2->x >y"],
    ...["\\noglob w", "'noglob' w", '"nocorrect" w', "no\\glob w", "\\- w", "'-' w", "w; \\noglob x", "'builtin' x"],
    ...[
      "A==ls",
      "w A==ls",
      "w a:=ls",
      "w --x==ls",
      "=ls",
      "w =ls",
      "w >=ls",
      "w **(e:rm:)",
      "w *(e:'rm':)",
      "w **(+f)",
    ],
    ...["%1", "%?x", "%%", "w & %1", "w x==", "w ='ls'", "w a='b'==c"],
  ])("defect S3: %j, which zsh or bash reads in another way, is covered by no rule", (line) => {
    expect(parseCommandLine(line)).toBeUndefined();
  });

  test.each([
    ["pip install a==1.2", '"pip" "install" "a==1.2"'],
    ["w a <in >out", '"w" "a" < "in" > "out"'],
    ["w <1 >x", '"w" < "1" > "x"'],
    ["date +%s", '"date" "+%s"'],
    ["w '==ls' a=b:c", '"w" "==ls" "a=b:c"'],
  ])("%j is no such line", (line, received) => {
    expect(short(line)).toBe(received);
  });

  it("refuses a line that is longer than an argument may be", () => {
    expect(parseCommandLine(`a ${"b".repeat(131_070)}`)).toHaveLength(1);
    expect(parseCommandLine(`a ${"b".repeat(131_071)}`)).toBeUndefined();
  });
});

/** Shells of this machine. POSIX names the first one. */
const shells = ["sh", "bash", "zsh"].filter((name) => spawnSync(name, ["-c", "exit 7"]).status === 7);

// The files are names to which a missed pattern of file names would lead.
const folder = mkdtempSync(join(tmpdir(), "command-line-"));
for (const name of ["a", "b", "ab", "-x", "w", "1"]) writeFileSync(join(folder, name), "");
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs each line in a subshell where `w` says its arguments. Returns for each line the arguments of every run of `w`. */
function heard(shell: string, lines: readonly string[]): readonly (readonly string[])[] {
  const script = `w() { printf '%s\\0' "$@" 'END OF COMMAND' >&9; }
    for line do (eval "$line"; wait) 9>&9; printf 'END OF LINE\\0' >&9; done 9>&1 >/dev/null 2>&1 </dev/null`;
  const { stdout, status } = spawnSync(shell, ["-c", script, shell, ...lines], {
    cwd: folder,
    env: { HOME: "/home", PATH: process.env.PATH },
  });
  expect(status).toBe(0);
  const all = stdout.toString().split("END OF LINE\0").slice(0, -1);
  return all.map((line) => line.split("END OF COMMAND\0").slice(0, -1).sort());
}

/** Returns the arguments of each `w` that runs if every command succeeds. Leaves out what the comparison cannot see. */
function expected(line: string): readonly string[] | undefined {
  const commands = parseCommandLine(line);
  if (commands === undefined) return undefined;
  const all = commands.flatMap(({ words }) => words);
  const isExact = commands.every(({ words }) => words[0].text === "w") && !all.some(({ isGlob }) => isGlob);
  const isOpen = commands.every(({ redirections }) => redirections.every(opens));
  // Shells write by lines: commands that run at once would mix theirs.
  const isMixed = commands.some(({ operator }) => operator === "&") && all.some(({ text }) => text.includes("\n"));
  if (!isExact || !isOpen || isMixed) return undefined;
  const run: string[] = [];
  let isSkipped = false;
  for (const { words, operator } of commands) {
    if (!isSkipped)
      run.push(
        words
          .slice(1)
          .map(({ text }) => `${text}\0`)
          .join(""),
      );
    // A pipeline is skipped whole.
    if (operator !== "|") isSkipped = operator === "||";
  }
  return run.sort();
}

function opens({ fd = 1, operator, target }: Redirection): boolean {
  if (fd === 9) return false;
  if (operator === ">&") return target === "1" || target === "2";
  return operator.startsWith(">") && (target === "/dev/null" || /^\w+$/.test(target));
}

describe.each(shells)("%s reads the same words", (shell) => {
  const compare = (line: fc.Arbitrary<string>, least: number) => {
    const lines = fc.sample(line, { numRuns: 3_000, seed: 17 }).filter((one) => expected(one) !== undefined);
    expect(lines.length).toBeGreaterThan(least);
    const said = heard(shell, lines);
    for (const [index, one] of lines.entries()) expect([one, said[index]]).toEqual([one, expected(one)]);
  };

  it("of lines made of words and operators", { timeout: 60_000 }, () => {
    const word = fc.constantFrom(
      "a",
      "-x",
      "'b c'",
      '"d\te"',
      "f\\ g",
      "h'i'\"j\"",
      "''",
      '"\\$k"',
      "'$l'",
      "\\m",
      '"\\n"',
      "o=p",
      "HEAD~1",
      "a#b",
      "1",
      "é",
      "\\'",
      "2>&1",
      "2>/dev/null",
      ">&2",
      "!",
      "\\*",
    );
    const command = fc.array(word, { maxLength: 4 }).map((words) => ["w", ...words].join(" "));
    const sign = fc.constantFrom(" && ", "||", "; ", " | ", "&", "\n", " &&\n", " \\\n");
    const line = fc.array(fc.tuple(command, sign), { minLength: 1, maxLength: 4 });
    compare(
      line.map((parts) => parts.flat().join("")),
      500,
    );
  });

  it("of lines made of single characters", { timeout: 60_000 }, () => {
    const letters = " \t\n'\"\\$`|&;<>(){}#~*?[]=!ab1-^:,@%+é\u2028w".split("");
    const letter = fc.oneof(fc.constantFrom(...letters), fc.constantFrom(" ", "a", "'", '"', "\\", "b"));
    compare(
      fc.array(letter, { maxLength: 9 }).map((all) => `w ${all.join("")}`),
      300,
    );
  });
});

import { describe, expect, it } from "vitest";
import { commandScope, readCommandLine } from "./command-scope.js";

const command = (line: string) => {
  const argv = readCommandLine(line);
  return { line, cwd: "/p", ...(argv ? { argv } : {}) };
};

describe("a command line", () => {
  it.each([
    ["npm test", ["npm", "test"]],
    ["  git  commit -m 'a  b'\t\"c d\" ", ["git", "commit", "-m", "a  b", "c d"]],
    ["echo a'b'\"c\"d", ["echo", "abcd"]],
    ["node --flag=1 ./a.js ''", ["node", "--flag=1", "./a.js", ""]],
  ])("of plain words needs no shell: %s", (line, words) => {
    expect(readCommandLine(line)).toEqual(words);
  });

  it.each([
    ...["a | b", "a && b", "a; b", "a & b", "a > b", "a < b", "$(a)", "echo $HOME", "echo `a`", 'echo "$a"', "ls *.ts"],
    ...["ls ~", "A=1 b", "echo {a,b}", "echo a\\ b", "a\nb", "# a", "'a", "cd src", "export A", "", "echo !!", "(a)"],
  ])("of anything else does: %s", (line) => {
    expect(readCommandLine(line)).toBeUndefined();
  });
});

describe("defect S3: an answer for more than one command", () => {
  it.each([
    ["git status", "git status -s", true],
    ["git log -1", "git log --oneline -5 src", true],
    ["git diff --stat", "git diff --name-only HEAD -- src/a.ts", true],
    ["go test ./...", "go test -v -run=TestA ./a", true],
    ["pytest a.py", "pytest -x b.py", true],
    ["git status", "git push", false],
    // Flags that run or write something, in full and in short.
    ["git log -1", "git log --output=x", false],
    ["git log -1", "git log --outp=x", false],
    ["git diff", "git diff --ext-diff", false],
    ["git show", "git show --textconv", false],
    ["git grep -n x", "git grep '-Osh -c id' x", false],
    ["git fetch", "git fetch --upload-pack=id", false],
    ["git fetch", "git fetch 'ext::sh -c id'", false],
    ["git ls-remote", "git ls-remote --upload-pack=id .", false],
    ["git status", "git -c core.fsmonitor=id status", false],
    ["git status", "git status -c core.fsmonitor=id", false],
    ["npm test", "npm test -- -r ./x.js", false],
    ["npm run build", "npm run build --prefix /x", false],
    ["go test ./...", "go test -exec id ./...", false],
    ["go test ./...", "go test -toolexec=id ./...", false],
    ["go test ./...", "go test example.com/other", false],
    ["go vet", "go vet -vettool=id", false],
    ["mocha", "mocha -r ./x.js", false],
    ["pytest", "pytest -p x", false],
    ["pytest", "pytest -c x.ini", false],
    ["pytest", "pytest /tmp/x.py", false],
    ["cargo test", "cargo test --config x", false],
    ["cargo test", "cargo +nightly test", false],
    ["make", "make --eval=x", false],
    ["tsc", "tsc --project /x", false],
    // `tsc` alone writes files beside the sources.
    ["tsc", "tsc --pretty", false],
    ["tsc --noEmit", "tsc --noEmit --pretty", true],
    ["tsc --noEmit", "tsc --noEmit --outDir /x", false],
    ["pytest a.py", "pytest @arguments", false],
    ["git log -1", "git log '@list'", false],
    ["vitest run", "vitest run --config x", false],
    // Files elsewhere, and secrets.
    ["git diff", "git diff --no-index /dev/null .env", false],
    ["git diff", "git diff /dev/null x", false],
    ["git diff", "git diff a ../b", false],
    ["git diff", "git diff -- .env", false],
    ["git show HEAD", "git show HEAD:.env", false],
    ["git show HEAD", "git show ':(icase).ENV'", false],
    ["git log -1", "git log -p -- '*env'", false],
    // Whole lines.
    ["npm test", "npm test", true],
    ["npm test", "npm install", false],
    ["git -C /x status", "git -C /y status", false],
    ["npm exec a", "npm exec b", false],
    ["rm old", "rm old -rf /", false],
    ["node a.js", "node b.js", false],
    ["npm test", "npm test; rm -rf /", false],
    ["git status", "git status; id", false],
    ["git status", "git status $(id)", false],
    ["git status", "git status > x", false],
    ["npm test | tail", "npm test | tail", true],
    ["npm test | tail", "npm test | tail -1", false],
    ["git status", "sudo git status", false],
    ["git status", "./git status", false],
  ])("%s, then %s: %s", (first, second, covered) => {
    expect(commandScope(command(second)).key === commandScope(command(first)).key).toBe(covered);
  });

  it.each([
    ...[
      "git log -p -- '.e\nv'",
      "git log -p",
      "git log -u -1",
      "git log --patch",
      "git log --word-diff",
      "git log -U3",
    ],
    ...["git log --unified=3", "git log -L1,9:.env", "git log -c -p", "git log -G x -p", "git log --stat -p"],
    ...["git diff HEAD .", "git diff", "git diff HEAD~1", "git diff -- --stat", "git diff --stat -p", "git diff -w"],
    ...["git diff --stat -U1", "git diff --cached", "git diff --stat -- .ENV", "git diff --stat HEAD:.env x"],
    ...["git show HEAD:.env", "git show HEAD", "git show --stat HEAD", "git show --stat deadbeef", "git show HEAD:a/b"],
    ...[
      "git blame .env",
      "git blame a.ts",
      "git cat-file -p x",
      "git grep x",
      "git stash show -p",
      "cat .env",
      "git log .env",
    ],
  ])("defect S21: covers only itself if it could print a secret: %j", (line) => {
    expect(commandScope(command(line)).name).toBe("exactly this line");
  });

  it.each(["git diff --stat", "git diff --cached --name-only src", "git log --stat", "git log --oneline -5 src"])(
    "covers commands that print no content of files: %s",
    (line) => {
      expect(commandScope(command(line)).name).toMatch(/^`git \w+ …` with harmless flags$/);
    },
  );

  it.each(["npm test", "git status", "npm test | tail"])("holds in its folder alone: %s", (line) => {
    expect(commandScope(command(line)).key).not.toBe(commandScope({ ...command(line), cwd: "/p/other" }).key);
  });

  it("says how far it reaches", () => {
    expect(commandScope(command("git log -1")).name).toBe("`git log …` with harmless flags");
    expect(commandScope(command(`echo ${"x".repeat(100)} | cat`)).name).toBe("exactly this line");
  });
});

describe("defect S25: an answer for a sub-command that reads", () => {
  it.each([
    ["git config --list", "git config core.pager id"],
    ["git bisect log", "git bisect run id"],
    ["git submodule status", "git submodule foreach id"],
    ["git remote -v", "git remote add x ext::id"],
    ["git stash list", "git stash pop"],
    ["git worktree list", "git worktree add x"],
    ["git branch", "git branch -D main"],
    ["gh pr list", "gh pr merge 1"],
  ])("%s does not cover %s", (first, second) => {
    expect(commandScope(command(second)).key).not.toBe(commandScope(command(first)).key);
  });
});

import { describe, expect, it } from "vitest";
import { commandScope, readCommandLine } from "./command-scope.js";

const command = (line: string) => {
  const argv = readCommandLine(line);
  return { line, ...(argv ? { argv } : {}) };
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

describe("an answer for more than one command", () => {
  it.each([
    ["npm test", "npm test -- --watch", true],
    ["npm test", "npm install", false],
    ["npm run build", "npm run build -- -x", true],
    ["npm run build", "npm run deploy", false],
    ["git status", "git status -s", true],
    ["git status", "git push", false],
    ["pytest a.py", "pytest b.py", true],
    // The further arguments could be anything.
    ["git -C /x status", "git -C /y push", false],
    ["npm exec a", "npm exec b", false],
    ["rm old", "rm old -rf /", false],
    ["node a.js", "node b.js", false],
    ["sh run.sh", "sh run.sh now", false],
    ["./make one", "./make one two", false],
    // Only a shell understands such a line.
    ["npm test", "npm test; rm -rf /", false],
    ["npm test", "npm test $(rm -rf /)", false],
    ["npm test", "npm test > /etc/x", false],
    ["npm test | tail", "npm test | tail", true],
    ["npm test | tail", "npm test | tail -1", false],
    // No other command is its prefix.
    ["npm test", "sudo npm test", false],
    ["npm test", "npm testing", false],
  ])("%s, then %s: %s", (first, second, covered) => {
    expect(commandScope(command(second)).key === commandScope(command(first)).key).toBe(covered);
  });

  it("says how far it reaches", () => {
    expect(commandScope(command("npm run build")).name).toBe("`npm run build …`");
    expect(commandScope(command("rm -rf dist")).name).toBe("`rm -rf dist`");
    expect(commandScope(command(`echo ${"x".repeat(100)} | cat`)).name).toHaveLength(63);
  });
});

import { expect, test } from "vitest";
import { commandsIn, fitsCommandPattern } from "./plain-commands.js";

test.each<[string | readonly string[], unknown]>([
  ["npm test -- -u", [["npm", "test", "--", "-u"]]],
  [
    "npm test && git status | head -1",
    [
      ["npm", "test"],
      ["git", "status"],
      ["head", "-1"],
    ],
  ],
  [["git", "log", "$x; *"], [["git", "log", "$x; *"]]],
  [
    ["bash", "-lc", "npm test; ls"],
    [["npm", "test"], ["ls"]],
  ],
  [["/bin/sh", "-c", "npm test"], [["npm", "test"]]],
  ["cd packages", [["cd", "packages"]]],
])("the commands in %j are %j", (line, commands) => {
  expect(commandsIn(line)).toEqual(commands);
});

test.each<[string | readonly string[]]>([
  ["npm test > x"],
  ["npm test 2>&1"],
  ["ls *"],
  ["npm test $x"],
  ["cd /tmp && npm test"],
  ["npm test; export X"],
  ["trap x EXIT; npm test"],
  ["exec > x; npm test"],
  ["eval 'npm test'"],
  [[]],
  [["bash"]],
  [["bash", "-c"]],
  [["bash", "x.sh"]],
  [["bash", "-lc", "npm test", "name"]],
  [["bash", "-xc", "npm test"]],
  [["sh", "-c", "npm test $x"]],
  [["bash", "--rcfile", "x"]],
])("the commands in %j are not known", (line) => {
  expect(commandsIn(line)).toBeUndefined();
});

test.each<[string, string, boolean]>([
  ["npm test", "npm test", true],
  ["npm test -u", "npm test", false],
  ["npm test", "npm test *", true],
  ["npm test -- -u", "npm test *", false],
  ["npm test -- -u", "npm test -- -u", true],
  ["npm testing", "npm test *", false],
  ["npm", "npm test *", false],
  ["git log -1", "git * -1", true],
  ["git log x -1", "git * -1", false],
  ["rm", "*", false],
  ["rm -rf", "* *", false],
  ["", "", false],
])("%j fits %j: %j", (command, pattern, fits) => {
  const words = (text: string) => (text === "" ? [] : text.split(" "));
  expect(fitsCommandPattern(words(command), words(pattern))).toBe(fits);
});

test.each([
  "test -v 'a[$(touch PWN)]'",
  "printf -v 'a[$(touch PWN)]' x",
  "let 'a[$(touch PWN)]'",
  "export A=1",
  "printf -v PATH %s DIR && git status",
  "print -v PATH x; git status",
  "umask 0 && git status",
])("%s is more than its words", (line) => expect(commandsIn(line)).toBeUndefined());

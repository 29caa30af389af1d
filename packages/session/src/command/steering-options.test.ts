import { describe, expect, it } from "vitest";
import { fitsCommandPattern } from "./plain-commands.js";

const fits = (command: string, pattern: string, decision?: "allow" | "deny") =>
  fitsCommandPattern(command.split(" "), pattern.split(" "), decision);

describe("defect S3: `*` of a rule that allows", () => {
  it.each([
    ["git log --output=x", "git log *"],
    ["git log --outp x", "git log *"],
    ["git log --ext-diff", "git log *"],
    ["git grep -Osh x", "git grep *"],
    ["git -c a=b status", "git *"],
    ["npm test --prefix x", "npm test *"],
    ["npm test --script-she=x", "npm test *"],
    ["pnpm test -C x", "pnpm test *"],
    ["pnpm test --config.script-shell=x", "pnpm test *"],
    ["/usr/bin/npm test --prefix=x", "/usr/bin/npm test *"],
    ["go test -exec x", "go test *"],
    ["go test --exec=x", "go test *"],
    ["cargo test --config x", "cargo test *"],
    ["make SHELL=x", "make *"],
    ["make --eva x", "make *"],
    ["pytest -p x", "pytest *"],
    ["mocha -r x", "mocha *"],
    ["find . -execdir x", "find *"],
    ["rg --pre x", "rg *"],
  ])("%j is not covered by %j unless it says so", (command, pattern) => {
    expect(fits(command, pattern)).toBe(false);
    expect(fits(command, pattern, "deny")).toBe(true);
    expect(fits(command, command)).toBe(true);
  });

  it.each([
    ["git log -1 --oneline -- --output=x", "git log *"],
    ["npm test -- --prefix x", "npm test *"],
    ["npm test --silent", "npm test *"],
    ["pnpm test -u", "pnpm test *"],
    ["go test ./...", "go test *"],
    ["ls --output", "ls *"],
  ])("%j is covered by %j", (command, pattern) => expect(fits(command, pattern)).toBe(true));
});

import { describe, expect, it } from "vitest";
import { fitsCommandPattern } from "./plain-commands.js";

const fits = (command: string, pattern: string, decision?: "allow" | "deny") =>
  fitsCommandPattern(command.split(" "), pattern.split(" "), decision);

describe("defect S3: `*` of a rule that allows", () => {
  it.each([
    ["git log --output=x", "git log *"],
    ["git log --outp x", "git log *"],
    ["git log -1 --oneline", "git log *"],
    ["git grep -Osh x", "git grep *"],
    ["git grep -iO./ev x", "git grep *"],
    ["git clone -u ./ev . x", "git clone *"],
    ["git archive -o x HEAD", "git archive *"],
    ["git -c a=b status", "git *"],
    ["npm test --prefix x", "npm test *"],
    ["npm test -- --watch=false", "npm test *"],
    ["npm test -- -u", "npm test -- *"],
    ["npm test -- A=b", "npm test *"],
    ["npm test -- /x", "npm test *"],
    ["npm test -- a/../../x", "npm test *"],
    ["npm test -- ~/x", "npm test *"],
    ["npm test -- C:x", "npm test *"],
    ["pnpm test -sC x", "pnpm test *"],
    ["/usr/bin/npm test --prefix=x", "/usr/bin/npm test *"],
    ["go test -exec x", "go test *"],
    ["go test -test.cpuprofile=x", "go test *"],
    ["cargo test --config x", "cargo test *"],
    ["make SHELL=x", "make *"],
    ["make test -sf notes.txt", "make test *"],
    ["mvn test -f x", "mvn test *"],
    ["gradle test -I x", "gradle test *"],
    ["pytest -qp x", "pytest *"],
    ["python -m pytest -p x", "python -m pytest *"],
    ["jest --reporters=./ev.js", "jest *"],
    ["npx jest --config x", "npx jest *"],
    ["vitest run --typecheck.checker=x", "vitest run *"],
    ["mocha --ui=x", "mocha *"],
    ["tsc --outDir x", "tsc *"],
    ["tar tf x --checkpoint-action=exec=x", "tar tf *"],
    ["find . -execdir x", "find *"],
    ["rg --pre x", "rg *"],
    ["sort -uo x y", "sort *"],
    ["sort -", "sort *"],
    ["unknown --anything", "unknown *"],
    ["unknown --anything x", "unknown * x"],
    // Words that start other programs or stand for options, without a dash.
    ["pytest @x", "pytest *"],
    ["vim +!x", "vim *"],
    ["dd of=x", "dd *"],
    ["git bisect run x", "git bisect *"],
    ["git submodule foreach x", "git submodule *"],
    ["npm exec x", "npm *"],
    ["env npx x", "env *"],
  ])("%j is not covered by %j unless it says so", (command, pattern) => {
    expect(fits(command, pattern)).toBe(false);
    expect(fits(command, pattern, "deny")).toBe(true);
    expect(fits(command, command)).toBe(true);
  });

  it.each([
    ["git log HEAD~3 src/a.ts", "git log *"],
    ["git log -- src/a.ts", "git log *"],
    ["git log --oneline HEAD", "git log --oneline *"],
    ["npm test src/a.test.ts", "npm test *"],
    ["npm test -- src/a.test.ts", "npm test *"],
    ["npm test -- --watch=false", "npm test -- --watch=false"],
    ["npm test -- --watch=false a.test.ts", "npm test -- --watch=false *"],
    ["npm test --silent", "npm test --silent *"],
    ["npx jest a.test.ts", "npx jest *"],
    ["go test ./...", "go test *"],
    ["cat /usr/include/x.h", "cat *"],
    ["git bisect good", "git bisect *"],
    ["git log run", "git log *"],
    ["git bisect run x", "git bisect run *"],
  ])("%j is covered by %j", (command, pattern) => expect(fits(command, pattern)).toBe(true));
});

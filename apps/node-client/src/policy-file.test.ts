import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandIn, type PermissionFacts } from "@turnkit/client/broker";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UsageError } from "./exit-code.js";
import { judges, readPermissions } from "./permission-judges.js";
import { readPolicyFile } from "./policy-file.js";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "turnkit-policy-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function judgeOf(policy: unknown) {
  const path = join(folder, "policy.json");
  await writeFile(path, typeof policy === "string" ? policy : JSON.stringify(policy));
  return readPolicyFile(path);
}

const facts = (more: Partial<PermissionFacts>): PermissionFacts => ({
  ...{ agent: { name: "a", version: "1" }, sessionId: "s", roots: ["/work"], subject: "tool_call" },
  ...{ paths: [], place: "none", ...more },
});

describe("a policy file", () => {
  it("decides by the first rule that fits, else by its default, else asks", async () => {
    const rules = [
      { decision: "deny", kind: "edit", place: "outside" },
      { decision: "allow", kind: ["edit", "read"] },
    ];
    const judge = await judgeOf({ default: "deny", rules });
    expect(judge(facts({ kind: "edit", place: "outside" }))).toBe("reject");
    expect(judge(facts({ kind: "edit", place: "inside" }))).toBe("allow");
    expect(judge(facts({ kind: "fetch" }))).toBe("reject");
    expect((await judgeOf({ rules }))(facts({ kind: "fetch" }))).toBeUndefined();
    expect((await judgeOf({}))(facts({}))).toBeUndefined();
    const asks = await judgeOf({ rules: [{ decision: "ask", kind: "edit" }] });
    expect(asks(facts({ kind: "edit" }))).toBe("ask");
  });

  it("defect P55: a kind that no agent can have is refused, and one of an extension is not", async () => {
    await expect(judgeOf({ rules: [{ decision: "allow", kind: "edti" }] })).rejects.toThrow(/kind.*of read, edit/);
    await expect(judgeOf({ rules: [{ decision: "allow", kind: ["edit", "wirte"] }] })).rejects.toThrow(UsageError);
    await judgeOf({ rules: [{ decision: "allow", kind: ["edit", "_deploy"] }] });
  });

  it.each([
    [["git", "status"], ["git", "status"], true],
    [["git", "status"], ["git", "status", "-s"], false],
    [["git", "log", "..."], ["git", "log"], true],
    [["git", "log", "..."], ["git", "log", "-p", "a"], false],
    [["git", "log", "-p", "..."], ["git", "log", "-p", "a"], true],
    [["git", "log", "..."], ["git", "log", "main", "a"], true],
    [["git", "log", "..."], ["git", "push"], false],
    [["npm", "run", "*"], ["npm", "run", "test"], true],
    [["npm", "run", "*"], ["npm", "run"], false],
    [["npm", "run", "*"], ["npm", "run", "test", "x"], false],
  ])("the command %j fits %j: %j", async (command, argv, fits) => {
    const judge = await judgeOf({ rules: [{ decision: "allow", command }] });
    expect(judge(facts({ argv }))).toBe(fits ? "allow" : undefined);
  });

  it("defect P18: a rule for a command allows it with a timeout, and leaves its access to the network to the person", async () => {
    const judge = await judgeOf({ rules: [{ decision: "allow", command: "npm test *" }] });
    const exact = await judgeOf({ rules: [{ decision: "allow", commandLine: "npm test" }] });
    const plain = facts({ ...commandIn({ command: "npm test", timeout_seconds: 300, background: true }) });
    const wide = facts({ ...commandIn({ command: "npm test", network: true }) });
    expect([judge(plain), exact(plain), judge(wide), exact(wide)]).toEqual(["allow", "allow", undefined, undefined]);
    const denies = await judgeOf({ rules: [{ decision: "deny", command: "npm test *" }] });
    expect(denies(wide)).toBe("reject");
  });

  it.each([
    ["npm test *", [["npm", "test"]], true],
    ["npm test *", [["npm", "test", "--", "-u"]], false],
    ["npm test -- -u *", [["npm", "test", "--", "-u", "a.test.ts"]], true],
    ["npm test", [["npm", "test", "-u"]], false],
    [["npm", "test"], [["npm", "test"]], true],
    ["npm test *", [["npm", "test"], ["sh"]], false],
    ["npm test *", [["npm", "testing"]], false],
  ])("defect P4: %j allows a line of %j: %j", async (command, commands, fits) => {
    const judge = await judgeOf({ rules: [{ decision: "allow", command }] });
    expect(judge(facts({ commandLine: "x", commands }))).toBe(fits ? "allow" : undefined);
    expect(judge(facts({ argv: ["bash", "-c", "x"], commands }))).toBe(fits ? "allow" : undefined);
  });

  it("defect P4: a rule that denies a command denies every line that has it", async () => {
    const judge = await judgeOf({ default: "allow", rules: [{ decision: "deny", command: "rm *" }] });
    expect(judge(facts({ commandLine: "ls; rm x", commands: [["ls"], ["rm", "x"]] }))).toBe("reject");
    expect(judge(facts({ commandLine: "rm $x" }))).toBeUndefined();
    expect(judge(facts({ commandLine: "ls", commands: [["ls"]] }))).toBe("allow");
  });

  it("never looks for words in a command line for a shell: only the whole of it fits", async () => {
    const judge = await judgeOf({
      rules: [
        { decision: "allow", command: ["git", "..."] },
        { decision: "allow", commandLine: "make test" },
      ],
    });
    expect(judge(facts({ commandLine: "git status; rm -rf /" }))).toBeUndefined();
    expect(judge(facts({ commandLine: "make test; rm -rf /" }))).toBeUndefined();
    expect(judge(facts({ commandLine: "make test" }))).toBe("allow");
  });

  it.each([
    ["{", /^.*policy\.json is not valid JSON: /],
    ["[]", /policy\.json must be an object\.$/],
    [{ rules: {} }, /policy\.json: rules must be a list\.$/],
    [{ rule: [] }, /policy\.json: rule is unknown; known are default, rules\.$/],
    [{ default: "yes" }, /policy\.json: default must be "allow", "deny" or "ask"\.$/],
    [{ rules: [{}] }, /rules\.0 must be an object with a "decision"\.$/],
    [{ rules: [{ decision: "allow", comand: ["x"] }] }, /rules\.0\.comand is unknown; known are decision, agent, kind/],
    [{ rules: [{ decision: "allow", place: "here" }] }, /rules\.0\.place must be of inside, outside, none\.$/],
    [{ rules: [{ decision: "allow", command: 7 }] }, /rules\.0\.command must be a list\.$/],
    [
      { rules: [{ decision: "allow", command: ["...", "x"] }] },
      /rules\.0\.command must be a program with its arguments/,
    ],
    [{ rules: [{ decision: "allow", kind: [] }] }, /rules\.0\.kind must be a text or several\.$/],
  ])("%j is refused", async (policy, message) => {
    const refused = judgeOf(policy);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(UsageError);
  });
});

it("allow-reads allows to read and search inside, and leaves the rest to a person", () => {
  const judge = judges["allow-reads"];
  expect(judge(facts({ kind: "read", place: "inside" }))).toBe("allow");
  expect(judge(facts({ kind: "search", place: "inside" }))).toBe("allow");
  expect(judge(facts({ kind: "read", place: "outside" }))).toBeUndefined();
  expect(judge(facts({ kind: "read", place: "none" }))).toBeUndefined();
  expect(judge(facts({ kind: "edit", place: "inside" }))).toBeUndefined();
});

it.each([
  ["yes", /^--permissions is ask, allow, allow-reads, deny or a policy file/],
  ["missing.json", /^--permissions: there is no file missing\.json\.$/],
])("--permissions %s is refused", async (value, message) => {
  await expect(readPermissions(value)).rejects.toThrow(message);
});

import { expect, test } from "vitest";
import { commandIn } from "./command-facts.js";

let deep: unknown = "id";
for (let level = 0; level < 100_000; level++) deep = [deep];

test.each<[string, unknown]>([
  ["S2", { command: "id > x", argv: ["git", "status"] }],
  ["S2", { command: ["git", "status"], argv: ["id"] }],
  ["S2", { command: "git", args: ["status"], argv: ["id"] }],
  ["S2", { command: ["git", "status"], args: ["--help"] }],
  ["S2", { command: "git status", cwd: "/a", workdir: "/b" }],
  ["S2", { command: "git status", argv: 7 }],
  ["S2", { command: null, argv: ["git", "status"] }],
  ["S30", { command: ["git", "status"], commandLine: "id" }],
  ["S30", { command: ["git", "status"], cmd: "id" }],
  ["S30", { cmd: "git status", Command: "id" }],
  ["S30", { command: "git status", env: { GIT_PAGER: "id" } }],
  ["S30", { command: "git status", stdin: "id" }],
  ["S30", { command_line: "id" }],
  ["S30", { path: "/a", input: { command: "id" } }],
  ["S30", ["git", "status"]],
  ["P18", { command: "git status", network: "id" }],
  ["P18", { command: "git status", path: ["id"] }],
])("defect %s: nobody relies on an input such as %#", (_, input) => {
  expect(commandIn(input)).toBeUndefined();
});

test.each([{ path: "/a", more: deep }, { command: "git status", description: deep }, { command: deep }])(
  "defect S15: nobody relies on an input of 100 000 levels, such as %#",
  (input) => expect(commandIn(input)).toBeUndefined(),
);

const test1 = [["npm", "test"]];
test.each<[unknown, object]>([
  [
    { command: "npm test", description: "Runs", timeout: 9 },
    { commandLine: "npm test", commands: test1 },
  ],
  [
    { command: ["npm", "test"], cwd: "/a" },
    { argv: ["npm", "test"], commands: test1, cwd: "/a" },
  ],
  [{ command: ["bash", "-lc", "npm test"] }, { argv: ["bash", "-lc", "npm test"], commands: test1 }],
  [
    { command: "npm test", argv: ["npm", "test"] },
    { commandLine: "npm test", commands: test1 },
  ],
  [
    { command: "npm test", timeout_seconds: 9, background: true, network: false, outside_sandbox: false },
    { commandLine: "npm test", commands: test1 },
  ],
  [
    { command: "npm test", path: "packages/a", network: true, outside_sandbox: true },
    { commandLine: "npm test", commands: test1, cwd: "packages/a", access: ["network", "outside_sandbox"] },
  ],
  [{ cmd: "npm $x" }, { commandLine: "npm $x" }],
  [{ path: "/a" }, {}],
  ["text", {}],
])("defect P4: the command of %j is %j", (input, facts) => {
  expect(commandIn(input)).toEqual(facts);
});

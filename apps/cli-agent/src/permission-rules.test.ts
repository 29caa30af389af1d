import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RecordingTurn } from "../test/recording-turn.js";
import { createFolder } from "../test/tool-context.js";
import type { Action } from "./action.js";
import type { ProjectPart } from "./config/project-part.js";
import type { Mode } from "./modes.js";
import { createPermission } from "./permission.js";
import { createPermissionRules } from "./permission-rules.js";
import { readCommandLine } from "./tools/command-scope.js";

type Rules = NonNullable<ProjectPart["permissions"]>;

const inside = { name: "sandboxed", isFree: true, isException: false };

const run = (line: string, more: object = {}): Action => ({
  ...{ type: "command", line, argv: readCommandLine(line), cwd: "/p", programs: [], place: inside },
  ...more,
});

async function rule(action: Action, ...lists: readonly Rules[]): Promise<string | undefined> {
  const parts = lists.map((permissions) => ({ permissions }));
  return createPermissionRules(parts, await createFolder())(action)?.decision;
}

/** Decides in a mode; the user answers each question with `answer`. */
async function decide(action: Action, rules: Rules, { mode = "ask" as Mode, answer = "reject_once" } = {}) {
  const turn = new RecordingTurn();
  turn.answer = () => answer;
  const permission = createPermission(
    () => mode,
    createPermissionRules([{ permissions: rules }], await createFolder()),
  );
  const decision = await permission.decide(turn.toolCall({ title: "x" }), action);
  return { decision, asked: turn.questions.length, shown: JSON.stringify(turn.calls[0]?.content ?? []) };
}

describe("P16 rules of permission", () => {
  it.each([
    ["npm test", ["run npm test"], "allow"],
    ["npm test -- a.test.ts", ["run npm test *"], "allow"],
    ["npm test --watch", ["run npm test *"], undefined],
    ["npm test && git status", ["run npm test", "run git status"], "allow"],
    ["npm test && rm -r src", ["run npm test"], undefined],
    ["npm test > out.txt", ["run npm test"], undefined],
    ["npm test $(id)", ["run npm test *"], undefined],
    ["npm run build", ["run npm test"], undefined],
    ["npm", ["edit npm"], undefined],
  ])("allow a line whose commands are all allowed: %s, %j", async (line, allow, expected) => {
    expect(await rule(run(line), { allow })).toBe(expected);
  });

  it.each([
    ["rm -r src", "deny"],
    ["npm test && rm -rf /", "deny"],
    ["sh -c 'rm x'", "deny"],
    ["rm x > /dev/null", "deny"],
    ["echo rm", undefined],
    ["x=$(rm -r src)", "ask"],
    ['eval "$line"', "ask"],
  ])("deny a line with a denied command, and ask about one that they cannot read: %s", async (line, expected) => {
    expect(await rule(run(line), { deny: ["run rm *"] })).toBe(expected);
  });

  it("allow no command that Git may extend, or that leaves the sandbox", async () => {
    const allow = ["run git status"];
    expect(await rule(run("git status"), { allow })).toBe("allow");
    expect(await rule(run("git status", { programs: ["core.fsmonitor = evil"] }), { allow })).toBeUndefined();
    expect(await rule(run("git status", { place: { ...inside, isException: true } }), { allow })).toBeUndefined();
  });

  it.each([
    ["src/a.ts", "edit src/**", "allow"],
    ["src/a.ts", "edit {src,test}/*.ts", "allow"],
    ["src/in/a.ts", "edit src/*", undefined],
    ["../other/a.ts", "edit **", undefined],
  ])("know paths by patterns: %s, %s", async (name, pattern, expected) => {
    const cwd = await createFolder();
    const decide = createPermissionRules([{ permissions: { allow: [pattern] } }], cwd);
    expect(decide({ type: "edit", path: join(cwd, name) })?.decision).toBe(expected);
  });

  it.each([
    ["fetch https://docs.rs", { type: "fetch", origin: "https://docs.rs" }, "allow"],
    ["fetch https://docs.rs", { type: "fetch", origin: "https://docs.rs.evil.com" }, undefined],
    ["fetch *", { type: "fetch", origin: "https://a.com" }, "allow"],
    ["mcp github/*", { type: "mcp", server: "github", tool: "get", definition: "", readOnly: false }, "allow"],
    ["mcp github/get*", { type: "mcp", server: "github", tool: "set", definition: "", readOnly: false }, undefined],
    ["mcp git*", { type: "mcp", server: "git/x", tool: "get", definition: "", readOnly: false }, "allow"],
    ["mcp github/get", { type: "mcp", server: "github/get", tool: "x", definition: "", readOnly: false }, undefined],
    ["run *", { type: "secret", path: "/p/.env", secretBy: ".env*" }, undefined],
  ] as const)("know pages and tools: %s, %j", async (allow, action, expected) => {
    expect(await rule(action as Action, { allow: [allow] })).toBe(expected);
  });

  it("of the user and the project count together, and the strictest first", async () => {
    const user = { deny: ["run npm publish *"], ask: ["run npm install *"] };
    const project = { allow: ["run npm publish", "run npm install", "run npm test"], deny: [] };
    expect(await rule(run("npm publish"), user, project)).toBe("deny");
    expect(await rule(run("npm install"), user, project)).toBe("ask");
    expect(await rule(run("npm test"), user, project)).toBe("allow");
  });
});

describe("P16 rules and modes", () => {
  it("allow without a question, and deny without one, which the call shows", async () => {
    expect(await decide(run("npm test"), { allow: ["run npm test"] })).toMatchObject({ decision: "allowed", asked: 0 });
    const denied = await decide(run("npm test"), { deny: ["run npm *"] }, { mode: "auto" });
    expect(denied).toMatchObject({
      decision: "rejected",
      asked: 0,
      shown: expect.stringContaining("denies this: run npm *"),
    });
  });

  it("ask also in the mode auto", async () => {
    const rules = { ask: ["run npm test"] };
    expect(await decide(run("npm test"), {}, { mode: "auto" })).toMatchObject({ decision: "allowed", asked: 0 });
    expect(await decide(run("npm test"), rules, { mode: "auto" })).toMatchObject({ decision: "rejected", asked: 1 });
  });

  it("never allow anything in the mode review, or a protected file", async () => {
    const rules = { allow: ["run npm test", "edit **"] };
    expect(await decide(run("npm test"), rules, { mode: "review" })).toMatchObject({
      decision: "review_only",
      asked: 0,
    });
    const edit = { type: "edit", path: "/p/.git/config", protectedBy: ".git/**" } as const;
    expect(await decide(edit, { allow: ["edit /**"] })).toMatchObject({ decision: "rejected", asked: 1 });
    expect(await decide({ type: "edit", path: "/p/a" }, { allow: ["edit /**"] })).toMatchObject({
      decision: "allowed",
    });
  });
});

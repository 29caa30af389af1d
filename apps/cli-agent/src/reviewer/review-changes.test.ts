import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createToolContext } from "../../test/tool-context.js";
import { runLoop } from "../loop.js";
import type { ConversationItem } from "../model.js";
import { withNestedRules } from "../rules/nested-rules.js";
import { tools } from "../tools/tools.js";
import { reviewer } from "./reviewer.js";

async function openProject(setting: { readonly isTrusted?: boolean; readonly inRepository?: boolean } = {}) {
  const { inRepository = true } = setting;
  const { cwd, turn, context: given } = await createToolContext({ isTrusted: setting.isTrusted ?? true });
  const isTrusted = vi.fn(given.isTrusted);
  const context = { ...given, isTrusted };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], { cwd, stdio: "ignore" });
  await writeFile(join(cwd, "old.ts"), "export const old = 1;\n");
  if (inRepository) {
    git("init");
    git("add", ".");
    git("commit", "-m", "First");
  }
  const ask = async (text: string): Promise<string> => {
    const conversation: ConversationItem[] = [{ role: "user", content: [{ type: "text", text }] }];
    const options = { cwd, roots: [cwd], conversation, isTrusted: context.isTrusted };
    const withRules = withNestedRules(tools, options);
    await runLoop(turn, { model: reviewer, tools: withRules, conversation, context, maxRequests: 50 });
    return turn.text;
  };
  return { cwd, ask, turn, git, isTrusted };
}

describe("defect P1: /review alone, offline", () => {
  it("reviews the files that are changed and not committed", async () => {
    const { cwd, ask, turn } = await openProject();
    await writeFile(join(cwd, "new.ts"), "alert(1 === NaN);\n");
    await writeFile(join(cwd, "notes.md"), "# Notes\n");
    turn.answer = () => "reject_once";
    const text = await ask("/review");
    expect(text).toContain("1 changed file to review: `new.ts`.");
    expect(text).toContain("I have no rules for 1 other changed file.");
    expect(text).toContain("I found 1 problem (1 error) in `new.ts`.");
    expect(text).not.toContain("old.ts");
    expect(text).not.toContain("did not find a file");
  });

  it("says that nothing has changed, and what to do", async () => {
    const { ask } = await openProject();
    expect(await ask("/review")).toBe(
      "Nothing has changed since the last commit. To review a file, name it: `/review src/cart.ts`.\n\n",
    );
  });

  it("says without a repository why it cannot, and what to do", async () => {
    const { ask } = await openProject({ inRepository: false });
    expect(await ask("/review")).toMatch(/Without Git I do not know what has changed\. Name a file instead/);
  });

  it("says so if it has no rules for what has changed", async () => {
    const { cwd, ask } = await openProject();
    await writeFile(join(cwd, "notes.md"), "# Notes\n");
    expect(await ask("/review")).toMatch(/^I have no rules for what has changed \(1 file\)\. I can review/);
  });
});

describe("a review", () => {
  it("begins with errors, although warnings are above them", async () => {
    const { cwd, ask } = await openProject();
    await writeFile(join(cwd, "a.ts"), "export const a = (b: unknown) => b == 1;\nexport const c = 1 === NaN;\n");
    const text = await ask("review a.ts");
    expect(text.indexOf("use-isnan")).toBeGreaterThan(0);
    expect(text.indexOf("eqeqeq")).toBeGreaterThan(text.indexOf("use-isnan"));
  });

  it("works in a folder with rules of its own", async () => {
    const { cwd, ask } = await openProject();
    await mkdir(join(cwd, "src"));
    await writeFile(join(cwd, "src", "AGENTS.md"), "Use tabs.\n");
    await writeFile(join(cwd, "src", "a.ts"), "export const a = 1;\n");
    expect(await ask("review src/a.ts")).toContain("is clean as far as my rules go");
  });

  const rules = JSON.stringify({ rules: { "no-alert": "error", "use-isnan": "off" } });

  it("uses the lint configuration of a trusted project", async () => {
    const { cwd, ask } = await openProject();
    await writeFile(join(cwd, ".oxlintrc.json"), rules);
    await writeFile(join(cwd, "a.js"), "alert(1 === NaN);\n// eslint-disable-next-line no-alert\nalert(2);\n");
    const text = await ask("review a.js");
    expect(text).toContain("I found 1 problem (1 error) in `a.js`. The rules of `.oxlintrc.json` are used too.");
    expect(text).toContain("no-alert");
    expect(text).not.toContain("use-isnan");
  });

  it("does not use that of a folder without trust, and says so", async () => {
    const { cwd, ask } = await openProject({ isTrusted: false });
    await writeFile(join(cwd, ".oxlintrc.json"), rules);
    await writeFile(join(cwd, "a.js"), "export const a = 1 === NaN;\n");
    const text = await ask("review a.js");
    expect(text).toContain("use-isnan");
    expect(text).toContain("The rules of `.oxlintrc.json` are not used, because you do not trust this folder.");
  });

  const hidden =
    "// eslint-disable-next-line\nexport const a = 1 === NaN; // ä\n/* oxlint-disable */\nexport const b = 2 === NaN;\n";

  it("finds what comments of a folder without trust hide, says so, and keeps the comments in its edit", async () => {
    const { cwd, ask, turn } = await openProject({ isTrusted: false });
    await writeFile(join(cwd, "a.js"), hidden);
    turn.answer = () => "allow_once";
    const text = await ask("review a.js");
    expect(text).toContain("I found 2 problems (2 errors) in `a.js`.");
    expect(text).toContain(
      "Its 2 comments such as `eslint-disable` hide nothing, because you do not trust this folder.",
    );
    expect(await readFile(join(cwd, "a.js"), "utf8")).toBe(hidden.replaceAll(/\b(\d) === NaN/g, "isNaN($1)"));
  });

  it("does not find what comments of a trusted folder hide", async () => {
    const { cwd, ask } = await openProject();
    await writeFile(join(cwd, "a.js"), hidden);
    expect(await ask("review a.js")).toContain(
      "`a.js` is clean as far as my rules go: nothing to report in its 4 lines.\n",
    );
  });

  it("does not ask about trust because of a comment", async () => {
    const { cwd, ask, isTrusted } = await openProject({ isTrusted: false });
    await writeFile(join(cwd, "a.js"), "/* eslint-disable */\nexport const a = 1;\n");
    expect(await ask("review a.js")).toContain("Its 1 comment such as `eslint-disable` hides nothing");
    expect(isTrusted).not.toHaveBeenCalled();
  });
});

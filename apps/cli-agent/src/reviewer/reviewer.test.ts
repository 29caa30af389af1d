import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ContentBlock } from "@turnkit/agent";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RecordingTurn } from "../../test/recording-turn.js";
import { runLoop } from "../loop.js";
import type { ConversationItem } from "../model.js";
import type { Mode } from "../modes.js";
import { createPermission } from "../permission.js";
import { createSandboxChoice } from "../sandbox/sandbox-choice.js";
import type { ToolContext } from "../tools/tool.js";
import { tools } from "../tools/tools.js";
import { createWorkspace } from "../workspace.js";
import { reviewer } from "./reviewer.js";

const SAMPLE = new URL("../../samples/cart.ts", import.meta.url);
let cwd: string;

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "reviewer-")));
  await cp(SAMPLE, join(cwd, "cart.ts"));
});

afterEach(() => rm(cwd, { recursive: true }));

type Setting = { mode?: Mode; client?: Parameters<typeof createWorkspace>[1]; turn?: RecordingTurn };

const terminals = { create: () => Promise.reject(new Error("There are no terminals here.")) };
const noCommands = {
  terminals,
  ownTerminals: () => terminals,
  background: {} as ToolContext["background"],
  isTrusted: async () => true,
  hasTrust: async () => true,
  sandbox: createSandboxChoice({
    mode: "off",
    network: false,
    open: async () => ({ reason: "this is a test" }),
    onMissing: () => undefined,
  }),
};

/** Runs one prompt through the real loop and the real tools. */
async function ask(prompt: string | readonly ContentBlock[], { mode = "ask", client, turn }: Setting = {}) {
  const seen = turn ?? new RecordingTurn();
  const content = typeof prompt === "string" ? [{ type: "text", text: prompt } as const] : prompt;
  const conversation: ConversationItem[] = [{ role: "user", content }];
  const context = {
    workspace: createWorkspace({ cwd, roots: [cwd] }, client),
    permission: createPermission(() => mode),
    ...noCommands,
  };
  const { stopReason } = await runLoop(seen, { model: reviewer, tools, conversation, context, maxRequests: 50 });
  return { turn: seen, text: seen.text, stopReason, conversation };
}

const file = (name: string) => readFile(join(cwd, name), "utf8");

describe("a review", () => {
  it("reads, checks, explains, proposes one edit, writes it and checks again", async () => {
    const { turn, text, stopReason } = await ask("Please review ./cart.ts");
    expect(stopReason).toBe("end_turn");
    expect(turn.calls.map(({ title, kind, status }) => [title, kind, status])).toEqual([
      ["Read cart.ts", "read", "completed"],
      ["Check cart.ts with oxlint", "execute", "completed"],
      ["Edit cart.ts", "edit", "completed"],
      ["Check cart.ts with oxlint", "execute", "completed"],
    ]);
    expect(text).toContain("I found 12 problems (9 errors, 3 warnings) in `cart.ts`.");
    expect(text).toContain("**Line 18, column 17** – error, [use-isnan](https://oxc.rs/");
    expect(text).toContain("```\nif (price === NaN) {\n```");
    expect(text).toContain("I propose one edit, for 3 of them.");
    expect(text).toContain(
      "The edit is written. I checked `cart.ts` again: 9 problems (7 errors, 2 warnings) left for you.",
    );
    expect(await file("cart.ts")).toContain("if (isNaN(price)) {");
  });

  it("shows the plan and how it goes on", async () => {
    const { turn } = await ask("review cart.ts");
    expect(turn.plans[0]?.map(({ content, status }) => [content, status])).toEqual([
      ["Read cart.ts", "in_progress"],
      ["Check it with oxlint", "pending"],
      ["Explain the findings", "pending"],
      ["Propose a fix where there is one", "pending"],
    ]);
    expect(turn.plans.at(-1)?.every(({ status }) => status === "completed")).toBe(true);
  });

  it("shows the edit as a diff of the whole file, and the places of the findings", async () => {
    const { turn } = await ask("review cart.ts");
    const path = join(cwd, "cart.ts");
    expect(turn.calls[1]?.locations).toContainEqual({ path, line: 18 });
    expect(turn.calls[2]?.locations).toEqual([{ path, line: 10 }]);
    const before = await readFile(SAMPLE, "utf8");
    expect(turn.calls[2]?.content).toEqual([
      { type: "diff", changes: [{ operation: "modify", path, oldText: before, newText: await file("cart.ts") }] },
    ]);
  });

  it("finds the file by a link, and through the client if it offers files", async () => {
    const written: string[] = [];
    const client = {
      read: async () => written.at(-1) ?? "alert(1 === NaN);\n",
      write: async (_path: string, text: string) => void written.push(text),
    };
    const uri = pathToFileURL(join(cwd, "cart.ts")).href;
    const { text } = await ask([{ type: "resource_link", uri, name: "cart.ts" }], { client });
    expect(written).toEqual(["alert(isNaN(1));\n"]);
    expect(text).toContain("again: nothing is left.");
    expect(await file("cart.ts")).toBe(await readFile(SAMPLE, "utf8"));
  });

  it("takes several files in turn, up to five", async () => {
    const names = ["a", "b", "c", "d", "e", "f", "g"].map((name) => `${name}.ts`);
    for (const name of names) await writeFile(join(cwd, name), "export const one = 1;\n");
    const { turn, text } = await ask(`review ${names.join(", ")}`);
    expect(text.match(/is clean/g)).toHaveLength(5);
    expect(text).toContain("I review 5 files at a time; 2 more will have to wait for your next message.");
    expect(turn.plans[0]?.map(({ content }) => content)[1]).toBe("Review b.ts");
  });

  it("begins anew with the next prompt of the same conversation", async () => {
    const { conversation } = await ask("review cart.ts");
    conversation.push({ role: "user", content: [{ type: "text", text: "/help" }] });
    const parts = [];
    for await (const part of reviewer.respond({ conversation, tools, signal: new AbortController().signal }))
      parts.push(part);
    expect(parts).toMatchObject([
      { type: "text-delta", text: expect.stringContaining("I review") },
      { type: "finish" },
    ]);
  });
});

describe("when the edit is not wanted", () => {
  it.each([["reject_once"], ["reject_always"], [undefined]])(
    "%s leaves the file as it is and says so",
    async (answer) => {
      const turn = new RecordingTurn();
      turn.answer = () => answer;
      const { text } = await ask("review cart.ts", { turn });
      expect(text).toContain("I left `cart.ts` as it is.");
      expect(turn.calls.at(-1)).toMatchObject({ title: "Edit cart.ts", status: "failed" });
      expect(await file("cart.ts")).toBe(await readFile(SAMPLE, "utf8"));
    },
  );

  it("review mode shows the diff and never asks or writes", async () => {
    const { turn, text } = await ask("review cart.ts", { mode: "review" });
    expect(turn.questions).toEqual([]);
    expect(turn.calls.at(-1)).toMatchObject({ title: "Suggested edit of cart.ts (not written)", status: "completed" });
    expect(turn.calls.at(-1)?.content).toMatchObject([{ type: "diff" }]);
    expect(text).toContain("This session is in `review` mode, so the edit is shown and not written.");
    expect(await file("cart.ts")).toBe(await readFile(SAMPLE, "utf8"));
  });

  it("a file that changed while the question was open is not overwritten", async () => {
    const turn = new RecordingTurn();
    let disk = "alert(1 === NaN);\n";
    turn.answer = () => {
      disk = "// the user typed this\n";
      return "allow_once";
    };
    const { text } = await ask("review cart.ts", {
      turn,
      client: { read: async () => disk, write: () => Promise.reject() },
    });
    expect(text).toContain("`cart.ts` has changed since this edit was proposed; nothing was written.");
  });

  it("a cancel at the question ends the turn and writes nothing", async () => {
    const turn = new RecordingTurn();
    turn.answer = () => void turn.controller.abort();
    expect((await ask("review cart.ts", { turn })).stopReason).toBe("cancelled");
    expect(turn.calls.at(-1)?.status).toBe("cancelled");
    expect(await file("cart.ts")).toBe(await readFile(SAMPLE, "utf8"));
  });
});

describe("a cancelled review", () => {
  it("stops the linter and leaves no call unfinished", async () => {
    const turn = new RecordingTurn();
    const { toolCall } = turn;
    turn.toolCall = (start) => {
      const call = toolCall(start);
      if (start.name !== "lint_file") return call;
      // The cancel arrives just after the start of the linter.
      const update: typeof call.update = (patch) => {
        if (patch.status === "in_progress") setImmediate(() => turn.controller.abort());
        return call.update(patch);
      };
      return { ...call, update };
    };
    const { stopReason, conversation } = await ask("review cart.ts", { turn });
    expect(stopReason).toBe("cancelled");
    expect(turn.calls.map(({ status }) => status)).toEqual(["completed", "cancelled"]);
    expect(conversation.at(-1)).toMatchObject({ role: "tool", content: [{}, { output: { code: "cancelled" } }] });
  });
});

describe("sensible answers to", () => {
  it("no file", async () => {
    const { turn, text } = await ask("Hello, what can you do?");
    expect(text).toMatch(/^I did not find a file in your message\. I review JavaScript and TypeScript files/);
    expect(turn.calls).toEqual([]);
  });

  it("an empty prompt", async () => {
    expect((await ask([])).text).toContain("I did not find a file");
  });

  it("defect P30: nothing to review refuses the turn, so that a script without a terminal sees it", async () => {
    await mkdir(join(cwd, "src"));
    for (const prompt of ["Fix the bug", "review src/nothing.ts", "review ./src", "review cart.css", ""])
      expect(await ask(prompt)).toMatchObject({ stopReason: "refusal", conversation: [] });
    for (const prompt of ["review cart.ts", "review cart.ts and src/nothing.ts", "/help"])
      expect((await ask(prompt)).stopReason).toBe("end_turn");
  });

  it("a clean file", async () => {
    await writeFile(join(cwd, "clean.ts"), "export const one = 1;\n");
    const { text } = await ask("review clean.ts");
    expect(text).toMatch(/^`clean\.ts` is clean as far as my rules go: nothing to report in its 1 line\.\n\n/);
    expect(text).toMatch(/I do not find wrong logic, .*\n\n$/);
  });

  it("a missing file", async () => {
    const { turn, text } = await ask("review src/nothing.ts");
    expect(text).toBe(
      "`src/nothing.ts` does not exist. Please check the path; it starts from this session's folder.\n\n",
    );
    expect(turn.calls).toMatchObject([{ title: "Read src/nothing.ts", status: "failed" }]);
  });

  it("a binary file", async () => {
    await writeFile(join(cwd, "logo.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]));
    expect((await ask("review logo.png")).text).toMatch(/^`logo\.png` is not a text file\. I can only review text/);
  });

  it("a folder", async () => {
    await mkdir(join(cwd, "src"));
    await writeFile(join(cwd, "src", "a.ts"), "");
    expect((await ask("review ./src")).text).toBe("`src` is a folder. It holds a.ts. Please name a file in it.\n\n");
  });

  it("a file of 5 MB", async () => {
    await writeFile(join(cwd, "bundle.js"), "x".repeat(5 * 1024 * 1024));
    expect((await ask("review bundle.js")).text).toMatch(/^`bundle\.js` has 5\.0 MB; files up to 1 MB are read\./);
  });

  it("a syntax error", async () => {
    await writeFile(join(cwd, "broken.ts"), "const a = 1;\nconst b = ;\n");
    const { turn, text } = await ask("review broken.ts");
    expect(text).toContain("`broken.ts` does not parse, so no rule could look at it.");
    expect(text).toContain("**Line 2, column 11** – error, syntax\nUnexpected token.");
    expect(turn.calls).toHaveLength(2);
  });

  it("a kind of file without rules", async () => {
    await writeFile(join(cwd, "notes.md"), "# Notes\n");
    expect((await ask("review notes.md")).text).toMatch(/^I have no rules for `notes\.md`\. I can review/);
  });

  it("a file outside the session's folder that may hold secrets", async () => {
    const { turn, text } = await ask("review /etc/ssh/passwd.ts");
    expect(turn.calls).toMatchObject([{ title: "Read /etc/ssh/passwd.ts", status: "failed", locations: [] }]);
    expect(text).toMatch(
      /^`\/etc\/ssh\/passwd\.ts` is outside the folders of this session\. I only touch files inside them/,
    );
  });

  it("an empty file", async () => {
    await writeFile(join(cwd, "empty.ts"), "");
    expect((await ask("review empty.ts")).text).toContain("`empty.ts`");
  });

  it("findings that nothing can fix", async () => {
    await writeFile(join(cwd, "a.ts"), "export const same = (a: number) => a == a;\n");
    const { turn, text } = await ask("review a.ts");
    expect(text).toContain("None of this can be fixed automatically.");
    expect(turn.questions).toEqual([]);
  });

  it("an attached text that is no file: the edit is shown in the answer", async () => {
    const resource = { uri: "untitled:Untitled-1.ts", text: "alert(1 === NaN);\n" };
    const { turn, text } = await ask([{ type: "resource", resource }]);
    expect(text).toContain("the text is not a file that I can write");
    expect(text).toContain("```diff\n@@ -1,1 +1,1 @@\n-alert(1 === NaN);\n+alert(isNaN(1));\n```");
    expect(turn.questions).toEqual([]);
  });

  it("an attached text whose file is not on the disk", async () => {
    const resource = { uri: pathToFileURL(join(cwd, "new.ts")).href, text: "alert(1 === NaN);\n" };
    expect((await ask([{ type: "resource", resource }])).text).toContain("I found 1 problem (1 error) in `new.ts`.");
  });

  it("a link to something that is no file", async () => {
    const { turn, text } = await ask([{ type: "resource_link", uri: "https://example.com/a.ts", name: "a.ts" }]);
    expect(text).toBe(
      "`https://example.com/a.ts` is not a file that I can read. Please name a file, or attach its text.\n\n",
    );
    expect(turn.calls).toEqual([]);
  });

  it("an attached text that is older than the file", async () => {
    const resource = { uri: pathToFileURL(join(cwd, "cart.ts")).href, text: "old" };
    expect((await ask([{ type: "resource", resource }])).text).toMatch(
      /^`cart\.ts` has changed since it was attached; I review what it holds now\./,
    );
  });
});

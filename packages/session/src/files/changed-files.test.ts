import { describe, expect, it } from "vitest";
import { createSessionState } from "../create-session-state.js";
import type { SessionEvent } from "../event.js";
import { reduce, reduceAll } from "../reduce.js";
import type { SessionState } from "../state.js";
import { changedFiles, finalDiff } from "./changed-files.js";

const fold = (...events: readonly SessionEvent[]): SessionState => reduceAll(createSessionState(), events);
const tool = (toolCallId: string, members: object): SessionEvent =>
  ({ type: "tool_call_update", toolCallId, title: toolCallId, ...members }) as SessionEvent;
const diff = (...changes: readonly object[]): object => ({ content: [{ type: "diff", changes }] });
const patched = (path: string, text: string): object => ({
  content: [{ type: "diff", changes: [{ operation: "modify", path }], patch: { format: "git_patch", text } }],
});
const modify = (path: string, oldText: string, newText: string) => ({ operation: "modify", path, oldText, newText });
const diffsOf = (...events: readonly SessionEvent[]): readonly string[] => changedFiles(fold(...events)).map(finalDiff);

describe("the files that tool calls changed", () => {
  it("tells what happened to each file, from its first text to its last", () => {
    const state = fold(
      tool("a", diff(modify("/a", "1\n", "2\n"))),
      tool("b", diff(modify("/a", "2\n", "3\n"), { operation: "add", path: "/b", newText: "n" })),
      tool("c", { ...diff({ operation: "add", path: "/c", newText: "x" }), status: "failed" }),
      tool("d", { ...diff({ operation: "add", path: "/d", newText: "x" }), status: "cancelled" }),
    );
    const files = changedFiles(state);
    expect(files).toMatchObject([
      { path: "/a", oldText: "1\n", newText: "3\n", toolCallIds: ["a", "b"] },
      { path: "/b", oldText: null, newText: "n", toolCallIds: ["b"] },
    ]);
    expect(files[0]?.changes.map(({ change }) => change.newText)).toEqual(["2\n", "3\n"]);
    const received = reduce(state, { type: "session_info_update", title: "T" });
    expect(changedFiles(received)).toBe(files);
  });

  it("shows all edits of a file as one diff", () => {
    const edits = [
      tool("a", diff(modify("/a", "1\nx\n", "2\nx\n"))),
      tool("b", diff(modify("/a", "2\nx\n", "2\ny\n"))),
    ];
    expect(diffsOf(...edits)).toEqual(["diff --git /a /a\n--- /a\n+++ /a\n@@ -1,2 +1,2 @@\n-1\n-x\n+2\n+y\n"]);
  });

  it("knows files that came, went, and are as they were", () => {
    const files = changedFiles(
      fold(
        tool("a", diff({ operation: "add", path: "/new", newText: "n\n" }, modify("/back", "1\n", "2\n"))),
        tool("b", diff({ operation: "delete", path: "/old", oldText: "o\n" }, modify("/back", "2\n", "1\n"))),
        tool("c", diff(modify("/new", "n\n", "m\n"))),
      ),
    );
    expect(files).toMatchObject([
      { path: "/new", oldText: null, newText: "m\n" },
      { path: "/back", oldText: "1\n", newText: "1\n" },
      { path: "/old", oldText: "o\n", newText: null },
    ]);
    expect(files.map(finalDiff)).toEqual([
      "diff --git /new /new\nnew file mode 100644\n--- /dev/null\n+++ /new\n@@ -0,0 +1 @@\n+m\n",
      "",
      "diff --git /old /old\ndeleted file mode 100644\n--- /old\n+++ /dev/null\n@@ -1 +0,0 @@\n-o\n",
    ]);
  });

  it("has the patches of agents that send no texts, in their order", () => {
    const first = "diff --git /a /a\n--- /a\n+++ /a\n@@ -1 +1 @@\n-1\n+2\n";
    const second = "diff --git /a /a\n--- /a\n+++ /a\n@@ -9 +9 @@\n-x\n+y";
    expect(changedFiles(fold(tool("a", patched("/a", first))))).toMatchObject([{ path: "/a", oldText: undefined }]);
    expect(diffsOf(tool("a", patched("/a", first)), tool("b", patched("/a", second)))).toEqual([`${first}${second}\n`]);
  });

  it("shows nothing of a file that came and went, also where only patches say what stood in it", () => {
    const add = { operation: "add", path: "/n" };
    const patch = "diff --git /n /n\nnew file mode 100644\n--- /dev/null\n+++ /n\n@@ -0,0 +1 @@\n+n\n";
    const made = { content: [{ type: "diff", changes: [add], patch: { format: "git_patch", text: patch } }] };
    expect(diffsOf(tool("a", made))).toEqual([patch]);
    expect(diffsOf(tool("a", made), tool("b", diff({ operation: "delete", path: "/n" })))).toEqual([""]);
  });

  it("joins no texts that do not follow each other, such as parts of a file", () => {
    const [one, two] = [modify("/a", "a\n", "b\n"), modify("/a", "x\n", "y\n")];
    const [joined = ""] = diffsOf(tool("t", diff(one)), tool("u", diff(two)));
    expect(joined.match(/^[-+][a-z]$/gm)).toEqual(["-a", "+b", "-x", "+y"]);
  });

  it("follows a file that is moved", () => {
    const move = { operation: "move", oldPath: "/a", path: "/b" };
    const files = changedFiles(
      fold(
        tool("a", diff(modify("/a", "1\n", "2\n"))),
        tool("b", diff(move)),
        tool("c", diff(modify("/b", "2\n", "3\n"))),
      ),
    );
    expect(files).toMatchObject([
      { path: "/b", oldPath: "/a", oldText: "1\n", newText: "3\n", toolCallIds: ["a", "b", "c"] },
    ]);
    expect(finalDiff(files[0] as (typeof files)[number]).match(/^[-+][0-9]$/gm)).toEqual(["-1", "+2", "-2", "+3"]);
    const copy = { operation: "copy", oldPath: "/a", path: "/b", newText: "1\n" };
    expect(changedFiles(fold(tool("a", diff(copy))))).toMatchObject([{ path: "/b", oldPath: "/a", oldText: null }]);
  });
});

describe("large diffs", () => {
  it("reads a quoted name of megabytes", () => {
    for (const name of ["a".repeat(400_000), "\\303\\244".repeat(100_000), "a".repeat(8_000_000)]) {
      const text = `diff --git a b\n--- "${name}"\n+++ x\n`;
      expect(changedFiles(fold(tool("a", patched("/a", text))))).toMatchObject([{ path: "/a" }]);
    }
  });

  it("takes time in proportion to the number of files, of parts of a patch, and of changes of one file", () => {
    const COUNT = 40_000;
    const names = Array.from({ length: COUNT }, (_, n) => n);
    const other = names.map((n) => `diff --git b${n} b${n}\n`).join("");
    const same = names.map(() => "diff --git a a\n--- /a\n+++ /a\n").join("");
    const all = names.map((n) => ({ operation: "modify", path: `/a${n}` }));
    const one = names.map(() => ({ operation: "modify", path: "/a" }));
    const began = process.cpuUsage().user / 1000;
    for (const [changes, text, count] of [
      [all, other, COUNT],
      [one, same, 1],
      [one, "", 1],
    ] as const) {
      const content = [{ type: "diff", changes, patch: { format: "git_patch", text } }];
      const files = changedFiles(fold(tool("a", { content })));
      expect(files).toHaveLength(count);
      expect(files[0]?.toolCallIds).toEqual(["a"]);
    }
    // Quadratic time is half a minute.
    expect(process.cpuUsage().user / 1000 - began).toBeLessThan(4_000);
  });
});

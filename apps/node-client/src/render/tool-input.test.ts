import { describe, expect, it } from "vitest";
import { readToolInput } from "./tool-input.js";

describe("defect P14: the command of a tool", () => {
  it.each([
    [{ command: "npm test && echo 'a'" }, "npm test && echo 'a'"],
    [{ command: ["git", "commit", "-m", "it's a b", ""] }, "git commit -m 'it'\\''s a b' ''"],
    [{ cmd: "git", args: ["status", "--short"] }, "git status --short"],
    [{ command: ["rm", "*", "~/x", "$HOME", "a\nb"] }, "rm '*' '~/x' '$HOME' 'a\nb'"],
    [{ commandLine: "ls\nid" }, "ls\nid"],
  ])("of %j is typed as %j", (input, line) => {
    expect(readToolInput(input)).toEqual({ type: "command", line, remarks: [] });
  });

  it("has its folder, its shell and its remarks beside it", () => {
    const input = { command: ["bash", "-lc", "git log | cat"], workdir: "/a", timeout: 5, description: "Look" };
    expect(readToolInput(input)).toEqual({
      ...{ type: "command", line: "git log | cat", shell: "bash -lc", cwd: "/a" },
      remarks: ["timeout: 5", "description: Look"],
    });
    expect(readToolInput({ command: "npm ci", path: "a", network: true })).toEqual({
      ...{ type: "command", line: "npm ci", cwd: "a", remarks: ["network: true"] },
    });
    const other = readToolInput({ command: ["/tmp/bash", "-lc", "id"] });
    expect(other).toMatchObject({ line: "/tmp/bash -lc id" });
  });

  it.each([
    { command: "git status", argv: ["id"] },
    { command: "ls", env: { PATH: "." } },
    { path: "/a", input: { command: "id" } },
  ])("that cannot be read with certainty is shown with all members: %j", (input) => {
    expect(readToolInput(input)).toEqual({ type: "text", text: JSON.stringify(input, undefined, 1), isUnclear: true });
  });

  it.each([
    [{ path: "/a" }, '{\n "path": "/a"\n}'],
    ["id", "id"],
    [{}, ""],
    [null, ""],
    [undefined, ""],
  ])("is none in %j", (input, text) => {
    expect(readToolInput(input)).toEqual({ type: "text", text, isUnclear: false });
  });
});

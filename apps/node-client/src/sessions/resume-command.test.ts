import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { parseInvocation } from "../command-line.js";
import type { RunInvocation } from "../invocation.js";
import { resumeCommand } from "./resume-command.js";

const command = (argv: readonly string[], id: string, platform?: NodeJS.Platform) =>
  resumeCommand(parseInvocation(argv) as RunInvocation, id, platform);
/** Returns the words that a shell makes of a command. */
const pasted = (text: string) =>
  execFileSync("sh", ["-c", `printf '%s\\0' ${text}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);

describe("resume commands can be pasted", () => {
  it("with the agent and the options of the conversation", () => {
    expect(command(["--agent", "gemini"], "4f1c-a")).toBe("turnkit --session 4f1c-a --agent gemini");
    const argv = ["--cwd", "/my work", "--mcp", "a.json", "--permissions", "deny", "--", "npx", "my-agent", "a b"];
    expect(command(argv, "s")).toBe(
      "turnkit --session s --cwd '/my work' --mcp a.json --permissions deny -- npx my-agent 'a b'",
    );
    expect(command(["--url", "wss://a.example/acp?x=1&y", "--token-file", "/t", "--share", "--cwd", "/srv"], "s")).toBe(
      "turnkit --session s --url 'wss://a.example/acp?x=1&y' --token-file /t --share --cwd /srv",
    );
    expect(command(["--read-only", "--no-terminals"], "s")).toBe("turnkit --session s --read-only --no-terminals");
  });

  it.each(["$(touch x)", "a'b", 'a"b', "; ls", "=ls", "~", "*", "-x", "é", "a`b`", "!!"])(
    "a shell reads the id %j as one word, and this program too",
    (id) => {
      const words = pasted(command([], id));
      expect(words).toEqual(["turnkit", "--session", id]);
      expect(parseInvocation(words.slice(1))).toMatchObject({ session: { id } });
    },
  );

  it.each(["a\nb", "\u001b[2K", "a\u202eb"])("the id %j has no command", (id) => {
    expect(command([], id)).toBe("turnkit --continue, with the same options");
  });

  it("on Windows, words with characters that shells replace have no command", () => {
    expect(command([], "a b", "win32")).toBe('turnkit --session "a b"');
    for (const id of ["%PATH%", "$x", 'a"b']) expect(command([], id, "win32")).toContain("--continue");
  });
});

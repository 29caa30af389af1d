import { describe, expect, it } from "vitest";
import { help, parseInvocation } from "./arguments.js";
import { exitCode } from "./exit-code.js";
import { UsageError } from "./usage-error.js";

describe("parseInvocation", () => {
  it("takes what follows -- as the agent's command and does not look at it", () => {
    expect(parseInvocation(["--prompt", "hi", "--", "npx", "agent", "--cwd", "x", "--", "--help"])).toEqual({
      kind: "run",
      cwd: ".",
      permissions: "ask",
      dialects: ["v1", "v2", "seed"],
      prompt: "hi",
      files: [],
      command: ["npx", "agent", "--cwd", "x", "--", "--help"],
    });
  });

  it("takes files, a directory, a mode and a version", () => {
    expect(
      parseInvocation(["--cwd", "/w", "a.ts", "--permissions=deny", "b.ts", "--protocol=1", "--", "agent"]),
    ).toEqual({
      kind: "run",
      cwd: "/w",
      permissions: "deny",
      dialects: ["v1"],
      files: ["a.ts", "b.ts"],
      command: ["agent"],
    });
  });

  it.each([
    [["--help"], "help"],
    [["-h", "a.ts", "--", "agent"], "help"],
    [["--version"], "version"],
    [["-v"], "version"],
  ])("%j asks for the %s", (argv, kind) => {
    expect(parseInvocation(argv)).toEqual({ kind });
  });

  it.each([
    [[], "There is no agent to start: give its command after --, as in: turnkit FILE -- my-agent --acp"],
    [["a.ts", "--"], "There is no agent to start: give its command after --, as in: turnkit FILE -- my-agent --acp"],
    [["--", ""], "There is no agent to start: give its command after --, as in: turnkit FILE -- my-agent --acp"],
    [["--permissions", "yes", "--", "agent"], '--permissions is ask, allow, deny, not "yes".'],
    [["--colour", "--", "agent"], "Unknown option '--colour'."],
    [["--prompt", "--", "agent"], "Option '--prompt <value>' argument missing."],
    [["--help=yes"], "Option '-h, --help' does not take an argument."],
    [["--prompt", " ", "--", "agent"], "--prompt is empty: say what the agent shall do."],
  ])("%j is refused", (argv, message) => {
    expect(() => parseInvocation(argv)).toThrow(new UsageError(message));
  });
});

it("the help names every exit code", () => {
  const line = help.split("\n").find((one) => one.startsWith("Exit codes:")) ?? "";
  expect(line.match(/\d+/g)?.map(Number)).toEqual(Object.values(exitCode));
});

import { describe, expect, it } from "vitest";
import { parseInvocation } from "./command-line.js";
import { exitCode, UsageError } from "./exit-code.js";
import type { Invocation } from "./invocation.js";

const every = ["v1", "v2", "seed"];

describe("parseInvocation", () => {
  it("takes what follows -- as the agent's command and does not look at it", () => {
    expect(parseInvocation(["--prompt", "hi", "--", "npx", "agent", "--cwd", "x", "--", "--help"])).toEqual({
      ...{ kind: "run", permissions: "ask", output: "text", dialects: every, mcp: [], prompt: "hi", files: [] },
      ...{ readOnly: false, noTerminals: false, anyVariables: false },
      command: ["npx", "agent", "--cwd", "x", "--", "--help"],
    });
  });

  it("takes files and everything that a run can be told", () => {
    expect(
      parseInvocation([
        ...["--cwd", "/w", "a.ts", "--permissions=deny", "b.ts", "--protocol=1", "--mcp", "x.json", "--mcp", "y.json"],
        ...["--trace", "t.jsonl", "--timeout", "5m", "--output", "ndjson", "--session", "s-1", "--agent", "goose"],
      ]),
    ).toEqual({
      ...{ kind: "run", cwd: "/w", permissions: "deny", dialects: ["v1"], files: ["a.ts", "b.ts"], agent: "goose" },
      ...{ mcp: ["x.json", "y.json"], trace: "t.jsonl", timeoutMs: 300_000, output: "ndjson", session: "s-1" },
      ...{ readOnly: true, noTerminals: true, anyVariables: false }, // defect S8: so with deny
    });
  });

  it.each<[readonly string[], Partial<Invocation>]>([
    [[], { kind: "run", files: [] }],
    [["--permissions", "allow"], { kind: "run", anyVariables: true }],
    [["--read-only"], { kind: "run", readOnly: true, noTerminals: false }],
    [["--no-terminals"], { kind: "run", readOnly: false, noTerminals: true }],
    [["agents", "--json"], { kind: "agents", json: true }],
    [["./agents"], { kind: "run", files: ["./agents"] }],
    [["./help"], { kind: "run", files: ["./help"] }],
    [["sessions", "--", "a"], { kind: "sessions list", json: false, command: ["a"] }],
    [["sessions", "list", "--cwd", "/w", "--", "a"], { kind: "sessions list", cwd: "/w", command: ["a"] }],
    [["--agent", "goose", "sessions", "list"], { kind: "sessions list", agent: "goose" }],
    [["sessions", "show", "s-1"], { kind: "sessions show", session: "s-1" }],
    [["sessions", "delete", "s-1"], { kind: "sessions delete", session: "s-1" }],
    [["sessions", "resume", "s-1", "-p", "Go on"], { kind: "run", session: "s-1", prompt: "Go on", files: [] }],
    [["trace", "show", "t.jsonl", "--full"], { kind: "trace show", file: "t.jsonl", full: true }],
    [["trace", "replay", "t.jsonl"], { kind: "trace replay", file: "t.jsonl" }],
    [["doctor", "--", "a"], { kind: "doctor", json: false, turn: true, command: ["a"] }],
    [["doctor", "--json", "--no-turn", "--agent", "qwen"], { kind: "doctor", json: true, turn: false, agent: "qwen" }],
  ])("%j is understood", (argv, invocation) => {
    expect(parseInvocation(argv)).toMatchObject(invocation);
  });

  it.each([
    [["--help"], "Usage: turnkit [options] [files...] [-- command...]"],
    [["-h", "a.ts", "--", "agent"], "Usage: turnkit"],
    [["doctor", "--help"], "Usage: turnkit doctor"],
    [["help"], "Usage: turnkit [options]"],
    [["help", "doctor"], "Usage: turnkit doctor"],
    [["--version"], "0."],
    [["-v"], "0."],
  ])("%j prints", (argv, text) => {
    expect(parseInvocation(argv)).toEqual({ kind: "print", text: expect.stringContaining(text) });
  });

  it.each([
    [
      ["a.ts", "--"],
      "The command after -- is missing. Give the command of the agent, for example: turnkit FILE -- my-agent --acp",
    ],
    [
      ["--", ""],
      "The command after -- is missing. Give the command of the agent, for example: turnkit FILE -- my-agent --acp",
    ],
    [["--colour", "--", "agent"], "Unknown option '--colour'."],
    [["--cdw", "x"], "Unknown option '--cdw' (Did you mean --cwd?)"],
    [["--prompt", "--", "agent"], "Option '-p, --prompt <text>' argument missing."],
    [["--prompt", " ", "--", "agent"], "--prompt is empty. Give the task of the agent."],
    [["--protocol", "3"], '--protocol is auto, 1, 2 or seed, not "3".'],
    [["--timeout", "soon"], '--timeout is a time such as 90, 90s, 5m or 1h, up to 24 days, not "soon".'],
    [
      ["--output", "yaml"],
      "Option '--output <format>' argument 'yaml' is invalid. Allowed choices are text, json, ndjson.",
    ],
    [["--agent", "goose", "--", "agent"], "Give either --agent or a command after --, not both."],
    [["agents", "--", "agent"], "This command starts no agent. Leave out -- and the words after it."],
    [["--output", "json", "doctor", "--", "agent"], "--output is not an option of turnkit doctor."],
    [["trace"], "A command is missing: see turnkit --help."],
    [["sessions", "show"], "Missing required argument 'id'."],
    [["trace", "show", "a", "b"], "Too many arguments for 'show'. Expected 1 argument but got 2."],
  ])("%j is refused", (argv, message) => {
    expect(() => parseInvocation(argv)).toThrow(new UsageError(message));
  });
});

it("the help names every exit code and every command", () => {
  const { text } = parseInvocation(["--help"]) as Extract<Invocation, { kind: "print" }>;
  const line = text.split("\n").find((one) => one.startsWith("Exit codes:")) ?? "";
  expect(line.match(/\d+/g)?.map(Number)).toEqual(Object.values(exitCode));
  for (const command of ["agents", "sessions", "trace", "doctor"])
    expect(text).toMatch(new RegExp(`^  ${command}`, "m"));
});

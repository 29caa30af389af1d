import { describe, expect, it } from "vitest";
import { parseInvocation } from "./command-line.js";
import { exitCode, UsageError } from "./exit-code.js";
import type { Invocation } from "./invocation.js";

const every = ["v1", "v2", "seed"];

describe("parseInvocation", () => {
  it("takes what follows -- as the agent's command and does not look at it", () => {
    expect(parseInvocation(["--prompt", "hi", "--", "npx", "agent", "--cwd", "x", "--", "--help"])).toEqual({
      ...{ kind: "run", permissions: "ask", dialects: every, mcp: [], prompt: "hi", words: [], files: [] },
      ...{ readOnly: false, noTerminals: false, anyVariables: false, settings: [] },
      command: ["npx", "agent", "--cwd", "x", "--", "--help"],
    });
  });

  it("takes everything that a run can be told", () => {
    expect(
      parseInvocation([
        ...["--cwd", "/w", "-f", "a.ts", "--permissions=deny", "--file", "b.ts", "--protocol=1", "--mcp", "x.json"],
        ...["--trace", "t.jsonl", "--timeout", "5m", "--output", "ndjson", "--session", "s-1", "--agent", "goose"],
        ...["--mcp", "y.json", "Fix", "it"],
      ]),
    ).toEqual({
      ...{ kind: "run", cwd: "/w", permissions: "deny", dialects: ["v1"], files: ["a.ts", "b.ts"], agent: "goose" },
      ...{ mcp: ["x.json", "y.json"], trace: "t.jsonl", timeoutMs: 300_000, output: "ndjson", session: { id: "s-1" } },
      ...{ words: ["Fix", "it"], settings: [] },
      ...{ readOnly: true, noTerminals: true, anyVariables: false }, // defect S8: so with deny
    });
  });

  it.each<[readonly string[], Partial<Invocation>]>([
    [[], { kind: "run", words: [], files: [] }],
    [["fix the bug"], { kind: "run", words: ["fix the bug"] }],
    [["fix", "the", "bug"], { kind: "run", words: ["fix", "the", "bug"] }],
    [["fix it", "--agent", "goose"], { kind: "run", words: ["fix it"], agent: "goose" }],
    [["hello"], { kind: "run", words: ["hello"] }],
    [["sessions are broken"], { kind: "run", words: ["sessions are broken"] }],
    [["list", "all", "files"], { kind: "run", words: ["list", "all", "files"] }],
    [["-p", "sesions"], { kind: "run", prompt: "sesions" }],
    [["--prompt", "- one", "-"], { kind: "run", prompt: "- one", words: ["-"] }],
    [["--continue"], { kind: "run", session: "latest" }],
    [["-c", "go on"], { kind: "run", session: "latest", words: ["go on"] }],
    [["-s", "4f"], { kind: "run", session: { id: "4f" } }],
    [
      ["--set", "a=b=c", "--mode", "plan", "-m", "opus", "--set", "fast = on"],
      {
        settings: [
          { by: "--model", option: "model", value: "opus" },
          { by: "--mode", option: "mode", value: "plan" },
          { by: "--set", option: "a", value: "b=c" },
          { by: "--set", option: "fast", value: "on" },
        ],
      },
    ],
    [["--permissions", "allow"], { kind: "run", anyVariables: true }],
    [["--url", "wss://a.example", "hi"], { kind: "run", url: "wss://a.example", words: ["hi"] }],
    [["--url", "wss://a", "--token-file", "t", "--share"], { kind: "run", tokenFile: "t", share: true }],
    [["doctor", "--url", "ws://a"], { kind: "doctor", url: "ws://a" }],
    [["--read-only"], { kind: "run", readOnly: true, noTerminals: false }],
    [["--no-terminals"], { kind: "run", readOnly: false, noTerminals: true }],
    [["agents", "--json"], { kind: "agents", json: true }],
    [["sessions", "--", "a"], { kind: "sessions list", json: false, all: false, command: ["a"] }],
    [["sessions", "list", "--all"], { kind: "sessions list", all: true }],
    [["sessions", "list", "--cwd", "/w", "--", "a"], { kind: "sessions list", cwd: "/w", command: ["a"] }],
    [["--agent", "goose", "sessions", "list"], { kind: "sessions list", agent: "goose" }],
    [["sessions", "show", "s-1"], { kind: "sessions show", session: "s-1" }],
    [["sessions", "delete", "s-1"], { kind: "sessions delete", session: "s-1" }],
    [["sessions", "resume", "s-1", "-p", "Go on"], { kind: "run", session: { id: "s-1" }, prompt: "Go on", words: [] }],
    [["sessions", "resume", "s-1", "Go", "on"], { kind: "run", session: { id: "s-1" }, words: ["Go", "on"] }],
    [["permissions"], { kind: "permissions list", json: false }],
    [["permissions", "list", "--json", "--cwd", "/w"], { kind: "permissions list", cwd: "/w", json: true }],
    [["permissions", "revoke", "3f", "a1"], { kind: "permissions revoke", ids: ["3f", "a1"] }],
    [["permissions", "clear"], { kind: "permissions clear" }],
    [["trace", "show", "t.jsonl", "--full"], { kind: "trace show", file: "t.jsonl", full: true }],
    [["trace", "replay", "t.jsonl"], { kind: "trace replay", file: "t.jsonl" }],
    [["doctor", "--", "a"], { kind: "doctor", json: false, turn: true, command: ["a"] }],
    [["doctor", "--only", "A,B", "--", "a"], { kind: "doctor", only: ["A", "B"], command: ["a"] }],
    [["doctor", "--json", "--no-turn", "--agent", "qwen"], { kind: "doctor", json: true, turn: false, agent: "qwen" }],
  ])("defect P7: %j is understood", (argv, invocation) => {
    expect(parseInvocation(argv)).toMatchObject(invocation);
  });

  it.each([
    [["--help"], 'Usage: turnkit [options] ["prompt"] [-- agent command]'],
    [["-h", "fix it", "--", "agent"], "Usage: turnkit"],
    [["help", "sessions", "list"], "Usage: turnkit sessions list"],
    [["help", "options"], "--no-terminals"],
    [["help", "exit-codes"], "124"],
    [["trace"], "Usage: turnkit trace"], // defect P14
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
      'The command after -- is missing. Give the command of the agent, for example: turnkit "Hello" -- my-agent --acp',
    ],
    [
      ["--", ""],
      'The command after -- is missing. Give the command of the agent, for example: turnkit "Hello" -- my-agent --acp',
    ],
    [["--colour", "--", "agent"], "Unknown option '--colour'."],
    [["--cdw", "x"], "Unknown option '--cdw' (Did you mean --cwd?)"],
    [["--prompt", "--", "agent"], "Option '-p, --prompt <text>' argument missing."],
    [["--prompt", " ", "--", "agent"], "--prompt is empty. Give the task of the agent."],
    [["--protocol", "3"], '--protocol is auto, 1, 2 or seed, not "3".'],
    [["--timeout", "soon"], '--timeout is a time such as 90, 90s, 5m or 1h, up to 24 days, not "soon".'],
    [
      ["--output", "yaml"],
      "Option '--output <format>' argument 'yaml' is invalid. Allowed choices are text, quiet, json, ndjson.",
    ],
    [["--agent", "goose", "--", "agent"], "Give either --agent or a command after --, not both."],
    [["--url", "wss://a", "--", "agent"], "Give either --url or a command after --, not both."],
    [["--url", "wss://a", "--agent", "goose"], "Give either --url or --agent, not both."],
    [["--share"], "--share is for an agent of --url, which is missing."],
    [["--token-file", "t"], "--token-file is for an agent of --url, which is missing."],
    [["agents", "--", "agent"], "This command starts no agent. Leave out -- and the words after it."],
    [["--output", "json", "doctor", "--", "agent"], "--output is not an option of turnkit doctor."],
    [
      ["sesions", "list"],
      'There is no command "sesions". Do you mean turnkit sessions list? To send these words as a prompt: turnkit -p "sesions list"',
    ],
    [["Trace"], /^There is no command "Trace"\. Do you mean turnkit trace\?/],
    [
      ["list"],
      /^There is no command "list"\. Do you mean turnkit sessions list or turnkit permissions list or turnkit mcp list\? .*: turnkit -p "list"$/,
    ],
    [["show", "wire.jsonl"], /Do you mean turnkit sessions show wire\.jsonl or turnkit trace show wire\.jsonl\?/],
    [["resume", "4f1c"], /Do you mean turnkit sessions resume 4f1c\?/],
    [["help", "docter"], /^There is no help on docter\. Do you mean turnkit help doctor\?/],
    [["help", "me", "fix", "it"], /Topics are agents, .*, options, exit-codes\. .*: turnkit -p "help me fix it"$/],
    [["sessions", "lst"], 'There is no command "sessions lst". Do you mean list?'],
    [["trace", "shw", "x"], "Unknown command 'shw' (Did you mean show?)"],
    [
      ["-p", "one", "two"],
      "Give the prompt once: with --prompt, or as words. To attach files, use --file, or @path in the prompt.",
    ],
    [["- fix this"], "Unknown option '- fix this'. To send a prompt that begins with -, use --prompt."],
    [["-c", "-s", "4f"], "Give either --continue or the id of a session, not both."],
    [["--session", ""], "The id of the session is empty. turnkit sessions list shows the ids."],
    [["--set", "fast"], '--set needs an option and a value, as in --set thinking=high, not "fast".'],
    [["--set", "=high"], /^--set needs an option and a value/],
    [["sessions", "list", "--all", "--cwd", "x"], "Give either --all or --cwd, not both."],
    [["sessions", "show"], "Missing required argument 'id'."],
    [["trace", "show", "a", "b"], "Too many arguments for 'show'. Expected 1 argument but got 2."],
  ])("defect P7: %j is refused", (argv, message) => {
    const refusal = () => parseInvocation(argv);
    expect(refusal).toThrow(typeof message === "string" ? new UsageError(message) : message);
    expect(refusal).toThrow(UsageError);
  });

  it.each([
    [["--model", "", "hi"], "--model is empty. Give it a value, or leave it out."],
    [["--token-file", " ", "hi"], "--token-file is empty. Give it a value, or leave it out."],
    [["--file", "a", "--file="], "--file is empty. Give it a value, or leave it out."],
    [["--agent=", "sessions", "list"], "--agent is empty. Give it a value, or leave it out."],
    [["permissions", "--cwd="], "--cwd is empty. Give it a value, or leave it out."],
  ])("defect P62: %j is refused, and chooses nothing else", (argv, message) => {
    expect(() => parseInvocation(argv)).toThrow(new UsageError(message));
  });

  it.each<[string[], string | RegExp]>([
    [["permissions", "nope"], 'There is no command "permissions nope". Commands are list, revoke, clear.'],
    [["mcp", "lst"], 'There is no command "mcp lst". Do you mean list?'],
    [
      ["version"],
      'There is no command "version". Do you mean turnkit --version? To send these words as a prompt: turnkit -p "version"',
    ],
    [["verison"], /Do you mean turnkit --version\?/],
    [["continue"], /Do you mean turnkit --continue\?/],
    [["login", "anthropic"], /Do you mean turnkit-agent login anthropic\?/],
    [["models"], /Do you mean turnkit-agent models\?/],
  ])("defect P63: %j is refused, since it is no prompt", (argv, message) => {
    expect(() => parseInvocation(argv)).toThrow(message);
  });
});

describe("defect P15: help", () => {
  const printed = (...argv: string[]) => (parseInvocation(argv) as Extract<Invocation, { kind: "print" }>).text;
  const commands = ["agents", "doctor", "sessions", "trace"];
  const groups = ["list", "show", "delete", "resume"].map((name) => ["sessions", name]);
  const pages = [
    ...[[], ["options"], ["exit-codes"], ...commands.map((name) => [name])],
    ...[...groups, ["trace", "show"], ["trace", "replay"]],
  ];

  it.each(pages.map((topic) => [topic.join(" "), topic] as const))("on %j fits a terminal of 80×24", (_, topic) => {
    const lines = printed("help", ...topic)
      .trimEnd()
      .split("\n");
    expect(lines.length).toBeLessThanOrEqual(23);
    for (const line of lines) expect(line.length, line).toBeLessThan(80);
    if (topic[0] === "options" || topic[0] === "exit-codes") return;
    expect(printed(...topic, "--help")).toBe(printed("help", ...topic));
    expect(lines).toContain("Examples:");
    expect(lines.slice(lines.indexOf("Examples:")).length).toBeGreaterThan(1);
  });

  it("has examples that can be parsed", () => {
    const examples = pages.flatMap(
      (topic) => printed("help", ...topic).match(/^ {2}(?:git diff \| )?turnkit .*$/gm) ?? [],
    );
    expect(examples.length).toBeGreaterThan(10);
    for (const example of examples) {
      const words = [...example.replace(/^.*?turnkit |> .*/g, "").matchAll(/"([^"]*)"|(\S+)/g)];
      parseInvocation(words.map(([, quoted, plain]) => quoted ?? plain ?? ""));
    }
  });

  it("names every exit code, command and option", () => {
    expect(
      printed("help", "exit-codes")
        .match(/^ +\d+/gm)
        ?.map(Number),
    ).toEqual(Object.values(exitCode));
    for (const command of commands) expect(printed("--help")).toContain(command);
    for (const option of ["--set", "--mode", "--read-only", "--protocol", "--prompt"]) {
      expect(printed("help", "options")).toContain(`${option} `);
    }
  });
});

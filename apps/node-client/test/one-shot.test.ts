import { statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder, type Surroundings, scriptedAgent, turnkit } from "./turnkit.js";

const run = (scene: string, args: readonly string[], options: Surroundings = {}) =>
  turnkit([...args, "--", ...scriptedAgent(scene)], { stdin: "Go", ...options });

const lines = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Control characters that must not reach a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not come out
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e\u200b]/;

describe("--output", () => {
  it("json is one document with what came of the run", async () => {
    const { code, stdout, stderr } = await run("talk", ["--output", "json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      ...{ exitCode: 0, stopReason: "end_turn", text: "Hello.\n\nDone.", sessionId: "s-1", protocol: "v1" },
      toolCalls: [
        {
          ...{ toolCallId: "c1", kind: "read", status: "completed", title: "Look" },
          locations: [{ path: "/work/a.ts", line: 3 }],
        },
      ],
      context: { used: 5, size: 10, cost: { amount: 0.5, currency: "EUR" } },
      agent: { name: "scripted", version: "1.2.3" },
    });
  });

  it("ndjson is the session's events in order, and the document at the end", async () => {
    const { code, stdout } = await run("talk", ["--output", "ndjson"]);
    expect(code).toBe(0);
    const events = lines(stdout);
    expect(events.map(({ type }) => type)).toEqual([
      ...["session_opened", "prompt_sent", "turn_started", "user_message", "state_update", "prompt_accepted"],
      "agent_thought_chunk",
      ...["agent_message_chunk", "agent_message_chunk", "tool_call_update", "agent_message_chunk", "usage_update"],
      ...["state_update", "turn_ended", "result"],
    ]);
    expect(events.at(-1)).toMatchObject({ stopReason: "end_turn", text: "Hello.\n\nDone.", sessionId: "s-1" });
  });

  it.each(["json", "ndjson"])("%s says what went wrong, and so does stderr", async (format) => {
    const { code, stdout, stderr } = await turnkit(["-p", "Hi", "--output", format, "--", "no-such-agent"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ exitCode: 1, text: "", error: { code: "spawn" } });
    expect(stderr).toContain("no-such-agent");
  });

  it.each([
    ["text", () => []],
    ["quiet", () => []],
    ["json", (out: string) => [JSON.parse(out)]],
    ["ndjson", lines],
  ])(
    "%s of a hostile agent holds nothing that a terminal would act on, and links are in sight",
    async (format, read) => {
      const { code, stdout } = await run("hostile", ["--output", format]);
      expect(code).toBe(0);
      expect(stdout).not.toMatch(controls);
      expect(stdout).toContain("https://example.org/real");
      // Parsing restores the invisible characters.
      for (const document of read(stdout).slice(-1)) expect(document.text).toContain("\u202e\u009b1A\u200b");
    },
  );
});

describe("--timeout", () => {
  it("gives up, whatever the agent is doing then, and says so, also by its code", async () => {
    const { code, stdout, stderr } = await run("slow", ["--timeout", "2s", "--output", "json"]);
    expect({ code, stderr }).toEqual({ code: 124, stderr: "turnkit: --timeout was over before the agent was done.\n" });
    expect(JSON.parse(stdout)).toMatchObject({ exitCode: 124 });
  });

  it("ends an agent that heeds no cancel, by a second Ctrl-C as by its own patience", async () => {
    let cancelled = false;
    const { code, stdout } = await run("stubborn", ["--timeout", "2s", "--output", "text"], {
      onOutput(printed, kill) {
        if (!cancelled && printed.includes("Cancelling the turn")) {
          cancelled = true;
          kill("SIGINT");
        }
      },
    });
    expect(code).toBe(124);
    expect(stdout).toContain("--timeout was over before the agent was done.");
  });
});

describe("--permissions", () => {
  const policy = {
    default: "deny",
    rules: [
      { decision: "allow", kind: "execute", command: ["git", "status"] },
      { decision: "deny", place: "outside" },
      { decision: "ask", command: ["git", "..."] },
    ],
  };

  it("a policy file decides by what is run and where; what it leaves to a person is cancelled without one", async () => {
    const cwd = createFolder();
    writeFileSync(join(cwd, "policy.json"), JSON.stringify(policy));
    const { code, stdout } = await run("ask", ["--permissions", "policy.json", "--output", "text"], { cwd });
    expect(code).toBe(6);
    const answers = stdout.split("\n").filter((line) => line.startsWith("→"));
    expect(answers).toEqual(["→ Allow  [allow once]", "→ no option chosen (cancelled)", "→ Reject  [reject once]"]);
  });

  it("a policy file that makes no sense is refused before anything is started", async () => {
    const cwd = createFolder();
    writeFileSync(join(cwd, "policy.json"), '{"rules":[{"decision":"maybe"}]}');
    const { code, stdout, stderr } = await run("ask", ["--permissions", "policy.json"], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain('policy.json: rules.0.decision must be "allow", "deny" or "ask".');
  });
});

it("--mcp hands the servers of several files to the agent, with variables filled in", async () => {
  const cwd = createFolder();
  const files = { command: "/bin/sh", args: ["--root", "/work"], env: { KEY: ["$", "{MCP_KEY}"].join("") } };
  writeFileSync(join(cwd, "a.json"), JSON.stringify({ mcpServers: { files } }));
  writeFileSync(
    join(cwd, "b.json"),
    JSON.stringify({ name: "web", type: "http", url: "https://example.org/mcp", headers: { "X-Key": "k" } }),
  );
  const args = ["--mcp", "a.json", "--mcp", "b.json", "--output", "json"];
  const { code, stdout, stderr } = await run("servers", args, { cwd, env: { MCP_KEY: "from-env" } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout).text).toBe("Got them.");
  const unset = await run("servers", args, { cwd });
  expect(unset).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("the environment variable MCP_KEY is not set"),
  });
});

it("--trace writes the wire down for its owner only, without the secrets of the environment", async () => {
  const cwd = createFolder();
  const stdin = "Use hunter2hunter2 and say nothing.";
  const env = { SOME_API_KEY: "hunter2hunter2" };
  await run("talk", ["--trace", "wire.jsonl"], { cwd, stdin, env });
  const path = join(cwd, "wire.jsonl");
  const log = await readFile(path, "utf8");
  expect(log).toContain('"method":"session/prompt"');
  expect(log).toContain("Use [redacted] and say nothing.");
  expect(log).not.toContain("hunter2");
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("an agent that wants a login which nobody can do here ends it with code 4", async () => {
  const { code, stderr } = await run("login", []);
  expect(code).toBe(4);
  expect(stderr).toContain("It offers: Browser.");
});

describe("without an agent", () => {
  it("turnkit-agent is started when it is there", async () => {
    const bin = createFolder();
    const [node, ...rest] = scriptedAgent("talk");
    const script = `#!/bin/sh\nexec "${node}" ${rest.map((word) => `"${word}"`).join(" ")}\n`;
    writeFileSync(join(bin, "turnkit-agent"), script, { mode: 0o755 });
    const { code, stdout } = await turnkit(["-p", "Hi", "--output", "json"], {
      env: { PATH: `${bin}:${process.env.PATH}` },
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).text).toBe("Hello.\n\nDone.");
  });

  it("it says what can be done when there is none", async () => {
    const { code, stderr } = await turnkit(["-p", "Hi"], { env: { PATH: "/nowhere" } });
    expect(code).toBe(2);
    const lines = stderr.trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(
      /^turnkit: There is no agent to start: turnkit-agent is neither in PATH nor beside turnkit/,
    );
    expect(lines[1]).toMatch(/turnkit setup\./);
    expect(lines[2]).toMatch(/--agent opencode/);
  });
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder, type Surroundings, scriptedAgent, turnkit } from "./turnkit.js";

const run = (scene: string, args: readonly string[], options: Surroundings = {}) =>
  turnkit([...args, "--", ...scriptedAgent(scene)], options);

describe('defect P7: turnkit "prompt"', () => {
  it("prints the answer alone, without thoughts, tools and states", async () => {
    expect(await run("talk", ["Say hello"])).toEqual({ code: 0, stdout: "Hello.\n\nDone.\n", stderr: "" });
  });

  it.each<[string, string[], Surroundings, string]>([
    ["one argument", ["fix the bug"], {}, "<fix the bug>\n"],
    ["several words", ["fix", "the", "bug"], {}, "<fix the bug>\n"],
    ["and standard input", ["Explain"], { stdin: "a diff @no/file.ts\n" }, "<Explain\n\na diff @no/file.ts>\n"],
    ["--prompt and standard input", ["-p", "Explain"], { stdin: "a diff" }, "<Explain\n\na diff>\n"],
    ["standard input alone", [], { stdin: "Explain" }, "<Explain>\n"],
    ["an escaped mention", ["Why \\@no/file.ts?"], {}, "<Why @no/file.ts?>\n"],
  ])("sends %s", async (_, args, surroundings, stdout) => {
    expect(await run("echo", args, surroundings)).toEqual({ code: 0, stdout, stderr: "" });
  });

  it("--output text still prints everything in a pipe", async () => {
    const { stdout } = await run("talk", ["Say hello", "--output", "text"]);
    expect(stdout).toContain("thinking: Hm.");
    expect(stdout).toContain("■ Stop reason: end_turn");
  });

  it.each([
    [["sesions"], 'There is no command "sesions". Do you mean turnkit sessions?'],
    [["Fix @src/no.ts"], "There is no file src/no.ts for @src/no.ts."],
    [["Fix it", "--file", "no.ts"], "There is no file "],
    [["--set", "x", "Fix it"], "--set needs an option and a value"],
  ])("%j is refused before an agent is started", async (args, message) => {
    const { code, stdout, stderr } = await turnkit([...args, "--", "/no/agent"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
});

describe("defect P5: pictures by path", () => {
  const folder = () => {
    const cwd = createFolder();
    writeFileSync(join(cwd, "shot"), Buffer.from("\x89PNG\r\n\x1a\n...", "latin1"));
    writeFileSync(join(cwd, "a.wav"), "RIFF....WAVE");
    writeFileSync(join(cwd, "note.txt"), "a note");
    return cwd;
  };

  it("reach the agent as blocks of their type", async () => {
    const ended = await run("pictures", ["Compare @shot @note.txt and @a.wav."], { cwd: folder() });
    expect(ended).toEqual({ code: 0, stdout: "Got all.\n", stderr: "" });
  });

  it("reach an agent without pictures as links, and the user gets a note", async () => {
    const { code, stdout, stderr } = await run("links", ["Look", "-f", "shot", "--file", "note.txt"], {
      cwd: folder(),
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Got links.\n" });
    expect(stderr).toBe("turnkit: scripted accepts no pictures: it gets a link to shot.\n");
  });
});

describe("defect P7: --model, --mode and --set", () => {
  it("are set before the prompt", async () => {
    const args = ["--set", "fast=on", "--mode", "plan", "-m", "large", "Go"];
    expect(await run("settings", args)).toEqual({ code: 0, stdout: "All set.\n", stderr: "" });
  });

  it("are refused with what the agent offers", async () => {
    const model = await run("settings", ["-m", "huge", "Go"]);
    expect({ code: model.code, stdout: model.stdout }).toEqual({ code: 2, stdout: "" });
    expect(model.stderr).toBe(
      'turnkit: --model: scripted does not offer "huge" for model. It offers: small, large-4 (Large).\n',
    );
    const option = await run("settings", ["--set", "speed=9", "Go"]);
    expect(option.stderr).toContain('scripted offers no option "speed". Its options: llm (Model), mode, fast.');
  });
});

it("defect P7: an option that is not offered leaves no new session behind", async () => {
  const cwd = createFolder();
  const { code } = await run("settings and delete", ["-m", "huge", "--trace", "wire.jsonl", "Go"], { cwd });
  expect(code).toBe(2);
  expect(readFileSync(join(cwd, "wire.jsonl"), "utf8")).toMatch(
    /"method":"session\/delete","params":\{"sessionId":"s-1"/,
  );
});

describe("defect P7: denied permissions", () => {
  it.each([
    ["deny", ["--permissions", "deny"], 6, "turnkit: Denied: Build\nturnkit: Denied: Push\n"],
    ["allow", ["--permissions", "allow"], 0, ""],
  ])("with --permissions %s", async (_, args, code, stderr) => {
    expect(await run("two questions", [...args, "Go"])).toEqual({ code, stdout: "Asked.\n", stderr });
  });

  it("a question that nobody can answer counts as denied, and the document has the numbers", async () => {
    const { code, stdout, stderr } = await run("two questions", ["--output", "json", "Go"]);
    expect(code).toBe(6);
    expect(JSON.parse(stdout)).toMatchObject({ exitCode: 6, permissions: { allowed: 0, denied: 2 } });
    expect(stderr).toContain("See --permissions.");
  });
});

it("defect P14: output of terminals is text in the lines of ndjson", async () => {
  const { stdout } = await run("own terminal", ["--output", "ndjson", "Go"]);
  expect(stdout).toContain('{"type":"terminal_output_chunk","terminalId":"t","text":"zwölf\\n"}\n');
});

it("defect P2: the advice of an agent without a key is shown, and no empty list of logins", async () => {
  const { code, stdout, stderr } = await run("keyless", ["Go"]);
  expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
  expect(stderr).toContain("Set SOME_API_KEY.");
  expect(stderr).not.toContain("It offers");
});

it("defect P14: trace alone prints its help", async () => {
  const { code, stdout, stderr } = await turnkit(["trace"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("turnkit trace show wire.jsonl");
});

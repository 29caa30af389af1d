import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { unconfigured } from "../test/environment.js";
import { agentProgram } from "../test/stdio-client.js";

const runIn = (env: Record<string, string>, ...args: string[]) =>
  promisify(execFile)(process.execPath, [agentProgram, ...args], { env: { ...unconfigured(), ...env } });
const run = (...args: string[]) => runIn({}, ...args);

describe("turnkit-agent on the command line", () => {
  it.each(["--help", "-h", "help"])("%s explains itself", async (flag) => {
    expect((await run(flag)).stdout).toContain("Usage: turnkit-agent [options]");
  });

  it.each(["--help", "models"])("%s goes quietly when nobody reads it", async (word) => {
    const child = spawn(process.execPath, [agentProgram, word], {
      env: unconfigured(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect(stderr).not.toContain("EPIPE");
    expect(code).toBe(0);
  });

  it.runIf(process.platform === "linux").each(["--help", "models", "--version"])(
    "defect P66: %s says once why its output is lost",
    async (word) => {
      const full = await open("/dev/full", "w");
      const stdio = ["ignore", full.fd, "pipe"] as const;
      const child = spawn(process.execPath, [agentProgram, word], { env: unconfigured(), stdio: [...stdio] });
      const [stderr, [code]] = await Promise.all([text(child.stderr as Readable), once(child, "close")]);
      await full.close();
      expect(stderr.match(/^turnkit-agent: The output could not be written: .*ENOSPC/gm)).toHaveLength(1);
      expect(code).toBe(1);
    },
  );

  it("--version tells its version", async () => {
    expect((await run("--version")).stdout).toBe(`${manifest.version}\n`);
  });

  it("refuses unknown options on stderr, with status 2", async () => {
    await expect(run("--nonsense")).rejects.toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^turnkit-agent: .*--nonsense/),
    });
  });

  it("lists the models that a client can choose, and marks the one to begin with", async () => {
    const bare = await run("models");
    expect(bare).toMatchObject({ stdout: "* reviewer\n", stderr: expect.stringContaining("`turnkit-agent login`") });
    const { stdout, stderr } = await runIn(
      { GOOGLE_GENERATIVE_AI_API_KEY: "g" },
      "models",
      "--model",
      "google/gemini-x",
    );
    expect(stdout.split("\n")).toEqual(expect.arrayContaining(["* google/gemini-x", "  reviewer"]));
    expect(stdout).not.toContain("* reviewer");
    expect(stderr).toBe("");
  });

  it("defect P58: a relative HOME is noted, and another folder is used", async () => {
    const { stderr } = await runIn({ HOME: "relative" }, "--version");
    expect(stderr).toMatch(/^turnkit-agent: HOME is a relative path, so \/.* is used\.\n$/);
  });

  it("defect P65: says which step a server without a model needs", async () => {
    const { stdout, stderr } = await runIn({ OPENAI_BASE_URL: "http://127.0.0.1:8000/v1" }, "models");
    expect(stdout).toBe("* reviewer\n");
    expect(stderr).toBe("Name a model of the server at `OPENAI_BASE_URL`: `--model openai/NAME`.\n");
  });

  it("says in one line what cannot be used, with status 2", async () => {
    await expect(run("models", "--config", "/nowhere/agent.json")).rejects.toMatchObject({
      code: 2,
      stderr: "turnkit-agent: /nowhere/agent.json cannot be read: it does not exist.\n",
    });
  });
});

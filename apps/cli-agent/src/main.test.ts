import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };

const main = fileURLToPath(new URL("./main.ts", import.meta.url));
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, ["--import", import.meta.resolve("tsx"), main, ...args]);

describe("turnkit-agent on the command line", () => {
  it.each(["--help", "-h"])("%s explains itself", async (flag) => {
    expect((await run(flag)).stdout).toContain("Usage: turnkit-agent [--help | --version]");
  });

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
});

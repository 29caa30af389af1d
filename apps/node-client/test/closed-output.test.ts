import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { createFolder, turnkit, turnkitCommand } from "./turnkit.js";

const NOTE = "turnkit: Standard output is closed or discarded, so nothing of the output is kept.\n";

/** Runs `turnkit agents` with a redirection of the shell. */
async function run(redirection: string, env: Readonly<Record<string, string>> = {}) {
  const words = ["-c", `"$@" ${redirection}`, "sh", ...turnkitCommand, "agents"];
  const child = spawn("sh", words, {
    cwd: createFolder(),
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { stderr, code };
}

it.runIf(process.platform === "linux")(
  "defect P61: a closed output is noted, and /dev/null of a shell is not",
  async () => {
    expect(await run(">&-")).toEqual({ code: 0, stderr: NOTE });
    expect(await run("> /dev/null")).toEqual({ code: 0, stderr: "" });
  },
);

it("defect P58: a relative HOME is noted, and no folder is made in the project", async () => {
  const { code, stderr } = await turnkit(["agents"], { env: { HOME: "relative" } });
  expect(code).toBe(0);
  expect(stderr).toMatch(/^turnkit: HOME is a relative path, so \/.* is used\.\n$/);
});

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { run } from "./client.js";
import { printable } from "./console-person.js";

const agentMain = fileURLToPath(new URL("writing-agent.ts", import.meta.url));

async function tryPrompt(prompt: string, ...answers: string[]) {
  const outside = await realpath(await mkdtemp(join(tmpdir(), "jail-")));
  onTestFinished(() => rm(outside, { recursive: true, force: true }));
  const cwd = join(outside, "project");

  await mkdir(cwd);
  await writeFile(join(cwd, "notes.txt"), "a note");
  const [input, output] = [new PassThrough(), new PassThrough()];
  let text = "";
  let asked = 0;
  output.on("data", (chunk) => {
    text += chunk;
    const questions = text.split("Number: ").length - 1;
    while (asked < questions) input.write(`${answers[asked++] ?? ""}\n`);
  });
  const agent = [process.execPath, "--import", "tsx", "--conditions=@turnkit/source", agentMain] as const;
  const outcome = await run({ agent, cwd, prompt, input, output }).catch((error: unknown) => ({ error }));
  return { text, ...{ stopReason: undefined, error: undefined, ...outcome }, cwd, outside };
}

test("reading inside the folder needs no answer", async () => {
  const { text, stopReason } = await tryPrompt("read notes.txt");
  expect(text).toContain("a note");
  expect(text).toContain("[allow by policy]");
  expect(text).not.toContain("Number:");
  expect(stopReason).toBe("end_turn");
});

test("a write is shown whole and made after the person's answer", async () => {
  const { text, cwd } = await tryPrompt("write new.txt", "1");
  expect(text).toContain(join(cwd, "new.txt"));
  expect(await readFile(join(cwd, "new.txt"), "utf8")).toBe("written");
});

test("an empty answer allows nothing", async () => {
  const { text, cwd } = await tryPrompt("write new.txt", "");
  expect(text).toContain("[cancel by person]");
  await expect(readFile(join(cwd, "new.txt"))).rejects.toThrow("ENOENT");
});

test("no answer of the person opens a file outside of the folder", async () => {
  const { text, outside, error } = await tryPrompt("write ../new.txt", "1");
  expect(text).toContain("failed");
  expect(error).toMatchObject({
    name: "RpcError",
    message: expect.stringContaining("outside of the session's folders"),
  });
  await expect(readFile(join(outside, "new.txt"))).rejects.toThrow("ENOENT");
});

test("control and invisible characters are shown as codes", () => {
  expect(printable("a\u001b[2Jb\u200bc\u202ed\n")).toBe("a\\u{1b}[2Jb\\u{200b}c\\u{202e}d\n");
});

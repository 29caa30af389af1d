import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UsageError } from "../exit-code.js";
import { type PromptSource, readPrompt } from "./read-prompt.js";

let directory = "";
beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "turnkit-prompt-")));
  for (const name of ["a b.ts", "c.ts", "d.ts", ".env"]) await writeFile(join(directory, name), "");
});
afterAll(() => rm(directory, { recursive: true }));

const piped = (text: string) => Readable.from(text === "" ? [] : [text]);
const terminal = () => Object.assign(piped(""), { isTTY: true });

/** Reads a prompt. Returns its text and the names of its files. */
async function read(source: Partial<PromptSource>) {
  const base = { words: [], files: [], here: directory, directory, stdin: terminal(), note() {} };
  const draft = await readPrompt({ ...base, ...source });
  return draft && { text: draft.text, files: draft.attachments.map(({ name }) => name) };
}

describe("defect P7: the prompt of the command line", () => {
  it.each<[string, Partial<PromptSource>, string, string[]]>([
    ["one argument", { words: ["fix the bug"] }, "fix the bug", []],
    ["several words", { words: ["fix", "the", "bug"] }, "fix the bug", []],
    ["--prompt", { prompt: "c.ts" }, "c.ts", []],
    ["mentions", { words: ["Fix @c.ts and @d.ts"] }, "Fix @c.ts and @d.ts", ["c.ts", "d.ts"]],
    ["mentions in --prompt", { prompt: "Fix @c.ts" }, "Fix @c.ts", ["c.ts"]],
    ["--file", { words: ["Fix it"], files: ["c.ts", "a b.ts"] }, "Fix it", ["c.ts", "a b.ts"]],
    ["--file alone", { files: ["a b.ts"] }, 'Review "a b.ts".', ["a b.ts"]],
    [
      "three files alone",
      { files: ["a b.ts", "c.ts", "d.ts"] },
      'Review "a b.ts", c.ts and d.ts.',
      ["a b.ts", "c.ts", "d.ts"],
    ],
    ["mentions alone", { words: ["@c.ts", "@d.ts"] }, "Review c.ts and d.ts.", ["c.ts", "d.ts"]],
    ["a mention of nobody", { words: ["@alice"] }, "@alice", []],
  ])("%s", async (_, source, text, files) => {
    expect(await read(source)).toEqual({ text, files });
  });

  it("--file sends a file that may hold secrets, because the user named it", async () => {
    const base = { words: ["Why?"], here: directory, directory, stdin: terminal(), note() {} };
    const draft = await readPrompt({ ...base, files: [".env"] });
    expect(draft?.attachments).toMatchObject([{ name: ".env", file: join(directory, ".env") }]);
    expect(draft?.attachments[0]?.notice).toBeUndefined();
  });

  it.each<[string, Partial<PromptSource>, RegExp]>([
    ["a missing file", { words: ["Fix it"], files: ["x.ts"] }, /^There is no file .*x\.ts\.$/],
    ["a missing mention", { words: ["Fix @x.ts"] }, /^There is no file x\.ts for @x\.ts\./],
    ["one word that is a file", { words: ["c.ts"] }, /^c\.ts is a file, .*: turnkit @c\.ts\. .*: turnkit -p c\.ts$/],
    ["nothing, at a terminal", {}, /^There is no prompt\./],
    ["empty input", { stdin: piped(" \n") }, /^Standard input is empty\./],
    ["- at a terminal", { words: ["Explain", "-"] }, /is a terminal/],
    ["- and empty input", { words: ["Explain", "-"], stdin: piped("") }, /^Standard input is empty\./],
  ])("%s is refused", async (_, source, message) => {
    const refused = read(source);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(UsageError);
  });
});

describe("defect P7: standard input", () => {
  it.each<[string, Partial<PromptSource>, string]>([
    ["alone is the prompt", {}, "a diff"],
    ["follows the words", { words: ["Explain it"] }, "Explain it\n\na diff"],
    ["follows --prompt", { prompt: "Explain it" }, "Explain it\n\na diff"],
    ["follows files without words", { files: ["c.ts"] }, "a diff"],
    ["is -", { words: ["Explain", "-"] }, "Explain\n\na diff"],
    ["is - after --prompt", { prompt: "Explain", words: ["-"] }, "Explain\n\na diff"],
  ])("%s", async (_, source, text) => {
    expect((await read({ ...source, stdin: piped("a diff\n") }))?.text).toBe(text);
  });

  it("mentions no files, because others may have written it", async () => {
    expect(await read({ words: ["Explain"], stdin: piped("@@ -1 +1 @@ @c.ts @no/file.ts \\@x") })).toEqual({
      ...{ text: "Explain\n\n@@ -1 +1 @@ @c.ts @no/file.ts \\@x", files: [] },
    });
    expect(await read({ stdin: piped("@c.ts") })).toEqual({ text: "@c.ts", files: [] });
  });

  it("may be missing where a session is shown", async () => {
    for (const stdin of [piped(""), terminal()]) expect(await read({ stdin, mayBeEmpty: true })).toBeUndefined();
    expect(await read({ stdin: piped("Go on"), mayBeEmpty: true })).toEqual({ text: "Go on", files: [] });
  });
});

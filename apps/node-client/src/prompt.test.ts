import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { UsageError } from "./exit-code.js";
import { readPrompt } from "./prompt.js";

let directory = "";
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "turnkit-prompt-"));
  for (const name of ["a b.ts", "c.ts", "d.ts"]) await writeFile(join(directory, name), "");
});
afterAll(() => rm(directory, { recursive: true }));

const link = (name: string) => ({ type: "resource_link", uri: pathToFileURL(join(directory, name)).href, name });
const nothing = () => Readable.from([]);

it("makes a link of a file, and a sentence", async () => {
  expect(await readPrompt({ files: ["a b.ts"], directory, stdin: nothing() })).toEqual([
    { type: "text", text: 'Review "a b.ts".' },
    link("a b.ts"),
  ]);
  expect(link("a b.ts").uri).toMatch(/^file:\/\/.*\/a%20b\.ts$/);
});

it("names all files", async () => {
  const [text] = await readPrompt({ files: ["a b.ts", "c.ts", join(directory, "d.ts")], directory, stdin: nothing() });
  expect(text).toEqual({ type: "text", text: 'Review "a b.ts", c.ts and d.ts.' });
});

it("prefers the given text, and keeps the links", async () => {
  expect(await readPrompt({ prompt: "Explain it", files: ["c.ts"], directory, stdin: nothing() })).toEqual([
    { type: "text", text: "Explain it" },
    link("c.ts"),
  ]);
});

it("reads standard input when nothing else is given, with characters cut between chunks", async () => {
  const bytes = Buffer.from("Grüße\n");
  const stdin = Readable.from([bytes.subarray(0, 3), bytes.subarray(3)], { objectMode: false });
  expect(await readPrompt({ files: [], directory, stdin })).toEqual([{ type: "text", text: "Grüße" }]);
});

it("takes - for standard input: what the prompt is about, or the prompt", async () => {
  const piped = () => Readable.from(["a diff\n"]);
  const text = (value: string) => ({ type: "text", text: value });
  expect(await readPrompt({ prompt: "Explain it", files: ["-", "c.ts"], directory, stdin: piped() })).toEqual([
    ...[text("Explain it\n\na diff"), link("c.ts")],
  ]);
  expect(await readPrompt({ files: ["c.ts", "-"], directory, stdin: piped() })).toEqual([text("a diff"), link("c.ts")]);
  const terminal = Object.assign(nothing(), { isTTY: true });
  await expect(readPrompt({ prompt: "x", files: ["-"], directory, stdin: terminal })).rejects.toThrow(/is a terminal/);
});

it("may be empty where that is allowed", async () => {
  const source = { files: [], directory, mayBeEmpty: true };
  expect(await readPrompt({ ...source, stdin: nothing() })).toBeUndefined();
  expect(await readPrompt({ ...source, stdin: Object.assign(nothing(), { isTTY: true }) })).toBeUndefined();
});

it.each([
  ["a missing file", { files: ["x.ts"], stdin: nothing() }, /^There is no file .*x\.ts\.$/],
  ["nothing, at a terminal", { files: [], stdin: Object.assign(nothing(), { isTTY: true }) }, /There is no prompt/],
  ["empty input", { files: [], stdin: Readable.from([" \n"]) }, /Standard input is empty/],
])("refuses %s", async (_, source, message) => {
  const refused = readPrompt({ ...source, directory });
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.toBeInstanceOf(UsageError);
});

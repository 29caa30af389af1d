import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { embedFiles } from "./prompt.js";

let directory = "";
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "turnkit-embed-"));
});
afterAll(() => rm(directory, { recursive: true }));

const words = { type: "text", text: "Look." } as const;
const link = (name: string) =>
  ({ type: "resource_link", uri: pathToFileURL(join(directory, name)).href, name }) as const;

it("files go as resources where the agent takes them (V1-PROMPT-04, V2-CON-05)", async () => {
  await writeFile(join(directory, "a b.ts"), "\ufeffzwölf\r\n");
  const { uri } = link("a b.ts");
  expect(await embedFiles([words, link("a b.ts")])).toEqual([
    words,
    { type: "resource", resource: { uri, text: "\ufeffzwölf\r\n" } },
  ]);
});

it.each([
  ["too large", "a".repeat(256 * 1024 + 1)],
  ["binary", "a\0b"],
  ["not UTF-8", Buffer.from("Zwölf", "latin1")],
])("what is %s stays a link", async (name, content) => {
  await writeFile(join(directory, name), content);
  expect(await embedFiles([link(name)])).toEqual([link(name)]);
});

it("so do folders, what has gone, and what is on no disk", async () => {
  await mkdir(join(directory, "folder"));
  const page = { type: "resource_link", uri: "https://example.org/", name: "page" } as const;
  const blocks = [link("folder"), link("gone"), page];
  expect(await embedFiles(blocks)).toEqual(blocks);
});

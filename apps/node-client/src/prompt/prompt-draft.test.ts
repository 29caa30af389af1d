import { chmod, mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UsageError } from "../exit-code.js";
import { promptBlocks } from "./prompt-blocks.js";
import { readDraft } from "./prompt-draft.js";

const png = Buffer.from("\x89PNG\r\n\x1a\n and more", "latin1");
const wav = Buffer.from("RIFF....WAVEfmt ", "latin1");
const everything = { image: true, audio: true, embeddedContext: true };

let root = "";
let directory = "";
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "turnkit-draft-")));
  directory = join(root, "project");
  await mkdir(join(directory, "src"), { recursive: true });
  for (const name of ["src/server.ts", "a b.ts", "README", "sub.", ".env", "../outside.ts"]) {
    await writeFile(join(directory, name), `content of ${name}`);
  }
  for (const name of ["picture", "../shot.png"]) await writeFile(join(directory, name), png);
  await writeFile(join(directory, "a.wav"), wav);
  await writeFile(join(directory, "fake.png"), "no picture");
  await symlink(join(root, "outside.ts"), join(directory, "link.ts"));
  await symlink(join(directory, "src/server.ts"), join(directory, "inner.ts"));
});
afterAll(() => rm(root, { recursive: true }));

/** Returns the content of a prompt without its text, in a short form, and the sentences for the user. */
async function attached(text: string, capabilities = everything) {
  const notes: string[] = [];
  const reader = { agent: "tester", capabilities, note: (note: string) => void notes.push(note) };
  const [first, ...blocks] = await promptBlocks(await readDraft(text, directory), reader);
  expect(first).toEqual({ type: "text", text: text.replaceAll("\\@", "@") });
  const short = blocks.map((block) => {
    if (block.type === "resource") return `text ${"text" in block.resource ? block.resource.text : "?"}`;
    if (block.type === "image" || block.type === "audio") {
      return `${block.type} ${block.mimeType} ${Buffer.from(block.data, "base64").length}`;
    }
    return block.type === "resource_link" ? `link ${block.uri.slice(pathToFileURL(root).href.length + 1)}` : block.type;
  });
  return { blocks: short, notes };
}

describe("defect P16: files by @path in a prompt", () => {
  it.each<[string, string[]]>([
    ["Fix @src/server.ts.", ["text content of src/server.ts"]],
    ['Fix @"a b.ts" and @README, please', ["text content of a b.ts", "text content of README"]],
    ["Fix @src/server.ts:12 and @./src/server.ts", ["text content of src/server.ts"]],
    ["Look into @src/", ["link project/src"]],
    ["Where the name ends with a dot: @sub.", ["text content of sub."]],
    ["@inner.ts", ["text content of src/server.ts"]],
    ["Ask @alice about @Injectable, @types/node and me@example.org", []],
    ["Write \\@src/server.ts", []],
  ])("%j attaches %j", async (text, blocks) => {
    expect(await attached(text)).toEqual({ blocks, notes: [] });
  });

  it("without embedded resources, files are links", async () => {
    const { blocks } = await attached("@README", { ...everything, embeddedContext: false });
    expect(blocks).toEqual(["link project/README"]);
  });

  it.each([
    ["@src/sevrer.ts", "There is no file src/sevrer.ts for @src/sevrer.ts. Is it server.ts?"],
    ["@./nothing", "There is no file ./nothing"],
    ["see @nothing.md, please", "There is no file nothing.md for @nothing.md."],
    ["@src/nothing", "There is no file src/nothing"],
    ['@"no file"', "There is no file no file"],
    ["@~/no-such-file-of-turnkit", "There is no file ~/no-such-file-of-turnkit"],
  ])("%s is an error before anything is sent", async (text, message) => {
    const refused = readDraft(text, directory);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toThrow(`To send these characters as text: \\${/@\S*[^,\s]|@".*"/.exec(text)?.[0]}`);
    await expect(refused).rejects.toBeInstanceOf(UsageError);
  });

  it("defect P40: a file that a person names outside of the directory is sent as text, and the person reads this", async () => {
    const path = join(root, "outside.ts");
    expect(await attached("@../outside.ts")).toEqual({
      blocks: ["text content of ../outside.ts"],
      notes: [`${path} is outside of ${directory}. The agent gets its text.`],
    });
    await writeFile(join(root, "large.txt"), "x".repeat(300 * 1024));
    for (const capabilities of [everything, { ...everything, embeddedContext: false }]) {
      expect(await attached("@../large.txt", capabilities)).toEqual({
        blocks: ["link large.txt"],
        notes: [`${join(root, "large.txt")} is outside of ${directory}. The agent gets only a link to it.`],
      });
    }
    await writeFile(join(root, ".env"), "TOKEN=1");
    expect((await attached("@../.env")).blocks).toEqual(["link .env"]);
  });

  it("defect S96: a link outside of the directory that leads elsewhere is sent as a link", async () => {
    await mkdir(join(root, "other/inner"), { recursive: true });
    await mkdir(join(root, "private"));
    await writeFile(join(root, "private/diary.txt"), "dear diary");
    await writeFile(join(root, "other/plain.txt"), "plain");
    await symlink(join(root, "private/diary.txt"), join(root, "other/notes.txt"));
    await symlink(join(root, "private"), join(root, "other/inner/docs"));
    for (const path of ["other/notes.txt", "other/inner/docs/diary.txt"]) {
      expect(await attached(`@../${path}`)).toEqual({
        blocks: [`link ${path}`],
        notes: [
          `${join(root, path)} leads to ${join(root, "private/diary.txt")}, so the agent gets only a link to it.`,
        ],
      });
    }
    expect((await attached("@../other/plain.txt")).blocks).toEqual(["text plain"]);
    // The directory may have a name with a link, too.
    await symlink(root, join(root, "alias"));
    const draft = await readDraft("@../other/plain.txt", join(root, "alias/project"));
    expect(draft.attachments).toMatchObject([{ file: join(root, "other/plain.txt") }]);
  });

  it("defect S97: a file that a link has replaced since it was found is sent as a link", async () => {
    await writeFile(join(directory, "late.txt"), "harmless");
    const draft = await readDraft("@late.txt", directory);
    await rm(join(directory, "late.txt"));
    await symlink(".env", join(directory, "late.txt"));
    const reader = { agent: "tester", capabilities: everything, note: () => undefined };
    expect((await promptBlocks(draft, reader))[1]).toMatchObject({ type: "resource_link", name: "late.txt" });
  });

  it.each([
    ["@link.ts", "link project/link.ts", "leads outside of"],
    ["@.env", "link project/.env", "may hold secrets"],
  ])("the content of %s is not sent, whoever wrote the text", async (text, link, reason) => {
    const { blocks, notes } = await attached(text);
    expect(blocks).toEqual([link]);
    expect(notes).toEqual([expect.stringContaining(reason)]);
  });

  it("has a bound for files and for their text", async () => {
    await mkdir(join(directory, "many"));
    const names = Array.from({ length: 51 }, (_, index) => `many/f${index}.txt`);
    for (const name of names) await writeFile(join(directory, name), "x".repeat(200 * 1024));
    const text = (count: number) =>
      names
        .slice(0, count)
        .map((name) => `@${name}`)
        .join(" ");
    await expect(readDraft(text(51), directory)).rejects.toThrow("The prompt has 51 files. The limit is 50.");
    const { blocks } = await attached(text(50));
    expect(blocks.filter((block) => block.startsWith("text"))).toHaveLength(5);
  });

  it("a file that cannot be read is an error", async () => {
    await writeFile(join(directory, "closed.ts"), "");
    await chmod(join(directory, "closed.ts"), 0);
    if (process.getuid?.() !== 0) await expect(readDraft("@closed.ts", directory)).rejects.toThrow("cannot be read");
    await expect(readDraft("@/dev/zero", directory)).rejects.toThrow("not a regular file");
  });
});

describe("defect P5: pictures and audio by path", () => {
  it.each<[string, string[]]>([
    ["What is @picture", [`image image/png ${png.length}`]],
    ["And @../shot.png?", [`image image/png ${png.length}`]],
    ["@a.wav", [`audio audio/wav ${wav.length}`]],
    ["@fake.png", ["text no picture"]],
  ])("%j sends %j, by content and not by name", async (text, blocks) => {
    expect(await attached(text)).toEqual({ blocks, notes: [] });
  });

  it("an agent without pictures gets a link, and the user a note", async () => {
    const { blocks, notes } = await attached("@picture @a.wav", { ...everything, image: false, audio: false });
    expect(blocks).toEqual(["link project/picture", "link project/a.wav"]);
    expect(notes).toEqual([
      "tester accepts no pictures: it gets a link to picture.",
      "tester accepts no audio: it gets a link to a.wav.",
    ]);
  });

  it("large pictures are refused before anything is sent", async () => {
    for (const name of ["b.png", "c.png", "d.png"]) {
      await writeFile(join(directory, name), png);
      await truncate(join(directory, name), 9 * 1024 * 1024);
    }
    await expect(readDraft("@b.png @c.png @d.png", directory)).rejects.toThrow("have 27 MiB. The limit is 20 MiB.");
    await truncate(join(directory, "d.png"), 10.5 * 1024 * 1024);
    await expect(readDraft("@d.png", directory)).rejects.toThrow("has 10.5 MiB. The limit of a picture");
  });

  it("a file that a link has replaced since then is not sent", async () => {
    await writeFile(join(directory, "soon.ts"), "mine");
    const draft = await readDraft("@soon.ts", directory);
    await rm(join(directory, "soon.ts"));
    await symlink(join(root, "outside.ts"), join(directory, "soon.ts"));
    const reader = { agent: "tester", capabilities: everything, note() {} };
    const [, block] = await promptBlocks(draft, reader);
    expect(block?.type).toBe("resource_link");
  });
});

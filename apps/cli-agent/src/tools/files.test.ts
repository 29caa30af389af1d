import { writeFileSync } from "node:fs";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFolder, createToolContext } from "../../test/tool-context.js";
import { editFileTool, writeFileTool } from "./edit-files.js";
import { globTool, listDirectoryTool } from "./list-files.js";
import { readFileTool } from "./read-file.js";

/** Creates a small project, and beside it a folder that no tool may show. */
async function project() {
  const session = await createToolContext();
  const outside = await createFolder();
  await writeFile(join(outside, "secret.ts"), "secret");
  const files = {
    ".gitignore": "dist/\n*.log\n/only-here\n",
    "readme.md": "# Title",
    "src/cart.ts": "one\ntwo\nthree\n",
    "src/deep/cart.test.ts": "test",
    ".github/ci.yml": "on: push",
    "dist/cart.js": "built",
    "src/debug.log": "log",
    "only-here": "x",
    "src/only-here": "y",
    "node_modules/dep/index.ts": "dependency",
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(session.cwd, name, ".."), { recursive: true });
    await writeFile(join(session.cwd, name), text);
  }
  await symlink(outside, join(session.cwd, "link"));
  return { ...session, outside };
}

describe("read_file", () => {
  it("gives the whole text, or the lines that were asked for", async () => {
    const { turn, textOf } = await project();
    expect(await textOf(readFileTool, { path: "src/cart.ts" })).toBe("1\tone\n2\ttwo\n3\tthree\n");
    expect(await textOf(readFileTool, { path: "src/cart.ts", line: 2, limit: 1 })).toBe("2\ttwo\n");
    expect(turn.calls.map(({ title }) => title)).toEqual(["Read src/cart.ts", "Read src/cart.ts, lines 2 to 2"]);
    expect(turn.calls[1]).toMatchObject({ kind: "read", status: "completed", locations: [{ line: 2 }] });
  });

  it("reads a part of a file that is too large as a whole", async () => {
    const { cwd, use, textOf } = await project();
    await writeFile(join(cwd, "big.txt"), "a line of thirty characters..\n".repeat(50_000));
    await expect(use(readFileTool, { path: "big.txt" })).rejects.toMatchObject({ code: "too_large" });
    expect(await textOf(readFileTool, { path: "big.txt", line: 49_999 })).toBe(
      "49999\ta line of thirty characters..\n50000\ta line of thirty characters..\n",
    );
    await expect(use(readFileTool, { path: "big.txt", limit: 40_000 })).rejects.toMatchObject({ code: "too_large" });
  });

  it("gives the beginning of a long file unless all of it is wanted", async () => {
    const { cwd, textOf } = await project();
    const long = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`).join("\n");
    await writeFile(join(cwd, "long.txt"), long);
    const text = await textOf(readFileTool, { path: "long.txt" });
    expect(text).toMatch(/\n2000\tline 2000\n\[lines 1 to 2000 of 5000; read on with line 2001\]$/);
    expect(await textOf(readFileTool, { path: "long.txt", whole: true, numbers: false })).toBe(long);
    await writeFile(join(cwd, "wide.txt"), "x".repeat(300_000));
    expect((await textOf(readFileTool, { path: "wide.txt" })).length).toBeLessThan(100_100);
  });

  it("defect P13: numbers the lines unless the model wants none, and only those that exist", async () => {
    const { cwd, textOf } = await project();
    for (const [text, expected] of [
      ["", ""],
      ["\n", "1\t\n"],
      ["a", "1\ta"],
      ["a\r\n\r\nb\r\n", "1\ta\r\n2\t\r\n3\tb\r\n"],
    ] as const) {
      await writeFile(join(cwd, "some.txt"), text);
      expect(await textOf(readFileTool, { path: "some.txt" })).toBe(expected);
      expect(await textOf(readFileTool, { path: "some.txt", numbers: false })).toBe(text);
    }
  });

  const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(100, 7)]);

  it.each([
    ["a.png", png, "image/png"],
    ["a.JPG", Buffer.from("ffd8ffe000104a464946", "hex"), "image/jpeg"],
    ["a.gif", Buffer.from("GIF89a.."), "image/gif"],
    ["a.webp", Buffer.from("RIFF\u0000\u0000\u0000\u0000WEBPVP8 "), "image/webp"],
    ["wrong-name.jpeg", png, "image/png"],
  ])("defect P5: shows a picture to a model that can see: %s", async (name, bytes, mimeType) => {
    const { cwd, turn, use } = await createToolContext();
    await writeFile(join(cwd, name), bytes);
    const data = bytes.toString("base64");
    expect(await use(readFileTool, { path: name })).toMatchObject({ type: "picture", mimeType, data });
    expect(turn.calls[0]?.content).toEqual([{ type: "content", content: { type: "image", mimeType, data } }]);
  });

  it("defect P5: says of a picture that the model cannot see it, that it is too large, or that it is none", async () => {
    const blind = await createToolContext({ takesPictures: false });
    await writeFile(join(blind.cwd, "a.png"), png);
    await expect(blind.use(readFileTool, { path: "a.png" })).rejects.toMatchObject({
      code: "unsupported",
      message: "`a.png` is a picture, and this model takes only text.",
    });
    const { cwd, use, textOf, outside } = await project();
    await writeFile(join(cwd, "big.png"), Buffer.concat([png, Buffer.alloc(4_000_000)]));
    await expect(use(readFileTool, { path: "big.png" })).rejects.toMatchObject({ code: "too_large" });
    await writeFile(join(cwd, "text.png"), "no picture");
    expect(await textOf(readFileTool, { path: "text.png" })).toBe("1\tno picture");
    await writeFile(join(outside, "theirs.png"), png);
    await expect(use(readFileTool, { path: "link/theirs.png" })).rejects.toMatchObject({ code: "outside" });
    await expect(use(readFileTool, { path: "missing.png" })).rejects.toMatchObject({ code: "not_found" });
  });

  it("defect P5: a picture that the client does not get still reaches the model", async () => {
    const { cwd, turn, use } = await createToolContext();
    await writeFile(join(cwd, "large.png"), Buffer.concat([png, Buffer.alloc(1_000_000)]));
    expect(await use(readFileTool, { path: "large.png" })).toMatchObject({ type: "picture" });
    expect(turn.calls[0]?.content ?? []).toEqual([]);
  });

  it("asks the client for the part where it offers files", async () => {
    const asked: unknown[] = [];
    const read = async (path: string, range?: object) => {
      asked.push(path, range);
      return "from the editor";
    };
    const { cwd, textOf } = await createToolContext({ client: { read } });
    expect(await textOf(readFileTool, { path: "a.ts", line: 3 })).toBe("3\tfrom the editor");
    expect(asked).toEqual([join(cwd, "a.ts"), { line: 3 }]);
  });

  it.each([{ line: 0 }, { limit: 1.5 }, { line: "2" }])("refuses what is no part: %o", async (range) => {
    const { use } = await project();
    await expect(use(readFileTool, { path: "readme.md", ...range })).rejects.toMatchObject({ code: "invalid_input" });
  });
});

describe("write_file", () => {
  it("makes a file and its folders, as a diff that adds it", async () => {
    const { cwd, turn, use } = await project();
    expect(await use(writeFileTool, { path: "new/a.ts", text: "hello\n" })).toMatchObject({ value: { written: true } });
    expect(await readFile(join(cwd, "new/a.ts"), "utf8")).toBe("hello\n");
    expect(turn.calls[0]).toMatchObject({
      title: "Write new/a.ts",
      kind: "edit",
      status: "completed",
      content: [{ type: "diff", changes: [{ operation: "add", path: join(cwd, "new/a.ts"), newText: "hello\n" }] }],
    });
    expect(turn.questions).toHaveLength(1);
  });

  it("replaces a file, as a diff from what was there", async () => {
    const { turn, use } = await project();
    await use(writeFileTool, { path: "readme.md", text: "# New" });
    expect(turn.calls[0]?.content).toMatchObject([
      { changes: [{ operation: "modify", oldText: "# Title", newText: "# New" }] },
    ]);
  });

  it("writes nothing when the file appeared while the user was asked", async () => {
    const { cwd, turn, use } = await project();
    turn.answer = () => {
      // The file appears while the question is open.
      writeFileSync(join(cwd, "new.ts"), "theirs");
      return "allow_once";
    };
    await expect(use(writeFileTool, { path: "new.ts", text: "mine" })).rejects.toMatchObject({ code: "stale" });
    expect(await readFile(join(cwd, "new.ts"), "utf8")).toBe("theirs");
  });

  it("leaves the file alone when the user says no, and in review mode", async () => {
    const { cwd, turn, state, use } = await project();
    turn.answer = () => "reject_once";
    await expect(use(writeFileTool, { path: "readme.md", text: "x" })).rejects.toMatchObject({ code: "denied" });
    state.mode = "review";
    expect(await use(writeFileTool, { path: "readme.md", text: "x" })).toMatchObject({ value: { written: false } });
    expect(await readFile(join(cwd, "readme.md"), "utf8")).toBe("# Title");
  });

  it("is not asked about, like any edit, where edits are accepted", async () => {
    const { turn, state, use } = await project();
    state.mode = "accept-edits";
    await use(writeFileTool, { path: "readme.md", text: "a b" });
    await use(editFileTool, { path: "readme.md", edits: [{ oldText: "b", newText: "c" }] });
    expect(turn.questions).toEqual([]);
  });

  it("asks nobody about a change that changes nothing", async () => {
    const { use, turn } = await project();
    for (const [tool, input] of [
      [editFileTool, { path: "readme.md", edits: [] }],
      [editFileTool, { path: "readme.md", edits: [{ oldText: "Title", newText: "Title" }] }],
      [writeFileTool, { path: "readme.md", text: "# Title" }],
    ] as const) {
      await expect(use(tool, input)).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining("has this content already"),
      });
    }
    expect(turn.questions).toEqual([]);
  });

  it("stays inside the session's folders, in every mode", async () => {
    const { state, use, outside } = await project();
    state.mode = "auto";
    for (const path of ["../x.ts", join(outside, "secret.ts"), "link/secret.ts"]) {
      await expect(use(writeFileTool, { path, text: "x" })).rejects.toMatchObject({ code: "outside" });
    }
    expect(await readFile(join(outside, "secret.ts"), "utf8")).toBe("secret");
  });
});

describe("list_directory", () => {
  it("tells files, folders and links of one folder apart", async () => {
    const { textOf } = await project();
    expect(await textOf(listDirectoryTool, {})).toBe(
      ".github/\n.gitignore\ndist/\nlink@\nnode_modules/\nonly-here\nreadme.md\nsrc/",
    );
    expect(await textOf(listDirectoryTool, { path: "src/deep" })).toBe("cart.test.ts");
  });

  it("refuses what is outside, no folder or not there", async () => {
    const { use, outside } = await project();
    for (const [path, code] of [
      ["..", "outside"],
      [outside, "outside"],
      ["link", "outside"],
      ["readme.md", "not_found"],
      ["nothing", "not_found"],
    ]) {
      await expect(use(listDirectoryTool, { path })).rejects.toMatchObject({ code });
    }
  });

  it("says that a client's own files cannot be listed", async () => {
    const { use } = await createToolContext({ client: { read: async () => "" } });
    const { context } = await createToolContext();
    const elsewhere = (await import("../workspace.js")).createWorkspace({ cwd: "/no/where", roots: ["/no/where"] });
    const open = listDirectoryTool.open({}, { ...context, workspace: elsewhere });
    await expect(open.run()).rejects.toMatchObject({ code: "unsupported" });
    expect(await use(listDirectoryTool, {})).toMatchObject({ value: "The folder is empty." });
  });
});

describe("glob", () => {
  it("finds files by a pattern, without what is ignored or behind a link", async () => {
    const { textOf } = await project();
    expect(await textOf(globTool, { pattern: "**/*" })).toBe(
      [".github/ci.yml", ".gitignore", "readme.md", "src/cart.ts", "src/deep/cart.test.ts", "src/only-here"].join("\n"),
    );
    expect(await textOf(globTool, { pattern: "**/*.test.ts" })).toBe("src/deep/cart.test.ts");
    expect(await textOf(globTool, { pattern: "*.ts", path: "src" })).toBe("src/cart.ts");
    expect(await textOf(globTool, { pattern: "*.py" })).toBe("No file matches.");
  });

  it("looks into an ignored folder that was named", async () => {
    const { textOf } = await project();
    expect(await textOf(globTool, { pattern: "**/*.ts", path: "node_modules/dep" })).toBe("node_modules/dep/index.ts");
    expect(await textOf(globTool, { pattern: "*", path: "dist" })).toBe("dist/cart.js");
    expect(await textOf(globTool, { pattern: "*", path: "src" })).toBe("src/cart.ts\nsrc/only-here");
  });

  it("finds files in the session's other folders", async () => {
    const other = await createFolder();
    await writeFile(join(other, "a.ts"), "");
    const { textOf } = await createToolContext({ roots: [other] });
    expect(await textOf(globTool, { pattern: "*", path: other })).toBe(join(other, "a.ts"));
  });

  it.each(["../**", "a/../../**", "/etc/*", "C:\\*"])("does not leave its folder by %s", async (pattern) => {
    const { use } = await project();
    await expect(use(globTool, { pattern })).rejects.toMatchObject({ code: "invalid_input" });
  });

  it.each(["{..,src}/**", ".{.,x}/**", "@(..)/**", "src/.{.,}/.{.,}/*"])(
    "tells nothing of outside by %s",
    async (pattern) => {
      const { cwd, textOf } = await project();
      await writeFile(join(cwd, "..", `${basename(cwd)}-secret.txt`), "");
      onTestFinished(() => rm(join(cwd, "..", `${basename(cwd)}-secret.txt`)));
      expect(await textOf(globTool, { pattern })).not.toContain("secret");
    },
  );

  it("ignores nothing that a .gitignore takes back", async () => {
    const { cwd, textOf } = await project();
    await writeFile(join(cwd, ".gitignore"), "*.md\n!readme.md\n!node_modules\n");
    await writeFile(join(cwd, "other.md"), "");
    expect(await textOf(globTool, { pattern: "*.md" })).toBe("readme.md");
    expect(await textOf(globTool, { pattern: "**/index.ts" })).toBe("No file matches.");
  });

  it.each([
    ["many rules", Array.from({ length: 20_000 }, (_, index) => `*x${index}*`).join("\n")],
    ["rules that match in many ways", `${"*a".repeat(20)}b\n${"a/**/".repeat(20)}b\n${"?*".repeat(40)}z`],
  ])("does not hang on a .gitignore of %s: it shows too much instead", { timeout: 30_000 }, async (_, rules) => {
    const { cwd, textOf } = await project();
    await writeFile(join(cwd, ".gitignore"), `${rules}\n`);
    await writeFile(join(cwd, `${"a".repeat(200)}bc`), "");
    expect(await textOf(globTool, { pattern: "*.md" })).toBe("readme.md");
    expect(await textOf(globTool, { pattern: "**/index.ts" })).toBe("No file matches.");
  });
});

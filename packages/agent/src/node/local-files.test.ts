import { mkdtemp, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createLocalFiles, MAX_LOCAL_READ_BYTES } from "./local-files.js";

let root: string;
let outside: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "local-files-")));
  outside = await realpath(await mkdtemp(join(tmpdir(), "outside-")));
});

describe("createLocalFiles", () => {
  test("reads all, or a part by lines", async () => {
    const path = join(root, "a.txt");
    await writeFile(path, "one\ntwo\r\nthree");
    const files = createLocalFiles([root]);
    expect(await files.read(path)).toBe("one\ntwo\r\nthree");
    expect(await files.read(path, { line: 2 })).toBe("two\r\nthree");
    expect(await files.read(path, { line: 2, limit: 1 })).toBe("two\r\n");
    expect(await files.read(path, { line: 9 })).toBe("");
    expect(await files.read(path, { limit: 0 })).toBe("");
  });

  test("defect N159: a misspelled member of a range is printed, because the whole file is read", async () => {
    const path = join(root, "range.txt");
    await writeFile(path, "one\ntwo");
    const files = createLocalFiles([root]);
    const print = vi.spyOn(console, "error").mockImplementation(() => undefined);
    expect(await files.read(path, { offset: 2 } as never)).toBe("one\ntwo");
    const all = print.mock.calls.join();
    print.mockRestore();
    expect(all).toContain("The option offset of createLocalFiles read range is not used");
    expect(all).toContain("Pass line, the number of the first line.");
    await expect(files.read(path, "utf8" as never)).rejects.toThrow('range got "utf8": pass { line, limit }');
  });

  test("reads a part across chunk borders, and of a file that is too large as a whole", async () => {
    const path = join(root, "long.txt");
    const row = `${"x".repeat(99)}\n`;
    const rows = MAX_LOCAL_READ_BYTES / row.length + 1;
    await writeFile(path, row.repeat(rows));
    const files = createLocalFiles([root]);
    await expect(files.read(path)).rejects.toMatchObject({ code: -32603 });
    expect(await files.read(path, { line: 5_000, limit: 1_000 })).toBe(row.repeat(1_000));
  });

  test("writes, with missing parents", async () => {
    const path = join(root, "deep", "b.txt");
    await createLocalFiles([root]).write(path, "new");
    expect(await readFile(path, "utf8")).toBe("new");
  });

  test("nothing outside of the roots is read or written, not through a link either", async () => {
    const secret = join(outside, "secret");
    await writeFile(secret, "s");
    await symlink(outside, join(root, "link"));
    const files = createLocalFiles([root]);
    for (const path of [secret, join(root, "link", "secret"), join(root, "..", "x"), "relative"]) {
      await expect(files.read(path)).rejects.toMatchObject({ code: -32602 });
      await expect(files.write(path, "x")).rejects.toMatchObject({ code: -32602 });
    }
    expect(await readFile(secret, "utf8")).toBe("s");
    expect(await createLocalFiles([root, outside]).read(secret)).toBe("s");
  });

  test("a missing file is -32002, one that is no text -32603", async () => {
    const files = createLocalFiles([root]);
    await expect(files.read(join(root, "none"))).rejects.toMatchObject({ code: -32002 });
    await writeFile(join(root, "binary"), Buffer.from([0xff, 0xfe]));
    await expect(files.read(join(root, "binary"))).rejects.toMatchObject({ code: -32603 });
    await writeFile(join(root, "nul"), "a\0b");
    await expect(files.read(join(root, "nul"))).rejects.toMatchObject({ code: -32603 });
    await expect(files.read(root)).rejects.toMatchObject({ code: -32603 });
  });
});

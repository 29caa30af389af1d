import { execFileSync } from "node:child_process";
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isRpcError, rpcErrorCode } from "../errors.js";
import { openRooted, resolveRooted, resolveRootedFolder } from "./rooted-path.js";
import { writeRooted } from "./rooted-write.js";

let base: string;
let root: string;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "turnkit-")));
  root = join(base, "root");
  await mkdir(join(root, "sub"), { recursive: true });
  await mkdir(join(base, "root-twin"));
  await mkdir(join(base, "outside"));
  await writeFile(join(root, "file"), "inside");
  await writeFile(join(base, "outside/secret"), "secret");
  await writeFile(join(base, "root-twin/secret"), "secret");
});
afterEach(async () => {
  await chmod(join(root, "sub"), 0o755);
  await rm(base, { recursive: true });
});

async function read(path: string, roots = [root]): Promise<string> {
  const handle = await openRooted(path, roots);
  try {
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

const write = (path: string, roots = [root]) => writeRooted(path, roots, "new");

async function codeOf(promise: Promise<unknown>): Promise<number | undefined> {
  const error = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  return isRpcError(error) ? error.code : undefined;
}

/** Root may do everything; this gives all of it to somebody else, and is that user meanwhile. */
async function asOrdinaryUser(work: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return work();
  const nobody = 65_534;
  execFileSync("chown", ["-R", String(nobody), base]);
  process.seteuid?.(nobody);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}

/** Nothing outside has changed or appeared. */
async function expectOutsideUntouched(): Promise<void> {
  expect((await readdir(base)).sort()).toEqual(["outside", "root", "root-twin"]);
  for (const name of ["outside", "root-twin"]) {
    expect(await readdir(join(base, name))).toEqual(["secret"]);
    expect(await readFile(join(base, name, "secret"), "utf8")).toBe("secret");
  }
}

/** Paths that must be refused as outside, each with what has to be set up. */
const escapes: [string, () => string | Promise<string>][] = [
  ["an absolute path elsewhere", () => join(base, "outside/secret")],
  ["dots", () => `${root}/../outside/secret`],
  ["dots behind a folder", () => `${root}/sub/../../outside/secret`],
  ["dots behind a missing folder", () => `${root}/missing/../../outside/secret`],
  ["a name that begins like the root", () => `${root}-twin/secret`],
  ["the root's parent", () => base],
  ["a missing file elsewhere", () => join(base, "outside/missing")],
  [
    "a link to a file",
    async () => {
      await symlink(join(base, "outside/secret"), join(root, "link"));
      return join(root, "link");
    },
  ],
  [
    "a relative link to a file",
    async () => {
      await symlink("../../outside/secret", join(root, "sub/link"));
      return join(root, "sub/link");
    },
  ],
  [
    "a link to a folder",
    async () => {
      await symlink(join(base, "outside"), join(root, "link"));
      return join(root, "link/secret");
    },
  ],
  [
    "a new file behind a link to a folder",
    async () => {
      await symlink(join(base, "outside"), join(root, "link"));
      return join(root, "link/new");
    },
  ],
  [
    "new folders behind a link to a folder",
    async () => {
      await symlink(join(base, "outside"), join(root, "link"));
      return join(root, "link/a/b/new");
    },
  ],
  [
    "a dangling link",
    async () => {
      await symlink(join(base, "outside/new"), join(root, "link"));
      return join(root, "link");
    },
  ],
  [
    "a dangling link to a folder",
    async () => {
      await symlink(join(base, "outside/new"), join(root, "link"));
      return join(root, "link/file");
    },
  ],
  [
    "a chain of links",
    async () => {
      await symlink(join(root, "sub/two"), join(root, "one"));
      await symlink("../three", join(root, "sub/two"));
      await symlink("../outside/secret", join(root, "three"));
      return join(root, "one");
    },
  ],
  [
    "a chain of dangling links",
    async () => {
      await symlink("sub/two", join(root, "one"));
      await symlink("../../outside/new", join(root, "sub/two"));
      return join(root, "one");
    },
  ],
];

describe.each([
  ["reading", read],
  ["writing", write],
])("%s refuses", (_, act) => {
  test.each(escapes)("%s", async (_, prepare) => {
    expect(await codeOf(act(await prepare()))).toBe(rpcErrorCode.invalidParams);
    await expectOutsideUntouched();
  });

  test.each([
    ["relative", () => "file"],
    ["relative with dots", () => "./file"],
    ["empty", () => ""],
    ["with a NUL", () => `${root}/file\0.txt`],
  ])("a path that is %s", async (_, path) => {
    expect(await codeOf(act(path()))).toBe(rpcErrorCode.invalidParams);
  });

  test("everything when there is no root, or none that exists", async () => {
    expect(await codeOf(act(join(root, "file"), []))).toBe(rpcErrorCode.invalidParams);
    expect(await codeOf(act(join(base, "nowhere/file"), [join(base, "nowhere")]))).toBe(rpcErrorCode.invalidParams);
  });

  test("a folder, a FIFO and a socket, without hanging", async () => {
    execFileSync("mkfifo", [join(root, "fifo")]);
    expect(await codeOf(act(join(root, "sub")))).toBe(rpcErrorCode.internalError);
    expect(await codeOf(act(join(root, "fifo")))).toBe(rpcErrorCode.internalError);
    expect(await codeOf(act(root))).not.toBe(undefined);
  });

  test("a device", async () => {
    expect(await codeOf(act("/dev/null", ["/dev"]))).toBe(rpcErrorCode.internalError);
  });

  test("a loop of links", async () => {
    await symlink("two", join(root, "one"));
    await symlink("one", join(root, "two"));
    expect(await codeOf(act(join(root, "one")))).toBe(rpcErrorCode.internalError);
  });
});

describe("reading", () => {
  test("what is inside, through harmless dots and links too", async () => {
    await symlink("../file", join(root, "sub/link"));
    await symlink(root, join(base, "alias"));
    expect(await read(join(root, "file"))).toBe("inside");
    expect(await read(`${root}/sub/.././file`)).toBe("inside");
    expect(await read(join(root, "sub/link"))).toBe("inside");
    expect(await read(join(base, "alias/file"))).toBe("inside");
    expect(await read(join(root, "file"), [join(base, "alias")])).toBe("inside");
    expect(await read(join(root, "file"), [join(base, "outside"), root])).toBe("inside");
    expect(await read(join(root, "file"), ["/"])).toBe("inside");
    await writeFile(join(root, "..name"), "dots");
    expect(await read(join(root, "..name"))).toBe("dots");
    await rm(join(base, "alias"));
  });

  test("a missing file is not found", async () => {
    for (const name of ["missing", "no/folder/missing", "file/below"]) {
      const error = await read(join(root, name)).catch((error: unknown) => error);
      expect(error).toMatchObject({ code: rpcErrorCode.resourceNotFound, data: { path: join(root, name) } });
    }
  });

  test("defect S94: a file that a link has replaced since the caller's check is refused", async () => {
    await writeFile(join(root, "other"), "other");
    await symlink("other", join(root, "link"));
    const opened = (path: string, real: string) =>
      openRooted(join(root, path), [root], { real: join(root, real) }).then((handle) => handle.close());
    await opened("file", "file");
    await opened("link", "other");
    await opened("file", "FILE");
    expect(await codeOf(opened("link", "file"))).toBe(rpcErrorCode.invalidParams);
  });

  test("an exchange of a folder for a link between check and opening gains nothing", async () => {
    // The check by itself is passed; what was opened is what counts.
    const target = await resolveRooted(join(root, "sub/secret"), [root]);
    expect(target.exists).toBe(false);
    await rm(join(root, "sub"), { recursive: true });
    await symlink(join(base, "outside"), join(root, "sub"));
    expect(await codeOf(read(join(root, "sub/secret")))).toBe(rpcErrorCode.invalidParams);
    await rm(join(root, "sub"));
    await mkdir(join(root, "sub"));
  });
});

describe("writing", () => {
  test("creates a file and its missing parents", async () => {
    await write(join(root, "a/b/c.txt"));
    expect(await readFile(join(root, "a/b/c.txt"), "utf8")).toBe("new");
    expect(await readdir(join(root, "a/b"))).toEqual(["c.txt"]);
  });

  test("replaces a file, keeps its mode, and leaves nothing else behind", async () => {
    for (const mode of [0o600, 0o755, 0o664]) {
      await chmod(join(root, "file"), mode);
      await write(join(root, "file"));
      expect((await stat(join(root, "file"))).mode & 0o7777).toBe(mode);
    }
    expect((await readdir(root)).sort()).toEqual(["file", "sub"]);
  });

  test.each([
    ["of letters", "x".repeat(255)],
    ["of Chinese", "文".repeat(85)],
    ["of emoji", "💩".repeat(63)],
  ])("writes a file with a name as long as there are, %s", async (_, name) => {
    await write(join(root, name));
    await write(join(root, name));
    expect(await read(join(root, name))).toBe("new");
  });

  test("says of a root that it is no file", async () => {
    await expect(write(root)).rejects.toMatchObject({ code: rpcErrorCode.internalError });
    await expect(write(`${root}/`)).rejects.toMatchObject({
      data: { details: expect.stringMatching(/not a regular file/) },
    });
  });

  test("an open reader sees the old content to its end", async () => {
    const handle = await openRooted(join(root, "file"), [root]);
    await write(join(root, "file"));
    expect(await handle.readFile("utf8")).toBe("inside");
    await handle.close();
  });

  test("goes through a link that stays inside, also a dangling one, and leaves it a link", async () => {
    await symlink("../file", join(root, "sub/link"));
    await symlink("fresh", join(root, "sub/dangling"));
    await write(join(root, "sub/link"));
    await write(join(root, "sub/dangling"));
    expect(await readFile(join(root, "file"), "utf8")).toBe("new");
    expect((await readdir(join(root, "sub"))).sort()).toEqual(["dangling", "fresh", "link"]);
  });

  test("does not write through a hard link", async () => {
    await link(join(base, "outside/secret"), join(root, "hard"));
    await write(join(root, "hard"));
    await expectOutsideUntouched();
  });

  test("many at once leave one whole content", async () => {
    const contents = Array.from({ length: 20 }, (_, i) => String(i).repeat(10_000));
    await Promise.all(contents.map((content) => writeRooted(join(root, "deep/file"), [root], content)));
    expect(contents).toContain(await readFile(join(root, "deep/file"), "utf8"));
    expect(await readdir(join(root, "deep"))).toEqual(["file"]);
  });

  test("a file where a folder is needed is an internal error", async () => {
    expect(await codeOf(write(join(root, "file/below/name")))).toBe(rpcErrorCode.internalError);
    expect(await readFile(join(root, "file"), "utf8")).toBe("inside");
  });

  test("respects modes, and writes in place where no file can be made, but not through a hard link", async () => {
    await writeFile(join(root, "sub/file"), "old, and longer");
    await writeFile(join(root, "sub/fixed"), "old");
    await link(join(base, "outside/secret"), join(root, "sub/hard"));
    await asOrdinaryUser(async () => {
      await chmod(join(root, "sub/fixed"), 0o444);
      await chmod(join(root, "sub"), 0o555);
      await write(join(root, "sub/file"));
      expect(await readFile(join(root, "sub/file"), "utf8")).toBe("new");
      expect(await codeOf(write(join(root, "sub/fixed")))).toBe(rpcErrorCode.internalError);
      expect(await codeOf(write(join(root, "sub/other")))).toBe(rpcErrorCode.internalError);
      expect(await codeOf(write(join(root, "sub/hard")))).toBe(rpcErrorCode.invalidParams);
    });
    await expectOutsideUntouched();
  });
});

describe("folders", () => {
  test("their real path, if they are inside", async () => {
    await symlink("sub", join(root, "link"));
    expect(await resolveRootedFolder(join(root, "link"), [root])).toBe(join(root, "sub"));
    expect(await resolveRootedFolder(root, [root])).toBe(root);
    for (const path of [base, join(root, "missing"), join(root, "file"), "sub"]) {
      expect(await codeOf(resolveRootedFolder(path, [root]))).toBe(rpcErrorCode.invalidParams);
    }
  });
});

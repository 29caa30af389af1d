import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalFiles } from "@turnkit/agent/node";
import { createLocalFileHost } from "@turnkit/client/node";

/** File operations of an agent, on either side. */
export type Files = {
  read(path: string, range?: { readonly line?: number; readonly limit?: number }): Promise<string>;
  write(path: string, content: string): Promise<void>;
};

export type HardLinks = "follow" | "refuse";

/** Makes {@link Files} that are limited to some roots. */
export type Side = (roots: readonly string[], hardLinks: HardLinks) => Files;

/** The files that our client lends to agents, and those that our agents use without a client. */
export const sides: Readonly<Record<string, Side>> = {
  client(roots, hardLinks) {
    const host = createLocalFileHost({ hardLinks });
    const session = { sessionId: "s", cwd: roots[0] ?? "/", roots, signal: new AbortController().signal };
    return {
      read: async (path, range) => host.readTextFile({ path, ...range }, session),
      write: async (path, content) => host.writeTextFile({ path, content }, session),
    };
  },
  agent: (roots, hardLinks) => createLocalFiles(roots, { hardLinks }),
};

/** No read ever gives it, no write ever replaces it. */
export const SECRET = "not for agents";

/** A folder with a root, in which there are a file and a folder, and with what lies outside of the root. */
export class Place {
  readonly base: string;
  readonly root: string;
  readonly outside: string;
  readonly secret: string;

  private constructor(base: string) {
    this.base = base;
    this.root = join(base, "root");
    this.outside = join(base, "outside");
    this.secret = join(this.outside, "secret");
  }

  static async make(): Promise<Place> {
    const place = new Place(await realpath(await mkdtemp(join(tmpdir(), "turnkit-jail-"))));
    for (const folder of ["root/sub/deep", "outside/sub", "root-twin"]) {
      await mkdir(join(place.base, folder), { recursive: true });
    }
    await writeFile(place.in("file"), "inside");
    await writeFile(place.in("sub/file"), "inside");
    for (const name of ["outside/secret", "outside/file", "outside/sub/file", "root-twin/secret"]) {
      await writeFile(join(place.base, name), SECRET);
    }
    return place;
  }

  /** A path in the root. */
  in(name: string): string {
    return join(this.root, name);
  }

  /** Everything outside of the root that is not as it was made. */
  async escaped(): Promise<readonly string[]> {
    const wrong: string[] = [];
    const expected = new Map([
      ["outside", ["file", "secret", "sub"]],
      ["outside/sub", ["file"]],
      ["root-twin", ["secret"]],
    ]);
    for (const [folder, names] of expected) {
      const path = join(this.base, folder);
      for (const name of await readdir(path)) {
        if (!names.includes(name)) wrong.push(`${folder}/${name} appeared`);
        else if (!expected.has(`${folder}/${name}`) && (await readFile(join(path, name), "utf8")) !== SECRET) {
          wrong.push(`${folder}/${name} changed`);
        }
      }
      for (const name of names) await readFile(join(path, name)).catch((error) => isGone(error) && wrong.push(name));
    }
    return wrong;
  }

  remove(): Promise<void> {
    return rm(this.base, { recursive: true, force: true });
  }
}

const isGone = (error: NodeJS.ErrnoException): boolean => error.code === "ENOENT";

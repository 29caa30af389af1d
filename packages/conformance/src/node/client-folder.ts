import { mkdir, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { NOTE } from "../agent/replies.js";
import type { ClientFolder } from "../client/client-pipe.js";

/** Makes a folder for one client below another folder, with a file outside of it. */
export async function createClientFolder(parent: string): Promise<ClientFolder> {
  const root = await realpath(parent);
  const cwd = join(root, "work");
  const away = join(root, "away");
  await Promise.all([mkdir(cwd), mkdir(away)]);
  const [note, lines, outside] = [join(cwd, "note.txt"), join(cwd, "lines.txt"), join(away, "secret.txt")];
  await Promise.all([
    writeFile(note, NOTE),
    writeFile(lines, "one\ntwo\nthree\nfour\n"),
    writeFile(outside, "secret\n"),
  ]);
  const links = await linked(join(cwd, "linked.txt"), outside, join(cwd, "linked"), away);
  return {
    ...{ cwd, note, lines, outside, ...links, script: process.execPath },
    read: (path) => readFile(path, "utf8").catch(() => undefined),
    async isRunning(path) {
      const id = Number(await readFile(path, "utf8").catch(() => ""));
      if (!(id > 0)) return false;
      try {
        process.kill(id, 0);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Windows allows links only to some users. */
async function linked(file: string, target: string, folder: string, away: string) {
  try {
    await symlink(target, file);
    await symlink(away, folder, "dir");
    return { linkedFile: file, linkedFolder: folder };
  } catch {
    return {};
  }
}

import { constants } from "node:fs";
import { mkdir, open, realpath, symlink, writeFile } from "node:fs/promises";
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
    read: (path) => readText(path).catch(() => undefined),
    async isRunning(path) {
      const id = Number(await readText(path).catch(() => ""));
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

/** Largest file of a client that is read, in bytes. The rest of a larger one is ignored. */
const READ_BYTES = 1024 * 1024;

/** Reads a file of a client. The client may have put a pipe or a device there, whose read would never end. */
async function readText(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is not a file`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Makes links, if the system allows this. Windows allows links only to some users. */
async function linked(file: string, target: string, folder: string, away: string) {
  try {
    await symlink(target, file);
    await symlink(away, folder, "dir");
    return { linkedFile: file, linkedFolder: folder };
  } catch {
    return {};
  }
}

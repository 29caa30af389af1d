import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { homedir } from "node:os";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { MEDIA_HEAD, mediaTypeOf } from "../prompt/media-type.js";
import { oneLine } from "../sanitise.js";
import type { Fold } from "./model/folds.js";

const MAX_PATH = 4096;

/**
 * Returns the picture whose path was pasted. If a person drops a file on a terminal, the terminal pastes its path: with
 * quotes, with backslashes, or as a `file:` URL. Returns `undefined` for other text, and for a file whose content is
 * not a picture.
 */
export function droppedImage(pasted: string, directory: string): Extract<Fold, { type: "image" }> | undefined {
  const path = pathIn(pasted, directory);
  if (path === undefined || !isImage(path)) return undefined;
  return { type: "image", path, name: oneLine(basename(path)).slice(0, 60) };
}

function pathIn(pasted: string, directory: string): string | undefined {
  const text = pasted.trim();
  if (text.length > MAX_PATH || text.includes("\n") || !/\.(?:png|jpe?g|gif|webp)["']?$/i.test(text)) return undefined;
  if (/^file:\/\//i.test(text)) {
    try {
      return fileURLToPath(text);
    } catch {
      return undefined;
    }
  }
  const quoted = /^(["'])(.*)\1$/.exec(text)?.[2];
  const path = quoted ?? (process.platform === "win32" ? text : text.replace(/\\(.)/g, "$1"));
  return resolve(directory, path.replace(/^~(?=\/)/, homedir()));
}

/** Reads the first bytes of a file. A pipe or a device is not opened for reading. */
function isImage(path: string): boolean {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      if (!fstatSync(file).isFile()) return false;
      const head = Buffer.alloc(MEDIA_HEAD);
      return mediaTypeOf(head.subarray(0, readSync(file, head, 0, MEDIA_HEAD, 0)))?.kind === "image";
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

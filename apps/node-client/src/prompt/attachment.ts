import { access, constants, open, realpath, stat } from "node:fs/promises";
import { basename, join, parse, relative, resolve, sep } from "node:path";
import { createPathCheck } from "@turnkit/session/paths";
import { isInside } from "@turnkit/transport/node";
import { UsageError } from "../exit-code.js";
import { MEDIA_HEAD, type MediaType, mediaTypeOf } from "./media-type.js";

/** File or folder of a prompt. It was found and can be read. */
export type Attachment = {
  /** Absolute path. */
  readonly path: string;
  readonly name: string;
  /** Type of the content, for a picture or audio. */
  readonly media?: MediaType;
  /** Size in bytes. */
  readonly size: number;
  /** File without links, from which the content is read. Absent if the content is not sent. */
  readonly file?: string;
  /** Sentence for the user that says why the content is not sent. */
  readonly notice?: string;
  /** Sentence for the user about a mentioned file outside of the directory. A sentence about what is sent follows. */
  readonly place?: string;
};

/**
 * Maximum size of one picture or audio file, and of all of them together, in bytes. A message of the protocol has at
 * most 32 MiB.
 */
const MAX_MEDIA = 10 * 1024 * 1024;
const MAX_ALL_MEDIA = 20 * 1024 * 1024;
const MAX_FILES = 50;

const { secretBy } = createPathCheck();

/**
 * Returns a file or a folder that exists.
 *
 * For a file that a text mentions, `directory` is the directory of the session. The user may have copied such a text
 * from elsewhere. Files that may hold secrets are therefore sent as links, and the user reads which files come from
 * outside of the directory. A link inside the directory that leads out is sent as a link, and so is a link outside of
 * the directory. Pictures and audio files are sent from any directory. Without `directory`, every file is sent.
 *
 * @throws UsageError for a file that is missing, cannot be read or is too large, and for a device
 */
export async function findAttachment(path: string, directory?: string): Promise<Attachment> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const isMissing = error.code === "ENOENT" || error.code === "ENOTDIR";
    throw new UsageError(isMissing ? `There is no file ${path}.` : `${path} cannot be read: ${error.message}.`);
  });
  const [name, size] = [basename(path), found.size];
  if (found.isDirectory()) return { path, name, size: 0 };
  if (!found.isFile()) throw new UsageError(`${path} cannot be sent, because it is not a regular file or a folder.`);
  await access(path, constants.R_OK).catch((error: Error) => {
    throw new UsageError(`${path} cannot be read: ${error.message}.`);
  });
  const real = await realpath(path);
  const media = await mediaOf(real);
  if (media !== undefined && size > MAX_MEDIA) {
    throw new UsageError(`${path} has ${inMib(size)}. The limit of a picture or audio file is ${inMib(MAX_MEDIA)}.`);
  }
  const whole = { path, name, size, file: real, media };
  if (media !== undefined || directory === undefined) return whole;
  const secret = secretBy(path) ?? secretBy(real);
  if (secret !== undefined) {
    return { path, name, size, notice: `${path} may hold secrets, so the agent gets only a link to it.` };
  }
  const roots = [directory, await realpath(directory)];
  if (isInside(real, roots)) return whole;
  if (isInside(path, roots)) {
    return { path, name, size, notice: `${path} leads outside of ${directory}, so the agent gets only a link to it.` };
  }
  if (await isDirect(path, real, directory)) return { ...whole, place: `${path} is outside of ${directory}.` };
  return { path, name, size, notice: `${path} leads to ${real}, so the agent gets only a link to it.` };
}

/**
 * Returns `true` if the real path of a file follows from its path without links of other projects. Links in the path of
 * the directory, and links of the system such as `/tmp` on macOS, have no effect.
 */
async function isDirect(path: string, real: string, directory: string): Promise<boolean> {
  const { root } = parse(path);
  const [first = "", ...rest] = path.slice(root.length).split(sep);
  const ways = [
    path,
    resolve(await realpath(directory), relative(directory, path)),
    join(await realpath(root + first), ...rest),
  ];
  return ways.some((way) => foldedName(way) === foldedName(real));
}

/** Returns a path in a form that is equal for all spellings of one file. */
const foldedName = (path: string): string => path.normalize("NFC").toLowerCase();

/**
 * Checks the files of a prompt together.
 *
 * @throws UsageError for more than 50 files, or more than 20 MiB of pictures and audio files
 */
export function checkAttachments(attachments: readonly Attachment[]): void {
  if (attachments.length > MAX_FILES) {
    throw new UsageError(`The prompt has ${attachments.length} files. The limit is ${MAX_FILES}. Name their folder.`);
  }
  const size = attachments.reduce((sum, one) => sum + (one.media === undefined ? 0 : one.size), 0);
  if (size <= MAX_ALL_MEDIA) return;
  throw new UsageError(`The pictures and audio files have ${inMib(size)}. The limit is ${inMib(MAX_ALL_MEDIA)}.`);
}

async function mediaOf(path: string): Promise<MediaType | undefined> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MEDIA_HEAD), 0, MEDIA_HEAD, 0);
    return mediaTypeOf(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

function inMib(bytes: number): string {
  return `${Math.ceil((bytes / 1024 / 1024) * 10) / 10} MiB`;
}

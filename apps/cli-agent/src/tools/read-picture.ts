import { extname } from "node:path";
import { ToolError } from "../errors.js";
import type { ToolContext } from "./tool.js";

/** Picture in the form of the protocol. `data` is base64. */
type Picture = { readonly mimeType: string; readonly data: string };

/** Largest picture in bytes. Its base64 has 5 MB, which all providers accept. */
const MAX_PICTURE = 3_750_000;

const extensions = new Set([".png", ".jpg", ".jpeg", ".gif", ".webp"]);

/** Types of pictures by their first bytes. */
const types: readonly { readonly mimeType: string; readonly starts: (bytes: string) => boolean }[] = [
  { mimeType: "image/png", starts: (bytes) => bytes.startsWith("\x89PNG\r\n\x1a\n") },
  { mimeType: "image/jpeg", starts: (bytes) => bytes.startsWith("\xff\xd8\xff") },
  { mimeType: "image/gif", starts: (bytes) => bytes.startsWith("GIF87a") || bytes.startsWith("GIF89a") },
  { mimeType: "image/webp", starts: (bytes) => bytes.startsWith("RIFF") && bytes.slice(8, 12) === "WEBP" },
];

export function isPictureName(path: string): boolean {
  return extensions.has(extname(path).toLowerCase());
}

/**
 * Reads a picture from the disk. Returns `undefined` for a file that is not a picture, whatever its name says, and for a
 * file that is not on this machine.
 *
 * @throws ToolError `unsupported` if the model takes no pictures, and `too_large`
 */
export async function readPicture(
  path: string,
  { workspace, signal, takesPictures }: Pick<ToolContext, "workspace" | "signal" | "takesPictures">,
): Promise<Picture | undefined> {
  const bytes = await workspace.readBytes(path, signal, MAX_PICTURE + 1);
  const start = bytes?.subarray(0, 16).toString("latin1") ?? "";
  const mimeType = types.find(({ starts }) => starts(start))?.mimeType;
  if (bytes === undefined || mimeType === undefined) return undefined;
  const { name } = workspace.locate(path);
  if (!takesPictures) {
    throw new ToolError("unsupported", `\`${name}\` is a picture, and this model takes only text.`);
  }
  if (bytes.length > MAX_PICTURE) {
    throw new ToolError("too_large", `\`${name}\` is larger than 3.75 MB, the limit of pictures. Make a smaller one.`);
  }
  return { mimeType, data: bytes.toString("base64") };
}

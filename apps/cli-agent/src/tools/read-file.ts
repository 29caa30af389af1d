import { extname } from "node:path";
import * as z from "zod";
import { ToolError } from "../errors.js";
import type { ToolOutput } from "../model.js";
import type { LineRange } from "../workspace.js";
import { askToRead, askToReadOutside, type CheckedFile } from "./ask-to-read.js";
import { numbered } from "./nearest-lines.js";
import { defineTool, pathInput, type ToolContext } from "./tool.js";

const MAX_LINE = 100_000_000;

/** Largest result of a call without `line`, `limit` or `whole`: lines and characters. */
const USUAL_LINES = 2000;
const USUAL_LENGTH = 100_000;

/** Longest base64 of a picture that the client gets too. The log of the session stores the same text. */
const MAX_SHOWN = 1_000_000;

/**
 * Tool that reads a text file or a part of it, or a picture. A text comes from the client if the client offers files.
 */
export const readFileTool = defineTool({
  name: "read_file",
  description:
    `Reads a text file: the first ${USUAL_LINES} lines, or the part that line and limit name. Outside of the session's ` +
    "folders, the user is asked. " +
    "Each line begins with its number and a tab, which are not in the file. Above 1 MB parts are the only way. A picture " +
    "(PNG, JPEG, GIF, WebP) is shown to you if you can see pictures.",
  input: z.object({
    path: pathInput,
    line: z.int().min(1).max(MAX_LINE).optional().describe("The first line to read; the first one is 1."),
    limit: z.int().min(1).max(MAX_LINE).optional().describe("How many lines to read."),
    whole: z.boolean().default(false).describe("Read all of a long file, up to 1 MB."),
    numbers: z.boolean().default(true).describe("false leaves the numbers of the lines out."),
  }),
  parallel: true,
  open(input, context) {
    const { signal } = context;
    const { path: named, name, inside } = context.workspace.locate(input.path);
    const { line, limit, numbers } = input;
    const range = line === undefined && limit === undefined ? undefined : { line, limit };
    const isWhole = range !== undefined || input.whole;
    return {
      start: {
        title: `Read ${name}${describe(range)}`,
        kind: "read",
        locations: inside ? [{ path: named, line: range?.line }] : [],
      },
      async run(call): Promise<ToolOutput> {
        const real = inside ? await askToRead(call, named, context) : undefined;
        const file =
          real === undefined
            ? await askToReadOutside(call, named, context)
            : { path: named, real, workspace: context.workspace };
        const { path, workspace } = file;
        const isPicture = PICTURES.has(extname(path).toLowerCase());
        const picture = isPicture ? await readPicture(file, context) : undefined;
        if (picture !== undefined) {
          const { mimeType, data } = picture;
          const isShown = data.length <= MAX_SHOWN;
          if (isShown)
            await call.update({ content: [{ type: "content", content: { type: "image", mimeType, data } }] });
          return { type: "picture", mimeType, data, text: `The picture ${name}.` };
        }
        const text = await workspace.read(path, signal, { range, real: file.real });
        await call.update({ rawOutput: { lines: text.split("\n").length, characters: text.length } });
        const { kept, note } = isWhole ? { kept: text, note: "" } : beginningOf(text);
        return { type: "text", value: (numbers ? withNumbers(kept, line) : kept) + note };
      },
    };
  },
});

/** Cuts a long text at the end of a line. Adds a note about how to read the rest. */
function beginningOf(text: string): { readonly kept: string; readonly note: string } {
  const lines = text.split("\n");
  let count = 0;
  let length = 0;
  while (count < Math.min(lines.length, USUAL_LINES) && length <= USUAL_LENGTH) {
    length += (lines[count]?.length ?? 0) + 1;
    count += 1;
  }
  if (count === lines.length && length <= USUAL_LENGTH + 1) return { kept: text, note: "" };
  const kept = lines.slice(0, count).join("\n").slice(0, USUAL_LENGTH);
  return { kept, note: `\n[lines 1 to ${count} of ${lines.length}; read on with line ${count + 1}]` };
}

/**
 * Adds the number of each line. An empty text stays empty. A line end at the end of the text begins no further line.
 */
function withNumbers(text: string, first = 1): string {
  if (text === "") return text;
  const lines = text.split("\n");
  const end = lines.at(-1) === "" ? lines.pop() : undefined;
  const shown = lines.map((line, at) => numbered(first + at, line));
  return end === undefined ? shown.join("\n") : `${shown.join("\n")}\n`;
}

function describe(range: LineRange | undefined): string {
  if (range === undefined) return "";
  const { line = 1, limit } = range;
  return limit === undefined ? ` from line ${line}` : `, lines ${line} to ${line + limit - 1}`;
}

/** Largest picture in bytes. Its base64 has 5 MB, which all providers accept. */
const MAX_PICTURE = 3_750_000;

const PICTURES = new Set([".png", ".jpg", ".jpeg", ".gif", ".webp"]);

/** Types of pictures by their first bytes. */
const types: readonly { readonly mimeType: string; readonly starts: (bytes: string) => boolean }[] = [
  { mimeType: "image/png", starts: (bytes) => bytes.startsWith("\x89PNG\r\n\x1a\n") },
  { mimeType: "image/jpeg", starts: (bytes) => bytes.startsWith("\xff\xd8\xff") },
  { mimeType: "image/gif", starts: (bytes) => bytes.startsWith("GIF87a") || bytes.startsWith("GIF89a") },
  { mimeType: "image/webp", starts: (bytes) => bytes.startsWith("RIFF") && bytes.slice(8, 12) === "WEBP" },
];

/**
 * Reads a picture from the disk, in the form of the protocol. Returns `undefined` for a file on another machine, and
 * for content that is not a picture. The name of the file does not count.
 *
 * @throws ToolError `unsupported` if the model takes no pictures, and `too_large`
 */
async function readPicture(
  { path, real, workspace }: CheckedFile,
  { signal, takesPictures }: Pick<ToolContext, "signal" | "takesPictures">,
): Promise<{ readonly mimeType: string; readonly data: string } | undefined> {
  const bytes = await workspace.readBytes(path, signal, { most: MAX_PICTURE + 1, real });
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

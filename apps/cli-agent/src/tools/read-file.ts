import * as z from "zod";
import type { ToolOutput } from "../model.js";
import type { LineRange } from "../workspace.js";
import { askToRead } from "./ask-to-read.js";
import { numbered } from "./nearest-lines.js";
import { isPictureName, readPicture } from "./read-picture.js";
import { defineTool, pathInput } from "./tool.js";

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
    `Reads a text file inside the session's folders: the first ${USUAL_LINES} lines, or the part that line and limit name. ` +
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
    const { workspace, signal } = context;
    const { path, name, inside } = workspace.locate(input.path);
    const { line, limit, numbers } = input;
    const range = line === undefined && limit === undefined ? undefined : { line, limit };
    const isWhole = range !== undefined || input.whole;
    return {
      start: {
        title: `Read ${name}${describe(range)}`,
        kind: "read",
        locations: inside ? [{ path, line: range?.line }] : [],
      },
      async run(call): Promise<ToolOutput> {
        await askToRead(call, path, context);
        const picture = isPictureName(path) ? await readPicture(path, context) : undefined;
        if (picture !== undefined) {
          const { mimeType, data } = picture;
          const isShown = data.length <= MAX_SHOWN;
          if (isShown)
            await call.update({ content: [{ type: "content", content: { type: "image", mimeType, data } }] });
          return { type: "picture", mimeType, data, text: `The picture ${name}.` };
        }
        const text = await workspace.read(path, signal, range);
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

/** Adds the number of each line. An empty text stays empty, and the end of the last line is not a further line. */
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

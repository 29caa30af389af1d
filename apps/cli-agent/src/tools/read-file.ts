import * as z from "zod";
import type { LineRange } from "../workspace.js";
import { askToRead } from "./ask-to-read.js";
import { defineTool, pathInput } from "./tool.js";

const MAX_LINE = 100_000_000;

/** Largest result of a call without `line`, `limit` or `whole`: lines and characters. */
const USUAL_LINES = 2000;
const USUAL_LENGTH = 100_000;

/** Tool that reads a text file or a part of it. The file comes from the client if the client offers files. */
export const readFileTool = defineTool({
  name: "read_file",
  description:
    `Reads a text file inside the session's folders and returns its text: the first ${USUAL_LINES} lines, or the part that ` +
    "line and limit name. Above 1 MB parts are the only way.",
  input: z.object({
    path: pathInput,
    line: z.int().min(1).max(MAX_LINE).optional().describe("The first line to read; the first one is 1."),
    limit: z.int().min(1).max(MAX_LINE).optional().describe("How many lines to read."),
    whole: z.boolean().default(false).describe("Read all of a long file, up to 1 MB."),
  }),
  parallel: true,
  open(input, context) {
    const { workspace, signal } = context;
    const { path, name, inside } = workspace.locate(input.path);
    const { line, limit } = input;
    const range = line === undefined && limit === undefined ? undefined : { line, limit };
    const isWhole = range !== undefined || input.whole;
    return {
      start: {
        title: `Read ${name}${describe(range)}`,
        kind: "read",
        locations: inside ? [{ path, line: range?.line }] : [],
      },
      async run(call) {
        await askToRead(call, path, context);
        const text = await workspace.read(path, signal, range);
        await call.update({ rawOutput: { lines: text.split("\n").length, characters: text.length } });
        return { type: "text", value: isWhole ? text : beginningOf(text) };
      },
    };
  },
});

/** Cuts a long text at the end of a line. Adds a note about how to read the rest. */
function beginningOf(text: string): string {
  const lines = text.split("\n");
  let count = 0;
  let length = 0;
  while (count < Math.min(lines.length, USUAL_LINES) && length <= USUAL_LENGTH) {
    length += (lines[count]?.length ?? 0) + 1;
    count += 1;
  }
  if (count === lines.length && length <= USUAL_LENGTH + 1) return text;
  const kept = lines.slice(0, count).join("\n").slice(0, USUAL_LENGTH);
  return `${kept}\n[lines 1 to ${count} of ${lines.length}; read on with line ${count + 1}]`;
}

function describe(range: LineRange | undefined): string {
  if (range === undefined) return "";
  const { line = 1, limit } = range;
  return limit === undefined ? ` from line ${line}` : `, lines ${line} to ${line + limit - 1}`;
}

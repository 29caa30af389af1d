import * as z from "zod";
import type { Workspace } from "../workspace.js";
import { findRipgrep, searchWithRipgrep } from "./ripgrep.js";
import { type Matches, searchFiles } from "./search-files.js";
import { defineTool, fencedText } from "./tool.js";

const MAX_MATCHES = 200;
const MAX_LINE_LENGTH = 300;
const MAX_LOCATIONS = 20;

/** Tool that finds lines in files: with ripgrep where it is installed, otherwise by itself. */
export const searchTool = defineTool({
  name: "search",
  description:
    `Finds lines that match a regular expression, in all text files of a folder; at most ${MAX_MATCHES} lines. ` +
    "Dependencies, version control and what .gitignore names are left out.",
  input: z.object({
    pattern: z.string().min(1).max(1000),
    path: z.string().default(".").describe("The folder; the session's unless said otherwise."),
    glob: z.string().optional().describe("Which files, such as *.ts; all unless said otherwise."),
    literal: z.boolean().default(false).describe("The pattern is a text and no regular expression."),
    case_sensitive: z.boolean().default(false),
  }),
  parallel: true,
  open(input, { workspace, signal }) {
    const { path: given, case_sensitive: caseSensitive, ...asked } = input;
    const { pattern, glob } = asked;
    const where = given === "." ? "" : ` in ${workspace.locate(given).name}`;
    return {
      start: { title: `Search for ${pattern}${glob === undefined ? "" : ` in ${glob}`}${where}`, kind: "search" },
      async run(call) {
        const query = { ...asked, caseSensitive, folder: await workspace.folder(given) };
        const program = await findRipgrep();
        const bounds = { max: MAX_MATCHES, signal };
        const found = await (program === undefined
          ? searchFiles(workspace, query, bounds)
          : searchWithRipgrep(program, query, bounds));
        const text = listing(found, workspace);
        await call.update({
          locations: found.matches.slice(0, MAX_LOCATIONS).map(({ path, line }) => ({ path, line })),
          content: [fencedText(text)],
          rawOutput: { matches: found.matches.length, cut: found.cut },
        });
        return { type: "text", value: text };
      },
    };
  },
});

function listing({ matches, cut }: Matches, workspace: Workspace): string {
  if (matches.length === 0) return cut ? "Nothing was found before the search was cut off." : "No line matches.";
  const lines = matches.map(({ path, line, text }) => {
    const shown = text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH)}…` : text;
    return `${workspace.locate(path).name}:${line}: ${shown}`;
  });
  return [...lines, ...(cut ? ["There is more: narrow the pattern, or name a folder."] : [])].join("\n");
}

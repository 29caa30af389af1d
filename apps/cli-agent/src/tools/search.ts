import { join, relative } from "node:path";
import * as z from "zod";
import { ToolError } from "../errors.js";
import type { Folder, Workspace } from "../workspace.js";
import { askForSecrets } from "./ask-to-read.js";
import { findRipgrep, searchWithRipgrep } from "./ripgrep.js";
import { type Matches, searchFiles } from "./search-files.js";
import { defineTool, fencedText, type ToolContext } from "./tool.js";

const MAX_MATCHES = 200;
const MAX_LINE_LENGTH = 300;
const MAX_LOCATIONS = 20;

/** Largest file that is searched, in bytes. */
const MAX_FILE = 1024 * 1024;

/** Tool that finds lines in files. It uses ripgrep if that is installed, and its own search otherwise. */
export const searchTool = defineTool({
  name: "search",
  description:
    `Finds lines that match a regular expression, in all text files of a folder; at most ${MAX_MATCHES} lines. ` +
    "Dependencies, version control, what .gitignore names and files that may hold secrets are left out.",
  input: z.object({
    pattern: z.string().min(1).max(1000),
    path: z.string().default(".").describe("The folder; the session's unless said otherwise."),
    glob: z.string().optional().describe("Which files, such as *.ts; all unless said otherwise."),
    literal: z.boolean().default(false).describe("The pattern is a text and no regular expression."),
    case_sensitive: z.boolean().default(false),
    secrets: z.boolean().default(false).describe("Also files that may hold secrets; the user is asked."),
  }),
  parallel: true,
  open(input, context) {
    const { workspace, signal } = context;
    const { path: given, case_sensitive: caseSensitive, secrets, ...asked } = input;
    const { pattern, glob } = asked;
    const where = given === "." ? "" : ` in ${workspace.locate(given).name}`;
    return {
      start: { title: `Search for ${pattern}${glob === undefined ? "" : ` in ${glob}`}${where}`, kind: "search" },
      async run(call) {
        const folder = await workspace.folder(given);
        if (secrets) await askForSecrets(call, { path: folder.path, secretBy: "every file in it" }, context);
        const isOmitted = (path: string) => !secrets && workspace.isSecret(path);
        const query = { ...asked, caseSensitive, folder, isOmitted };
        const program = await findRipgrep(workspace.roots);
        const bounds = { max: MAX_MATCHES, signal };
        const found = await (program === undefined
          ? searchFiles(workspace, query, bounds)
          : searchWithRipgrep(program, query, {
              ...{ ...bounds, roots: workspace.roots },
              read: (path) => readFound(path, folder, context),
            }));
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

/** Reads a file that was found in a folder. Returns `undefined` for a file that cannot be read, or is elsewhere now. */
async function readFound(
  path: string,
  folder: Folder,
  { workspace, signal }: ToolContext,
): Promise<Buffer | undefined> {
  const real = join(folder.real, relative(folder.path, path));
  return workspace.readBytes(path, signal, { most: MAX_FILE, real }).catch((error: unknown) => {
    if (error instanceof ToolError) return undefined;
    throw error;
  });
}

function listing({ matches, cut }: Matches, workspace: Workspace): string {
  if (matches.length === 0) return cut ? "Nothing was found before the search was cut off." : "No line matches.";
  const lines = matches.map(({ path, line, text }) => {
    const shown = text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH)}…` : text;
    return `${workspace.locate(path).name}:${line}: ${shown}`;
  });
  return [...lines, ...(cut ? ["There is more: narrow the pattern, or name a folder."] : [])].join("\n");
}

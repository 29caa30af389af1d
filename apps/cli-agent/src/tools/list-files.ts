import type { Dirent } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { unreadable } from "../unreadable.js";
import { entriesOf, findFiles } from "./find-files.js";
import { defineTool, fencedText } from "./tool.js";

const MAX_ENTRIES = 1000;
const MAX_PATHS = 500;

export const listDirectoryTool = defineTool({
  name: "list_directory",
  description: `Lists the files and folders (which end with /) of one folder, at most ${MAX_ENTRIES}. Use glob to look deeper.`,
  input: z.object({ path: z.string().default(".").describe("The session's folder unless said otherwise.") }),
  parallel: true,
  open({ path: given }, { workspace }) {
    const { path, name, inside } = workspace.locate(given);
    return {
      start: { title: `List ${name}`, kind: "read", locations: inside ? [{ path }] : [] },
      async run(call) {
        const folder = await workspace.folder(given);
        const found = await entriesOf(folder.real).catch((error: unknown) => {
          throw unreadable(name, error);
        });
        const entries = found.map(label).sort();
        const omitted = entries.length - MAX_ENTRIES;
        const lines = entries.length === 0 ? ["The folder is empty."] : entries.slice(0, MAX_ENTRIES);
        if (omitted > 0) lines.push(`… and ${omitted} more; use glob to find what you need.`);
        const text = lines.join("\n");
        await call.update({ content: [fencedText(text)], rawOutput: { entries: entries.length } });
        return { type: "text", value: text };
      },
    };
  },
});

export const globTool = defineTool({
  name: "glob",
  description:
    `Finds files whose path matches a pattern, such as src/**/*.test.ts; at most ${MAX_PATHS}. Dependencies, version ` +
    "control, what .gitignore names and files that may hold secrets are left out.",
  input: z.object({
    pattern: z.string().describe("Relative to the folder."),
    path: z.string().default(".").describe("The folder; the session's unless said otherwise."),
  }),
  parallel: true,
  open({ pattern, path: given }, { workspace, signal }) {
    const { path, name, inside } = workspace.locate(given);
    const isElsewhere = given !== ".";
    return {
      start: {
        title: `Find ${pattern}${isElsewhere ? ` in ${name}` : ""}`,
        kind: "search",
        locations: inside && isElsewhere ? [{ path }] : [],
      },
      async run(call) {
        const folder = await workspace.folder(given);
        const found = await findFiles(folder, pattern, signal);
        const { cut } = found;
        const paths = found.paths.map((name) => join(folder.root, name)).filter((one) => !workspace.isSecret(one));
        const lines = paths.slice(0, MAX_PATHS).map((one) => workspace.locate(one).name);
        const omitted = paths.length - lines.length;
        if (omitted > 0) lines.push(`… and ${omitted} more: narrow the pattern.`);
        if (lines.length === 0) lines.push(cut ? "Nothing was found before the walk was cut off." : "No file matches.");
        else if (cut) lines.push("There are too many files to look at all of them: name a folder.");
        const text = lines.join("\n");
        await call.update({ content: [fencedText(text)], rawOutput: { files: paths.length, cut } });
        return { type: "text", value: text };
      },
    };
  },
});

function label(entry: Dirent): string {
  if (entry.isDirectory()) return `${entry.name}/`;
  return entry.isSymbolicLink() ? `${entry.name}@` : entry.name;
}

import { join } from "node:path";
import * as z from "zod";
import type { ToolOutput } from "../model.js";
import { findFiles } from "./find-files.js";
import { defineTool, fencedText } from "./tool.js";

const MAX_PATHS = 500;

/** Tool that finds files by their names. */
export const globTool = defineTool({
  name: "glob",
  description:
    `Finds files whose path matches a pattern, such as src/**/*.test.ts; at most ${MAX_PATHS}. Dependencies, version ` +
    "control and what .gitignore names are left out.",
  input: z.object({
    pattern: z.string().describe("Relative to the folder."),
    path: z.string().default(".").describe("The folder; the session's unless said otherwise."),
  }),
  parallel: true,
  open({ pattern, path: given }, { turn, workspace, signal, rawInput }) {
    const { path, name, inside } = workspace.locate(given);
    const call = turn.toolCall({
      name: "glob",
      title: given === "." ? `Find ${pattern}` : `Find ${pattern} in ${name}`,
      kind: "search",
      locations: inside && given !== "." ? [{ path }] : [],
      rawInput,
    });
    const find = async (): Promise<ToolOutput> => {
      const folder = await workspace.folder(given);
      const { paths, cut } = await findFiles(folder, pattern, signal);
      const shown = paths.slice(0, MAX_PATHS).map((found) => workspace.locate(join(folder.root, found)).name);
      const text = listing(shown, { omitted: paths.length - shown.length, cut });
      await call.update({ content: [fencedText(text)], rawOutput: { files: paths.length, cut } });
      return { type: "text", value: text };
    };
    return { call, run: () => call.run(find) };
  },
});

function listing(
  names: readonly string[],
  { omitted, cut }: { readonly omitted: number; readonly cut: boolean },
): string {
  if (names.length === 0) return cut ? "Nothing was found before the walk was cut off." : "No file matches.";
  return [
    ...names,
    ...(omitted > 0 ? [`… and ${omitted} more: narrow the pattern.`] : []),
    ...(cut ? ["There are too many files to look at all of them: name a folder."] : []),
  ].join("\n");
}

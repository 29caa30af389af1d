import { join } from "node:path";
import type { ToolOutput } from "../model.js";
import { fencedText } from "./fenced-text.js";
import { findFiles } from "./find-files.js";
import { optionalText, requireText, type Tool } from "./tool.js";

const MAX_PATHS = 500;

/** Finds files by their names. */
export const globTool: Tool = {
  name: "glob",
  description:
    `Finds files whose path matches a pattern, such as src/**/*.test.ts; at most ${MAX_PATHS}. Dependencies, version ` +
    "control and what .gitignore names are left out.",
  inputSchema: {
    type: "object",
    properties: {
      pattern: { type: "string", description: "Relative to the folder." },
      path: { type: "string", description: "The folder; the session's unless said otherwise." },
    },
    required: ["pattern"],
  },
  parallel: true,
  open(input, { turn, workspace, signal }) {
    const pattern = requireText(input, "pattern");
    const given = optionalText(input, "path") ?? ".";
    const { path, name, inside } = workspace.locate(given);
    const call = turn.toolCall({
      name: "glob",
      title: given === "." ? `Find ${pattern}` : `Find ${pattern} in ${name}`,
      kind: "search",
      locations: inside && given !== "." ? [{ path }] : [],
      rawInput: input,
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
};

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

import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import * as z from "zod";
import type { ToolOutput } from "../model.js";
import { defineTool, fencedText } from "./tool.js";

const MAX_ENTRIES = 1000;

/** Tool that lists the entries of one folder. */
export const listDirectoryTool = defineTool({
  name: "list_directory",
  description: `Lists the files and folders (which end with /) of one folder, at most ${MAX_ENTRIES}. Use glob to look deeper.`,
  input: z.object({ path: z.string().default(".").describe("The session's folder unless said otherwise.") }),
  parallel: true,
  open({ path: given }, { turn, workspace, rawInput }) {
    const { path, name, inside } = workspace.locate(given);
    const call = turn.toolCall({
      name: "list_directory",
      title: `List ${name}`,
      kind: "read",
      locations: inside ? [{ path }] : [],
      rawInput,
    });
    const list = async (): Promise<ToolOutput> => {
      const folder = await workspace.folder(given);
      const entries = (await readdir(folder.path, { withFileTypes: true })).map(label).sort();
      const text = listing(entries);
      await call.update({ content: [fencedText(text)], rawOutput: { entries: entries.length } });
      return { type: "text", value: text };
    };
    return { call, run: () => call.run(list) };
  },
});

function listing(entries: readonly string[]): string {
  if (entries.length === 0) return "The folder is empty.";
  const omitted = entries.length - MAX_ENTRIES;
  const more = omitted > 0 ? [`… and ${omitted} more; use glob to find what you need.`] : [];
  return [...entries.slice(0, MAX_ENTRIES), ...more].join("\n");
}

function label(entry: Dirent): string {
  if (entry.isDirectory()) return `${entry.name}/`;
  return entry.isSymbolicLink() ? `${entry.name}@` : entry.name;
}

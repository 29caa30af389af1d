import { editFileTool } from "./edit-file.js";
import { fetchUrlTool } from "./fetch-url.js";
import { globTool } from "./glob.js";
import { lintFileTool } from "./lint-file.js";
import { listDirectoryTool } from "./list-directory.js";
import { readFileTool } from "./read-file.js";
import { runCommandTool } from "./run-command.js";
import { searchTool } from "./search.js";
import type { Tool } from "./tool.js";
import { updatePlanTool } from "./update-plan.js";
import { writeFileTool } from "./write-file.js";

/** Tools of every session. */
export const tools: readonly Tool[] = [
  readFileTool,
  listDirectoryTool,
  globTool,
  searchTool,
  lintFileTool,
  editFileTool,
  writeFileTool,
  runCommandTool,
  updatePlanTool,
];

/** Returns the built-in tools of a session; `fetch_url` is among them only where the configuration allows it. */
export function builtInTools({ fetch }: { readonly fetch: boolean }): readonly Tool[] {
  return fetch ? [...tools, fetchUrlTool] : tools;
}

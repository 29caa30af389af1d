import { editFileTool } from "./edit-file.js";
import { globTool } from "./glob.js";
import { lintFileTool } from "./lint-file.js";
import { listDirectoryTool } from "./list-directory.js";
import { readFileTool } from "./read-file.js";
import { runCommandTool } from "./run-command.js";
import { searchTool } from "./search.js";
import type { Tool } from "./tool.js";
import { updatePlanTool } from "./update-plan.js";
import { writeFileTool } from "./write-file.js";

/** Everything that a model may ask for in every session. */
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

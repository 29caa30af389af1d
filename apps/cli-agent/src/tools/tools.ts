import { editFileTool } from "./edit-file.js";
import { lintFileTool } from "./lint-file.js";
import { readFileTool } from "./read-file.js";
import type { Tool } from "./tool.js";
import { updatePlanTool } from "./update-plan.js";

/** Everything that a model may ask for. */
export const tools: readonly Tool[] = [readFileTool, lintFileTool, editFileTool, updatePlanTool];

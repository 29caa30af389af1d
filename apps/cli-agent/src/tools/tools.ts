import * as z from "zod";
import { commandOutputTool, stopCommandTool } from "./background-tools.js";
import { editFileTool, writeFileTool } from "./edit-files.js";
import { fetchUrlTool } from "./fetch-url.js";
import { gitDiffTool, gitLogTool } from "./git-tools.js";
import { lintFileTool } from "./lint-file.js";
import { globTool, listDirectoryTool } from "./list-files.js";
import { readFileTool } from "./read-file.js";
import { runCommandTool } from "./run-command.js";
import { searchTool } from "./search.js";
import { defineTool, type Tool } from "./tool.js";

/** Tool that shows the model's plan to the user. The user sees no tool call, because the client shows the plan. */
const updatePlanTool = defineTool({
  name: "update_plan",
  description: "Shows the user the whole plan, replacing the one before. Call it when a step begins or ends.",
  input: z.object({
    entries: z.array(z.object({ content: z.string(), status: z.enum(["pending", "in_progress", "completed"]) })),
  }),
  parallel: true,
  open({ entries }, { turn }) {
    return {
      async run() {
        await turn.plan(entries.map((entry) => ({ ...entry, priority: "medium" })));
        return { type: "text", value: "The plan is shown." };
      },
    };
  },
});

export const tools: readonly Tool[] = [
  readFileTool,
  listDirectoryTool,
  globTool,
  searchTool,
  gitDiffTool,
  gitLogTool,
  lintFileTool,
  editFileTool,
  writeFileTool,
  runCommandTool,
  commandOutputTool,
  stopCommandTool,
  updatePlanTool,
];

/** Returns the built-in tools of a session. The tool `fetch_url` is included if the configuration allows it. */
export function builtInTools({ fetch }: { readonly fetch: boolean }): readonly Tool[] {
  return fetch ? [...tools, fetchUrlTool] : tools;
}

import * as z from "zod";
import { defineTool } from "./tool.js";

/** Tool that shows the model's plan. It makes no tool call of its own: the user sees the plan itself. */
export const updatePlanTool = defineTool({
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

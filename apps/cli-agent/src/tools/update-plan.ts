import type { PlanEntry } from "@turnkit/agent";
import { requireList, type Tool, ToolError } from "./tool.js";

const STATUSES = ["pending", "in_progress", "completed"] as const;

/** Shows the model's plan. It is not a tool call for the user: the plan itself is what there is to see. */
export const updatePlanTool: Tool = {
  name: "update_plan",
  description: "Shows the user the whole plan, replacing the one before. Call it when a step begins or ends.",
  inputSchema: {
    type: "object",
    properties: {
      entries: {
        type: "array",
        items: {
          type: "object",
          properties: { content: { type: "string" }, status: { enum: STATUSES } },
          required: ["content", "status"],
        },
      },
    },
    required: ["entries"],
  },
  parallel: true,
  open(input, { turn }) {
    const entries = requireList(input, "entries").map(toEntry);
    return {
      async run() {
        await turn.plan(entries);
        return { type: "text", value: "The plan is shown." };
      },
    };
  },
};

function toEntry(value: unknown): PlanEntry {
  const { content, status } = (value ?? {}) as { content?: unknown; status?: unknown };
  const known = STATUSES.find((name) => name === status);
  if (typeof content !== "string" || !known) {
    throw new ToolError("invalid_input", `An entry needs a \`content\` and a \`status\` of ${STATUSES.join(", ")}.`);
  }
  return { content, status: known, priority: "medium" };
}

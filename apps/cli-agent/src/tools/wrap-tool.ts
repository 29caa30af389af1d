import type { ToolOutput } from "../model.js";
import type { OpenTool, Tool, ToolContext } from "./tool.js";

/** Call of a tool, as a wrapper gets it. */
export type WrappedCall = Pick<OpenTool, "call"> & { readonly input: unknown; readonly context: ToolContext };

/** Returns a tool that runs each call of another tool through a function. All other members stay the same. */
export function wrapTool(
  tool: Tool,
  around: (run: () => Promise<ToolOutput>, call: WrappedCall) => Promise<ToolOutput>,
): Tool {
  const open: Tool["open"] = (input, context) => {
    const { run, ...opened } = tool.open(input, context);
    return { ...opened, run: () => around(run, { ...opened, input, context }) };
  };
  // A copy of the members would create `inputSchema` too early, because its getter creates the schema.
  return Object.create(tool, { open: { value: open, enumerable: true } });
}

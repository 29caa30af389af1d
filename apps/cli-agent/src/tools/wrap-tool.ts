import type { ToolOutput } from "../model.js";
import type { OpenTool, Tool, ToolContext } from "./tool.js";

/** Call of a tool, as a wrapper sees it. */
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
  // A copy would read `inputSchema`, which is made when it is first read.
  return Object.create(tool, { open: { value: open, enumerable: true } });
}

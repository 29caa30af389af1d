import type { ToolOutput } from "../model.js";
import { requireText, type Tool } from "./tool.js";

/** Reads one text file, through the client where it offers files. */
export const readFileTool: Tool = {
  name: "read_file",
  description: "Reads a text file inside the session's folders and returns its whole text.",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string", description: "Absolute, or relative to the session's folder." } },
    required: ["path"],
  },
  parallel: true,
  open(input, { turn, workspace, signal }) {
    const { path, name, inside } = workspace.locate(requireText(input, "path"));
    const call = turn.toolCall({
      name: "read_file",
      title: `Read ${name}`,
      kind: "read",
      locations: inside ? [{ path }] : [],
      rawInput: input,
    });
    const read = async (): Promise<ToolOutput> => {
      const text = await workspace.read(path, signal);
      await call.update({ rawOutput: { lines: text.split("\n").length, characters: text.length } });
      return { type: "text", value: text };
    };
    return { call, run: () => call.run(read) };
  },
};

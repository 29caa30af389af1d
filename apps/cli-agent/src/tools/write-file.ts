import { MAX_BYTES, tooLarge } from "../refusal.js";
import { proposeChange, readExisting } from "./file-change.js";
import { requireText, type Tool } from "./tool.js";

/** Makes a file, or replaces all of its text, if the mode and the user allow it. */
export const writeFileTool: Tool = {
  name: "write_file",
  description:
    "Creates a text file with the given text, or replaces all of it; missing folders are made. Prefer edit_file for a " +
    "change of a file that exists. The user sees the diff and may refuse it.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", description: "Absolute, or relative to the session's folder." },
      text: { type: "string" },
    },
    required: ["path", "text"],
  },
  parallel: false,
  open(input, context) {
    const { turn, workspace } = context;
    const file = workspace.locate(requireText(input, "path"));
    const after = requireText(input, "text");
    const call = turn.toolCall({ name: "write_file", title: `Write ${file.name}`, kind: "edit", rawInput: input });
    const make = async () => {
      if (after.length > MAX_BYTES) throw tooLarge(file.name, Buffer.byteLength(after));
      return { before: await readExisting(file.path, context), after };
    };
    return { call, run: () => proposeChange(call, file, { context, make }) };
  },
};

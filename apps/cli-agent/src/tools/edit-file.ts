import type { TextEdit } from "../lint/edits.js";
import { applyEdits } from "./apply-edits.js";
import { proposeChange } from "./file-change.js";
import { requireList, requireText, type Tool } from "./tool.js";

/** Replaces stretches of a file, if the mode and the user allow it. */
export const editFileTool: Tool = {
  name: "edit_file",
  description:
    "Replaces exact stretches of a text file, several at once. Every oldText must occur exactly once. The user sees " +
    "the diff and may refuse it.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", description: "Absolute, or relative to the session's folder." },
      edits: {
        type: "array",
        items: {
          type: "object",
          properties: { oldText: { type: "string" }, newText: { type: "string" } },
          required: ["oldText", "newText"],
        },
      },
    },
    required: ["path", "edits"],
  },
  parallel: false,
  open(input, context) {
    const { turn, workspace, signal } = context;
    const file = workspace.locate(requireText(input, "path"));
    const call = turn.toolCall({ name: "edit_file", title: `Edit ${file.name}`, kind: "edit", rawInput: input });
    const make = async () => {
      const edits = requireList(input, "edits").map(toEdit);
      const before = await workspace.read(file.path, signal);
      return { before, after: applyEdits(before, edits) };
    };
    return { call, run: () => proposeChange(call, file, { context, make }) };
  },
};

function toEdit(value: unknown): TextEdit {
  return { oldText: requireText(value, "oldText"), newText: requireText(value, "newText") };
}

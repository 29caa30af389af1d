import type { ToolCall } from "@turnkit/agent";
import type { TextEdit } from "../lint/edits.js";
import type { ToolOutput } from "../model.js";
import { applyEdits } from "./apply-edits.js";
import { messageOf, requireList, requireText, type Tool, type ToolContext, ToolError } from "./tool.js";

/** What `edit_file` answers when nothing went wrong. `written` is false in `review` mode, which only shows edits. */
export type EditReport = { readonly path: string; readonly written: boolean };

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
    const { turn, workspace } = context;
    const { path, name } = workspace.locate(requireText(input, "path"));
    const call = turn.toolCall({ name: "edit_file", title: `Edit ${name}`, kind: "edit", rawInput: input });
    return { call, run: () => propose(call, { path, name, input }, context) };
  },
};

type Proposal = { readonly path: string; readonly name: string; readonly input: unknown };

async function propose(call: ToolCall, { path, name, input }: Proposal, context: ToolContext): Promise<ToolOutput> {
  const { workspace, signal } = context;
  try {
    const edits = requireList(input, "edits").map(toEdit);
    const before = await workspace.read(path, signal);
    const change = { path, name, before, after: applyEdits(before, edits) };
    await show(call, change);
    return await settle(call, change, context);
  } catch (error) {
    if (signal.aborted) await call.update({ status: "cancelled" });
    else await call.fail(messageOf(error));
    throw error;
  }
}

type Change = { readonly path: string; readonly name: string; readonly before: string; readonly after: string };

function show(call: ToolCall, { path, before, after }: Change): ReturnType<ToolCall["update"]> {
  return call.update({
    locations: [{ path, line: firstChangedLine(before, after) }],
    content: [{ type: "diff", changes: [{ operation: "modify", path, oldText: before, newText: after }] }],
  });
}

/** Writes the change, or not: the mode and the user decide. */
async function settle(
  call: ToolCall,
  { path, name, before, after }: Change,
  context: ToolContext,
): Promise<ToolOutput> {
  const { permission, workspace, signal } = context;
  const decision = await permission.decide(call);
  signal.throwIfAborted();
  if (decision === "review_only") {
    // A finished call, not a failed one: showing the edit is all that was wanted.
    await call.finish({ title: `Suggested edit of ${name} (not written)`, rawOutput: { written: false } });
    return { type: "json", value: { path, written: false } satisfies EditReport };
  }
  if (decision !== "allowed") {
    throw new ToolError("denied", `\`${name}\` was not written: the user ${decision} the edit.`);
  }
  return call.run(async () => {
    // The user may have taken minutes, with the file open in the editor.
    if ((await workspace.read(path, signal)) !== before) {
      throw new ToolError("stale", `\`${name}\` has changed since this edit was proposed; nothing was written.`);
    }
    await workspace.write(path, after, signal);
    await call.update({ rawOutput: { written: true } });
    return { type: "json", value: { path, written: true } satisfies EditReport };
  });
}

function toEdit(value: unknown): TextEdit {
  return { oldText: requireText(value, "oldText"), newText: requireText(value, "newText") };
}

function firstChangedLine(before: string, after: string): number {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  return before.slice(0, at).split("\n").length;
}

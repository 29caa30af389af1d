import type { ToolCall } from "@turnkit/agent";
import type { ToolOutput } from "../model.js";
import { messageOf, type ToolContext, ToolError } from "./tool.js";

/** What a tool that changes a file answers. `written` is false in `review` mode, which only shows changes. */
export type EditReport = { readonly path: string; readonly written: boolean };

/** The whole text of a file before and after; a file that is not there has no text before. */
export type FileChange = { readonly before: string | undefined; readonly after: string };

/** The file that is to change: absolute, and as people call it. */
export type ChangedFile = { readonly path: string; readonly name: string };

/**
 * Shows a change of one file as a diff, and writes it if the mode and the user allow it. Nothing is written when the file
 * changed between the proposal and the answer, and nobody is asked about a change that changes nothing.
 *
 * @param make reads the file and makes the new text; what it throws fails the call
 * @throws ToolError `invalid_input` where nothing would change, `denied`, `stale`, or what `make` and the workspace throw
 */
export async function proposeChange(
  call: ToolCall,
  file: ChangedFile,
  { context, make }: { readonly context: ToolContext; readonly make: () => Promise<FileChange> },
): Promise<ToolOutput> {
  try {
    const change = await make();
    if (change.before === change.after) {
      throw new ToolError("invalid_input", `Nothing would change in \`${file.name}\`: it says that already.`);
    }
    await show(call, file, change);
    return await settle(call, { ...file, ...change }, context);
  } catch (error) {
    if (context.signal.aborted) await call.update({ status: "cancelled" });
    else await call.fail(messageOf(error));
    throw error;
  }
}

/** The text of a file that may not be there yet. */
export async function readExisting(path: string, { workspace, signal }: ToolContext): Promise<string | undefined> {
  return workspace.read(path, signal).catch((error: unknown) => {
    if (error instanceof ToolError && error.code === "not_found") return undefined;
    throw error;
  });
}

function show(call: ToolCall, { path }: ChangedFile, { before, after }: FileChange): ReturnType<ToolCall["update"]> {
  const change =
    before === undefined
      ? ({ operation: "add", path, newText: after } as const)
      : ({ operation: "modify", path, oldText: before, newText: after } as const);
  return call.update({
    locations: [{ path, line: firstChangedLine(before ?? "", after) }],
    content: [{ type: "diff", changes: [change] }],
  });
}

/** Writes the change, or not: the mode and the user decide. */
async function settle(
  call: ToolCall,
  { path, name, before, after }: ChangedFile & FileChange,
  context: ToolContext,
): Promise<ToolOutput> {
  const { permission, workspace, signal } = context;
  const decision = await permission.decide(call, { type: "edit" });
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
    if ((await readExisting(path, context)) !== before) {
      throw new ToolError("stale", `\`${name}\` has changed since this edit was proposed; nothing was written.`);
    }
    await workspace.write(path, after, signal);
    await call.update({ rawOutput: { written: true } });
    return { type: "json", value: { path, written: true } satisfies EditReport };
  });
}

function firstChangedLine(before: string, after: string): number {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  return before.slice(0, at).split("\n").length;
}

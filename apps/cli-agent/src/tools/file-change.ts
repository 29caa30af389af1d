import type { ToolCall } from "@turnkit/agent";
import { messageOf, ToolError } from "../errors.js";
import type { ToolOutput } from "../model.js";
import type { ToolContext } from "./tool.js";

/** Output of a tool that changes a file. `written` is false in `review` mode, which only shows changes. */
export type EditReport = { readonly path: string; readonly written: boolean };

/** Whole text of a file before and after a change; `before` is undefined for a new file. */
export type FileChange = { readonly before: string | undefined; readonly after: string };

/** File that is to change: its absolute path, and its name for people. */
export type ChangedFile = { readonly path: string; readonly name: string };

/**
 * Shows a change of one file as a diff, and writes it if the mode and the user allow it.
 *
 * - A file that changed between the proposal and the answer is not written.
 * - A change without effect fails without a question.
 *
 * @param make reads the file and makes the new text; its error fails the call
 * @throws ToolError `invalid_input` for a change without effect, `denied`, `stale`; or an error of `make`
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

/** Reads a file; returns `undefined` if it does not exist. */
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

/** Asks for permission, and writes the change if it is granted. */
async function settle(
  call: ToolCall,
  { path, name, before, after }: ChangedFile & FileChange,
  context: ToolContext,
): Promise<ToolOutput> {
  const { permission, workspace, signal } = context;
  const decision = await permission.decide(call, { type: "edit" });
  signal.throwIfAborted();
  if (decision === "review_only") {
    // The call is finished and not failed: `review` mode wants the edit shown and nothing more.
    await call.finish({ title: `Suggested edit of ${name} (not written)`, rawOutput: { written: false } });
    return { type: "json", value: { path, written: false } satisfies EditReport };
  }
  if (decision !== "allowed") {
    throw new ToolError("denied", `\`${name}\` was not written: the user ${decision} the edit.`);
  }
  return call.run(async () => {
    // The user may have edited the file during the question.
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

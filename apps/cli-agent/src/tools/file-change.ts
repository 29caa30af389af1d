import type { ToolCall } from "@turnkit/agent";
import { ToolError } from "../errors.js";
import type { ToolOutput } from "../model.js";
import type { ToolContext } from "./tool.js";

/** Output of a tool that changes a file. `written` is false in `review` mode, which only shows changes. */
export type EditReport = { readonly path: string; readonly written: boolean };

/** File by its absolute path and its name for people, with its whole text before and after a change. */
type FileChange = {
  readonly path: string;
  readonly name: string;
  /** `undefined` for a new file. */
  readonly before: string | undefined;
  readonly after: string;
};

/**
 * Shows a change of one file as a diff, and writes it if the mode and the user allow it.
 *
 * - A file that changed between the proposal and the answer is not written.
 * - A change without effect fails without a question.
 *
 * @throws ToolError `invalid_input` for a change without effect, `denied`, `stale`
 */
export async function proposeChange(
  call: ToolCall,
  { path, name, before, after }: FileChange,
  context: ToolContext,
): Promise<ToolOutput> {
  const { permission, workspace, signal } = context;
  const guards = await workspace.guards(path);
  // Of a secret file even this would tell the model too much.
  if (before === after && guards.secretBy === undefined) {
    throw new ToolError("invalid_input", `Nothing would change in \`${name}\`: it says that already.`);
  }
  const change =
    before === undefined
      ? ({ operation: "add", path, newText: after } as const)
      : ({ operation: "modify", path, oldText: before, newText: after } as const);
  await call.update({
    locations: [{ path, line: firstChangedLine(before ?? "", after) }],
    content: [{ type: "diff", changes: [change] }],
  });
  const decision = await permission.decide(call, { type: "edit", protectedBy: guards.protectedBy });
  signal.throwIfAborted();
  if (decision === "review_only") {
    // The call does not fail: `review` mode wants the edit shown and nothing more.
    await call.update({ title: `Suggested edit of ${name} (not written)`, rawOutput: { written: false } });
    return { type: "json", value: { path, written: false } satisfies EditReport };
  }
  if (decision !== "allowed") {
    throw new ToolError("denied", `\`${name}\` was not written: the user ${decision} the edit.`);
  }
  await call.update({ status: "in_progress" });
  // The user may have edited the file during the question, or a link may lead elsewhere.
  const isSameFile = (await workspace.guards(path)).protectedBy === guards.protectedBy;
  if (!isSameFile || (await readExisting(path, context)) !== before) {
    throw new ToolError("stale", `\`${name}\` has changed since this edit was proposed; nothing was written.`);
  }
  await workspace.write(path, after, signal);
  await call.update({ rawOutput: { written: true } });
  return { type: "json", value: { path, written: true } satisfies EditReport };
}

/** Reads a file; returns `undefined` if it does not exist. */
export async function readExisting(path: string, { workspace, signal }: ToolContext): Promise<string | undefined> {
  return workspace.read(path, signal).catch((error: unknown) => {
    if (error instanceof ToolError && error.code === "not_found") return undefined;
    throw error;
  });
}

function firstChangedLine(before: string, after: string): number {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  return before.slice(0, at).split("\n").length;
}

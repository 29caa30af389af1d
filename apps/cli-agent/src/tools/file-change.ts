import type { ToolCall } from "@turnkit/agent";
import { ToolError } from "../errors.js";
import type { ToolOutput } from "../model.js";
import type { ToolContext } from "./tool.js";

/** Output of a tool that changes a file. `written` is `false` in the mode `review`, which only shows changes. */
export type EditReport = { readonly path: string; readonly written: boolean };

/**
 * Change of a file. `path` is absolute, `real` is the real path of the file whose text is `before`, `name` is for people,
 * and `before` and `after` are the whole texts.
 */
type FileChange = {
  readonly path: string;
  readonly real: string;
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string;
};

/**
 * Shows a change of one file as a diff. Writes the change if the mode or the user allows it.
 *
 * - If the file changes while the user decides, it is not written.
 * - A change without effect fails, and the user gets no question.
 *
 * @throws ToolError `invalid_input` for a change without effect, `denied`, or `stale` if the file changed
 */
export async function proposeChange(
  call: ToolCall,
  { path, real, name, before, after }: FileChange,
  context: ToolContext,
): Promise<ToolOutput> {
  const { permission, workspace, signal } = context;
  const stale = () =>
    new ToolError("stale", `\`${name}\` has changed since this edit was proposed; nothing was written.`);
  const guards = await workspace.guards(path);
  if (guards.real !== real) throw stale();
  // For a secret file, this failure would confirm the model's guess of the content. The user is asked first.
  if (before === after && guards.secretBy === undefined) {
    throw new ToolError("invalid_input", `Nothing would change in \`${name}\`: the file has this content already.`);
  }
  const change =
    before === undefined
      ? ({ operation: "add", path, newText: after } as const)
      : ({ operation: "modify", path, oldText: before, newText: after } as const);
  await call.update({
    locations: [{ path, line: firstChangedLine(before ?? "", after) }],
    content: [{ type: "diff", changes: [change] }],
  });
  const decision = await permission.decide(call, { type: "edit", path: real, protectedBy: guards.protectedBy });
  signal.throwIfAborted();
  if (decision === "review_only") {
    // The call succeeds, because the mode `review` only has to show the edit.
    await call.update({ title: `Suggested edit of ${name} (not written)`, rawOutput: { written: false } });
    return { type: "json", value: { path, written: false } satisfies EditReport };
  }
  if (decision !== "allowed") {
    throw new ToolError("denied", `\`${name}\` was not written: the user ${decision} the edit.`);
  }
  await call.update({ status: "in_progress" });
  // During the question, the user may have edited the file, or a link may have got another target.
  const now = await workspace.guards(path);
  const isSameFile = now.real === real && now.protectedBy === guards.protectedBy;
  if (!isSameFile || (await readExisting(path, real, context)) !== before) throw stale();
  await workspace.write(path, after, signal, { real });
  await call.update({ rawOutput: { written: true } });
  return { type: "json", value: { path, written: true } satisfies EditReport };
}

/** Reads a file with the real path `real`. Returns `undefined` if the file does not exist. */
export async function readExisting(
  path: string,
  real: string,
  { workspace, signal }: ToolContext,
): Promise<string | undefined> {
  return workspace.read(path, signal, { real }).catch((error: unknown) => {
    if (error instanceof ToolError && error.code === "not_found") return undefined;
    throw error;
  });
}

function firstChangedLine(before: string, after: string): number {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  return before.slice(0, at).split("\n").length;
}

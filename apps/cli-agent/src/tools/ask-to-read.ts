import { existsSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { ToolCall } from "@turnkit/agent";
import { notFound, outside, ToolError } from "../errors.js";
import { createWorkspace, type Workspace } from "../workspace.js";
import type { ToolContext } from "./tool.js";

/**
 * Asks the user before a tool reads a file that may contain secrets. The question is asked in every mode. No question
 * is asked for other files.
 *
 * @returns the real path of the file
 * @throws ToolError `denied` if the user does not allow it
 */
export async function askToRead(call: ToolCall, path: string, context: ToolContext): Promise<string> {
  const { real, secretBy } = await context.workspace.guards(path);
  if (secretBy !== undefined) await askForSecrets(call, { path: real, secretBy }, context);
  return real;
}

/** File that may be read, and its real path. `workspace` contains the file. */
export type CheckedFile = { readonly path: string; readonly real: string; readonly workspace: Workspace };

/**
 * Asks the user before a tool reads a file outside of the session's folders. The question is asked in every mode, with
 * the real path of the file. Files that may contain secrets are refused without a question.
 *
 * @returns the file, with its real path as `path` and a workspace with only its folder
 * @throws ToolError `denied` if the user does not allow it, `outside`, or the reason why it is not a file
 */
export async function askToReadOutside(
  call: ToolCall,
  given: string,
  { permission, signal, workspace }: Pick<ToolContext, "permission" | "signal" | "workspace">,
): Promise<CheckedFile> {
  const { path: named, name } = workspace.locate(given);
  // If no root is on this machine, the files are on the client's machine.
  if (!workspace.roots.some((root) => existsSync(root))) throw outside(name);
  // The answer must not say whether a secret exists.
  if (workspace.isSecret(named)) throw outside(name);
  const path = await realpath(named).catch(() => {
    throw notFound(name);
  });
  if (workspace.isSecret(path)) throw outside(name);
  const found = await stat(path);
  if (found.isDirectory()) throw new ToolError("directory", `\`${name}\` is a folder.`);
  if (!found.isFile()) throw new ToolError("unreadable", `\`${name}\` is not a regular file.`);
  await call.update({ title: `Read ${path}`, locations: [{ path }] });
  const decision = await permission.decide(call, { type: "outside", folder: dirname(path) });
  signal.throwIfAborted();
  if (decision !== "allowed") throw new ToolError("denied", `\`${name}\` was not read: the user ${decision} it.`);
  // During the question, the file may have become a link.
  if ((await realpath(path).catch(() => undefined)) !== path) throw outside(name);
  return { path, real: path, workspace: createWorkspace({ cwd: dirname(path), roots: [dirname(path)] }) };
}

/**
 * Asks the user before a tool reads secrets.
 *
 * @param secrets path of a file or a folder, and the pattern that matches it
 * @throws ToolError `denied` if the user does not allow it
 */
export async function askForSecrets(
  call: ToolCall,
  secrets: { readonly path: string; readonly secretBy: string },
  { permission, signal, workspace }: Pick<ToolContext, "permission" | "signal" | "workspace">,
): Promise<void> {
  const decision = await permission.decide(call, { type: "secret", ...secrets });
  signal.throwIfAborted();
  if (decision === "allowed") return;
  const { name } = workspace.locate(secrets.path);
  throw new ToolError("denied", `\`${name}\` may hold secrets and was not read: the user ${decision} it.`);
}

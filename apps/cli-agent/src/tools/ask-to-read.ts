import type { ToolCall } from "@turnkit/agent";
import { ToolError } from "../errors.js";
import type { ToolContext } from "./tool.js";

/**
 * Asks the user before a tool reads a file that may contain secrets. The question is asked in every mode. No question
 * is asked for other files.
 *
 * @throws ToolError `denied` if the user does not allow it
 */
export async function askToRead(call: ToolCall, path: string, context: ToolContext): Promise<void> {
  const { real, secretBy } = await context.workspace.guards(path);
  if (secretBy !== undefined) await askForSecrets(call, { path: real, secretBy }, context);
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

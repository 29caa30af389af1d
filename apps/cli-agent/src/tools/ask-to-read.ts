import type { ToolCall } from "@turnkit/agent";
import { ToolError } from "../errors.js";
import type { ToolContext } from "./tool.js";

/**
 * Asks the user before a file of secrets is read, in every mode. Other files are not asked about.
 *
 * @throws ToolError `denied`
 */
export async function askToRead(call: ToolCall, path: string, context: ToolContext): Promise<void> {
  const { real, secretBy } = await context.workspace.guards(path);
  if (secretBy !== undefined) await askForSecrets(call, { path: real, secretBy }, context);
}

/**
 * Asks the user before secrets are read.
 *
 * @param secrets path of a file or a folder, and the rule that covers it
 * @throws ToolError `denied`
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

import { readdir } from "node:fs/promises";
import { basename } from "node:path";
import { asSentence } from "@turnkit/transport";
import { isInside } from "@turnkit/transport/node";
import { messageOf } from "../errors.js";
import type { ToolContext } from "../tools/tool.js";
import { knownRules } from "./oxlint.js";
import { findProjectLint, type ProjectLint, parseProjectLint } from "./project-lint.js";

type Context = Pick<ToolContext, "workspace" | "isTrusted" | "hasTrust" | "signal">;

/** Rules of the project for a file, or a sentence that says why they are not used. */
export type LoadedLint = { readonly project?: ProjectLint; readonly note?: string };

/**
 * Returns `true` if the user trusts the folder of a file. Comments in the file may then hide findings. The user is not
 * asked, because one comment does not justify a question.
 */
export async function mayHideFindings(
  path: string,
  { workspace, hasTrust }: Pick<Context, "workspace" | "hasTrust">,
): Promise<boolean> {
  const root = workspace.roots.find((one) => isInside(path, [one]));
  return root !== undefined && hasTrust(root);
}

/**
 * Reads the configuration of the project's linter for a file. It is used only if the user trusts the folder, because it can
 * hide findings. The user is asked if the answer is not known.
 *
 * @throws the reason of the signal
 */
export async function loadProjectLint(path: string, { workspace, isTrusted, signal }: Context): Promise<LoadedLint> {
  const root = workspace.roots.find((one) => isInside(path, [one]));
  const found = root === undefined ? undefined : await findProjectLint(path, root, (folder) => readdir(folder));
  if (root === undefined || found === undefined) return {};
  const name = `\`${basename(found.path)}\``;
  if (found.isProgram) return { note: `The rules of ${name} are not used, because it is a program.` };
  if (!(await isTrusted(root)))
    return { note: `The rules of ${name} are not used, because you do not trust this folder.` };
  try {
    // The reason why a text cannot be parsed contains a part of the text.
    const { real, secretBy } = await workspace.guards(found.path);
    if (secretBy !== undefined) return { note: `The rules of ${name} are not used, because it is a link to a secret.` };
    const text = await workspace.readLocal(found.path, { real, signal });
    return { project: parseProjectLint(found.path, text, await knownRules({ roots: workspace.roots, signal })) };
  } catch (error) {
    signal.throwIfAborted();
    return { note: asSentence(`The rules of ${name} are not used: ${messageOf(error)}`) };
  }
}

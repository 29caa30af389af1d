import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OpenAgent } from "@turnkit/conformance";
import { commandAgent } from "@turnkit/conformance/node";

/** Starts each agent with a new folder for its sessions. The folder contains the file that the prompts name. */
export function withSessionFolders(
  command: readonly [string, ...string[]],
  parent: string,
  env: Readonly<Record<string, string | undefined>>,
): OpenAgent {
  return async () => {
    const cwd = await sessionFolder(parent);
    return { ...(await commandAgent(command, { cwd: parent, env })()), cwd };
  };
}

/** Returns a new folder for sessions. */
export async function sessionFolder(parent: string): Promise<string> {
  const folders = join(parent, "work");
  await mkdir(folders, { recursive: true });
  const cwd = await mkdtemp(join(folders, "session-"));
  await writeFile(join(cwd, "note.txt"), "Bread: flour, water, salt, yeast.\n");
  return cwd;
}

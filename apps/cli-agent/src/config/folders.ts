import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

export type FolderEnvironment = { readonly XDG_STATE_HOME?: string; readonly LOCALAPPDATA?: string };

/** Parts of the folder of the agent's state. `plans` has the plans of commands that are running. */
type StatePart = "sessions" | "trust.json" | "checkpoints" | "plans" | "runners" | "tmp";

export const statePath = (part: StatePart): string => join(stateFolder(), part);

/** Returns the folder of the agent's state: `~/.local/state/turnkit/agent`, or the platform's equivalent. */
export function stateFolder(
  env: FolderEnvironment = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const windows = platform === "win32" ? env.LOCALAPPDATA : undefined;
  const given = env.XDG_STATE_HOME;
  // The XDG specification ignores variables with relative paths.
  const state = given !== undefined && isAbsolute(given) ? given : windows || join(homedir(), ".local", "state");
  return join(state, "turnkit", "agent");
}

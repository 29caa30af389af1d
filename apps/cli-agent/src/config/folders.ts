import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

export type FolderEnvironment = { readonly XDG_STATE_HOME?: string; readonly LOCALAPPDATA?: string };

/** Returns the folder of sessions: `~/.local/state/turnkit/agent/sessions`, or the platform's equivalent. */
export function sessionsFolder(
  env: FolderEnvironment = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  return join(stateFolder(env, platform), "sessions");
}

/** Returns the path of the list of trusted folders, beside the folder of sessions. */
export function trustFile(env: FolderEnvironment = process.env, platform: NodeJS.Platform = process.platform): string {
  return join(stateFolder(env, platform), "trust.json");
}

/** Returns the folder with the stores of checkpoints, one for each folder of a session. */
export function checkpointsFolder(
  env: FolderEnvironment = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  return join(stateFolder(env, platform), "checkpoints");
}

/** Returns the folder of the agent's state: trusted folders, sessions, checkpoints, and plans of commands that are running. */
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

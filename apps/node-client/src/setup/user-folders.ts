import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Returns a path in the folder for state of this program: `turnkit` in `$XDG_STATE_HOME`, or in `~/.local/state`. */
export function statePath(env: NodeJS.ProcessEnv, ...names: readonly string[]): string {
  const given = env.XDG_STATE_HOME;
  const state = given !== undefined && isAbsolute(given) ? given : join(env.HOME || homedir(), ".local", "state");
  return join(state, "turnkit", ...names);
}

/**
 * Returns the folder of the user's settings: `turnkit` in `$XDG_CONFIG_HOME`, in `%APPDATA%` or in `~/.config`. The
 * first variable that is set counts.
 */
export function configurationFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const given = env.XDG_CONFIG_HOME;
  // The XDG specification says that relative paths are ignored.
  if (given !== undefined && isAbsolute(given)) return join(given, "turnkit");
  if (platform === "win32" && env.APPDATA) return join(env.APPDATA, "turnkit");
  return join(env.HOME || homedir(), ".config", "turnkit");
}

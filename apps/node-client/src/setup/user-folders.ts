import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";

/** Returns a path in the folder for state of this program: `turnkit` in `$XDG_STATE_HOME`, or in `~/.local/state`. */
export function statePath(env: NodeJS.ProcessEnv, ...names: readonly string[]): string {
  const given = env.XDG_STATE_HOME;
  const state = given !== undefined && isAbsolute(given) ? given : join(homeFolder(env), ".local", "state");
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
  return join(homeFolder(env), ".config", "turnkit");
}

/**
 * Replaces a `HOME` that is empty or relative with the folder that the system knows, because it would lead into the
 * project. Programs call it at their start. Returns a note for the user, or `undefined` if nothing was replaced.
 */
export function replaceRelativeHome(env: NodeJS.ProcessEnv): string | undefined {
  const { HOME: given } = env;
  const home = given === undefined ? undefined : homeFolder(env);
  if (home === given) return undefined;
  env.HOME = home;
  return `HOME is ${given === "" ? "empty" : "a relative path"}, so ${home} is used.`;
}

/**
 * Returns the user's home folder: `$HOME`, or the folder that the system knows. A relative `$HOME` is ignored, because
 * it would lead into the project.
 */
function homeFolder({ HOME: given }: NodeJS.ProcessEnv): string {
  return given && isAbsolute(given) ? given : userInfo().homedir;
}

import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Returns a path in the folder for state of this program: `turnkit` in `$XDG_STATE_HOME`, or in `~/.local/state`. */
export function statePath(env: NodeJS.ProcessEnv, ...names: readonly string[]): string {
  const given = env.XDG_STATE_HOME;
  const state = given !== undefined && isAbsolute(given) ? given : join(env.HOME || homedir(), ".local", "state");
  return join(state, "turnkit", ...names);
}

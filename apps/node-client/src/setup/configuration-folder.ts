import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Where the user's settings for this program lie: `$XDG_CONFIG_HOME`, else `%APPDATA%` or `~/.config`, and `turnkit`. */
export function configurationFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const given = env.XDG_CONFIG_HOME;
  // The specification of XDG: a path that is not absolute is to be ignored.
  if (given !== undefined && isAbsolute(given)) return join(given, "turnkit");
  if (platform === "win32" && env.APPDATA) return join(env.APPDATA, "turnkit");
  return join(env.HOME || homedir(), ".config", "turnkit");
}

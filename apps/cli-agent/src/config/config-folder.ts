import { homedir } from "node:os";
import { join } from "node:path";

/** The variables that decide where configuration is. */
export type FolderEnvironment = { readonly XDG_CONFIG_HOME?: string; readonly APPDATA?: string };

/** Where turnkit's programs keep their configuration: `~/.config/turnkit`, or what the platform has instead. */
export function configFolder(
  env: FolderEnvironment = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const windows = platform === "win32" ? env.APPDATA : undefined;
  return join(env.XDG_CONFIG_HOME || windows || join(homedir(), ".config"), "turnkit");
}

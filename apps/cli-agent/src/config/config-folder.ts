import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The variables that decide where configuration is. */
export type FolderEnvironment = { readonly XDG_CONFIG_HOME?: string; readonly APPDATA?: string };

/** Where turnkit's programs keep their configuration: `~/.config/turnkit`, or what the platform has instead. */
export function configFolder(
  env: FolderEnvironment = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const windows = platform === "win32" ? env.APPDATA : undefined;
  return join(absolute(env.XDG_CONFIG_HOME) ?? (windows || join(homedir(), ".config")), "turnkit");
}

/** A folder as the specification of XDG reads its variables: one that is not absolute is to be ignored. */
export function absolute(folder: string | undefined): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? folder : undefined;
}

import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Variables that set the folder of the configuration. */
export type FolderEnvironment = { readonly XDG_CONFIG_HOME?: string; readonly APPDATA?: string };

/** Returns the folder of the configuration of turnkit's programs: `~/.config/turnkit`, or the platform's equivalent. */
export function configFolder(
  env: FolderEnvironment = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const windows = platform === "win32" ? env.APPDATA : undefined;
  return join(absolute(env.XDG_CONFIG_HOME) ?? (windows || join(homedir(), ".config")), "turnkit");
}

/** Returns an absolute folder, and `undefined` for every other one: XDG ignores variables with relative paths. */
export function absolute(folder: string | undefined): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? folder : undefined;
}

import { access, constants, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/** Where programs are looked for. */
export type ProgramPlace = { readonly env: NodeJS.ProcessEnv; readonly platform?: NodeJS.Platform };

/**
 * The file that a program's name stands for, as a shell would find it in `PATH`; `undefined` if there is none. Nothing
 * is started, and the current directory is not searched, whatever the system's habit.
 */
export async function findProgram(name: string, place: ProgramPlace): Promise<string | undefined> {
  const { env, platform = process.platform } = place;
  const endings = platform === "win32" ? ["", ...(env.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";")] : [""];
  const hasPath = /[\\/]/.test(name);
  const searched = env.PATH ?? env.Path ?? "";
  // An empty entry and a relative one mean the current directory, where a repository may have left something.
  const folders = hasPath ? [] : searched.split(delimiter).filter((folder) => isAbsolute(folder));
  const bases = hasPath ? [resolve(name)] : folders.map((folder) => join(folder, name));
  for (const base of bases) {
    for (const ending of endings) {
      if (await isProgram(base + ending, platform)) return base + ending;
    }
  }
  return undefined;
}

async function isProgram(path: string, platform: NodeJS.Platform): Promise<boolean> {
  try {
    if (!(await stat(path)).isFile()) return false;
    if (platform !== "win32") await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

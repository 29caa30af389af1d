import { existsSync } from "node:fs";
import { delimiter, extname, isAbsolute, join } from "node:path";
import { SpawnError } from "../errors.js";
import type { Environment } from "./child-environment.js";

/** Arguments of `spawn`. */
export type SpawnCommand = { readonly file: string; readonly args: readonly string[]; readonly verbatim: boolean };

/**
 * Prepares a command for `spawn` without a shell. Only Windows needs this. On Windows, `npx` is `npx.cmd`, which
 * `CreateProcess` does not find. Node runs `.cmd` and `.bat` files only with `cmd.exe`, which has its own quoting
 * rules. App Execution Aliases and `#!` lines are not supported.
 *
 * @throws SpawnError for an argument that cannot be passed through `cmd.exe`
 */
export function windowsCommand(
  command: readonly [string, ...string[]],
  env: Environment,
  platform: string = process.platform,
  exists: (path: string) => boolean = existsSync,
): SpawnCommand {
  const [name, ...args] = command;
  if (platform !== "win32") return { file: name, args, verbatim: false };
  const file = find(name, env, exists) ?? name;
  if (!/\.(cmd|bat)$/i.test(file)) return { file, args, verbatim: false };
  if (args.some((argument) => /[\r\n\0]/.test(argument))) {
    throw new SpawnError(
      `Could not start ${name}: an argument holds a line break, at which cmd.exe ends the command. ` +
        "Name the program itself instead of its batch file.",
    );
  }
  const line = [file.replace(special, "^$&"), ...args.map(quote)].join(" ");
  return { file: variable(env, "ComSpec") ?? "cmd.exe", args: ["/d", "/s", "/c", `"${line}"`], verbatim: true };
}

function find(name: string, env: Environment, exists: (path: string) => boolean): string | undefined {
  const extensions = (variable(env, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").split(";").filter(Boolean);
  const endings = extname(name) === "" ? extensions : ["", ...extensions];
  const folders =
    isAbsolute(name) || /[\\/]/.test(name)
      ? [""]
      : (variable(env, "Path") ?? "").split(delimiter).map(unquoted).filter(Boolean);
  for (const folder of folders) {
    for (const ending of endings) {
      const path = join(folder, name + ending);
      if (exists(path)) return path;
    }
  }
  return undefined;
}

/** Returns a folder of PATH without its quotes. */
function unquoted(folder: string): string {
  return folder.replace(/^"(.*)"$/, "$1");
}

/** Returns the value of a variable. Upper and lower case in the name are equal, as on Windows. */
export function variable(env: Environment, name: string): string | undefined {
  const key = Object.keys(env).find((key) => key.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : env[key];
}

const special = /[()\][%!^"`<>&|;, *?]/g;

/** Quotes an argument for the program, and escapes all special characters of `cmd.exe` with carets. */
function quote(argument: string): string {
  const quoted = `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, "$1$1")}"`;
  // The characters are escaped twice, because `cmd.exe` parses the line of the batch file again with the arguments in
  // it.
  return quoted.replace(special, "^$&").replace(special, "^$&");
}

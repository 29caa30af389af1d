import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { root } from "./workspace.js";

/** Result of a check: passed or not, and the output of its tool. */
export type Check = { readonly ok: boolean; readonly output: string };

/** The compiler, to be run by `process.execPath`. */
export const tsc: string = fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript/package.json")));

/** Runs the compiler over the `tsconfig.json` of one folder. */
export function checkTypes(folder: string): Promise<Check> {
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, "-p", folder, "--pretty", "false"], { cwd: root }, (error, stdout, stderr) => {
      resolve({ ok: !error, output: stdout + stderr });
    });
  });
}

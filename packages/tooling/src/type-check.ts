import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { root } from "./workspace.js";

/** Result of a check: passed or not, and the output of its tool. */
export type Check = { readonly ok: boolean; readonly output: string };

/** The compiler, to be run by `process.execPath`. */
export const tsc: string = fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript/package.json")));

/** Runs the compiler over a `tsconfig.json`, or over that of a folder. */
export function checkTypes(project: string): Promise<Check> {
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, "-p", project, "--pretty", "false"], { cwd: root }, (error, stdout, stderr) => {
      resolve({ ok: !error, output: stdout + stderr });
    });
  });
}

/**
 * Returns true if the compiler failed for another reason than declarations of other projects. Peers such as the AI SDK do
 * not compile with the strictest settings.
 */
export function isOwnFailure(output: string): boolean {
  const errors = output.split("\n").filter((line) => /\berror TS\d+/.test(line));
  return errors.length === 0 || errors.some((line) => !/^\S*node_modules\/(?!\.pnpm\/|@turnkit\/)/.test(line));
}

export { isPackageRunner } from "./package-runner.js";
export type { CommandWord, Redirection, SimpleCommand } from "./parse-command-line.js";
export { parseCommandLine } from "./parse-command-line.js";
export { commandsIn, fitsCommandPattern } from "./plain-commands.js";

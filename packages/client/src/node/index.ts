export type { FileHostOptions, OpenBuffers } from "./files.js";
export { createFileHost } from "./files.js";
export type { LaunchOptions } from "./launch.js";
export { launch } from "./launch.js";
export type { TerminalLoginOptions } from "./terminal-login.js";
export { loginOnTerminal } from "./terminal-login.js";
export type { TerminalHostOptions } from "./terminals.js";
export { createTerminalHost } from "./terminals.js";

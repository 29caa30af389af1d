export type { EnvironmentGrant } from "@turnkit/transport/node";
export { childEnvironment } from "@turnkit/transport/node";
export type { FileLogOptions, LogRepair } from "./file-log.js";
export { createFileLog } from "./file-log.js";
export type { LocalFilesOptions } from "./local-files.js";
export { createLocalFiles, MAX_LOCAL_READ_BYTES } from "./local-files.js";
export type { LocalTerminalsOptions } from "./local-terminals.js";
export { createLocalTerminals } from "./local-terminals.js";
export { serveStdio } from "./serve-stdio.js";

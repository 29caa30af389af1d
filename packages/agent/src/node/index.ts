export type { FileLogOptions, LogRepair } from "./file-log.js";
export { createFileLog } from "./file-log.js";
export { createLocalFiles, MAX_LOCAL_READ_BYTES } from "./local-files.js";
export { serveStdio } from "./serve-stdio.js";

export type { FileLogOptions, LogRepair } from "@turnkit/agent/node";
export { createFileLog } from "@turnkit/agent/node";

import { terminalId } from "../both/identifiers.js";
import {
  type Infer,
  integer,
  lenient,
  nullable,
  object,
  optional,
  requiredOr,
  type Schema,
  string,
} from "../vocabulary.js";
import { absolutePath } from "./absolute-path.js";

const terminalOutput_ = object({
  /** All bytes so far, in base64. The encoding is not checked. */
  data: string(),
});
// V2-TERM-04
/** Complete output of a terminal; it replaces the output before. */
export interface TerminalOutput extends Infer<typeof terminalOutput_> {}
/** Validates a {@link TerminalOutput}. */
export const terminalOutput: Schema<TerminalOutput> = terminalOutput_;

const terminalExitStatus_ = object({
  /** The exit code, if there is one. May be negative. */
  exitCode: lenient(nullable(integer())),
  /** The name of the signal that ended the process, such as `SIGTERM`. */
  signal: lenient(nullable(string())),
});
// V2-TERM-07
/** Exit status of a process. If it is present, even without members, the process has ended. */
export interface TerminalExitStatus extends Infer<typeof terminalExitStatus_> {}
/** Validates a {@link TerminalExitStatus}. */
export const terminalExitStatus: Schema<TerminalExitStatus> = terminalExitStatus_;

const terminalSize_ = object({
  /** Columns. */
  cols: integer(1, 0xffff),
  /** Rows. */
  rows: integer(1, 0xffff),
});
/** Size of a terminal in characters. */
export interface TerminalSize extends Infer<typeof terminalSize_> {}
/** Validates a {@link TerminalSize}. */
export const terminalSize: Schema<TerminalSize> = terminalSize_;

const terminalCancelCapabilities_ = object({});
/** Marker: `terminal/cancel` can stop the process now. It counts when present and not null. */
export interface TerminalCancelCapabilities extends Infer<typeof terminalCancelCapabilities_> {}
/** Validates {@link TerminalCancelCapabilities}. */
export const terminalCancelCapabilities: Schema<TerminalCancelCapabilities> = terminalCancelCapabilities_;

const terminalCapabilities_ = object({
  /** The method `terminal/cancel`. */
  cancel: lenient(nullable(terminalCancelCapabilities)),
});
/** Commands that the client can send to a terminal now. */
export interface TerminalCapabilities extends Infer<typeof terminalCapabilities_> {}
/** Validates {@link TerminalCapabilities}. */
export const terminalCapabilities: Schema<TerminalCapabilities> = terminalCapabilities_;

const terminalUpdate_ = object({
  /** Id of the terminal. An update with a new id creates a terminal. */
  terminalId,
  /** Command of the terminal, for people. */
  command: lenient(nullable(string())),
  /** Working directory. */
  cwd: lenient(nullable(absolutePath)),
  /** Complete new output. */
  output: lenient(nullable(terminalOutput)),
  /** Exit status of the process. */
  exitStatus: lenient(nullable(terminalExitStatus)),
  /** Size of the terminal. */
  size: lenient(nullable(terminalSize)),
  /** Commands that the client can send from now on. Null means none. A malformed value reads as null, for safety. */
  capabilities: optional(requiredOr(nullable(terminalCapabilities), null)),
});
// V2-TERM-03, V2-UPD-04, V2-DEC-11
/**
 * Creation or change of a terminal of the agent. Null clears a member, absent or malformed leaves it. `_meta` is merged
 * key by key.
 */
export interface TerminalUpdate extends Infer<typeof terminalUpdate_> {}
/** Validates a {@link TerminalUpdate}. */
export const terminalUpdate: Schema<TerminalUpdate> = terminalUpdate_;

const terminalOutputChunk_ = object({
  /** The terminal. */
  terminalId,
  /** The bytes to append, in base64. Each chunk is decoded separately, and may end within a character. */
  data: string(),
});
// V2-TERM-05, V2-TERM-06
/** Addition to the output of a terminal. */
export interface TerminalOutputChunk extends Infer<typeof terminalOutputChunk_> {}
/** Validates a {@link TerminalOutputChunk}. */
export const terminalOutputChunk: Schema<TerminalOutputChunk> = terminalOutputChunk_;

const terminal_ = object({
  /** The terminal. Updates about it may come before or after this block. */
  terminalId,
});
// V2-TERM-02
/** A terminal of the agent whose output is shown as part of a tool call. */
export interface Terminal extends Infer<typeof terminal_> {}
/** Validates a {@link Terminal}. */
export const terminal: Schema<Terminal> = terminal_;

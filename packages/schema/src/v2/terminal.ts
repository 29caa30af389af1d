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
  /** All bytes until now, in base64. The encoding is not checked. */
  data: string(),
});
// V2-TERM-04
/** Complete output of a terminal. It replaces the previous output. */
export interface TerminalOutput extends Infer<typeof terminalOutput_> {}
/** Validates a {@link TerminalOutput}. */
export const terminalOutput: Schema<TerminalOutput> = terminalOutput_;

const terminalExitStatus_ = object({
  /** Exit code, if there is one. It may be negative. */
  exitCode: lenient(nullable(integer())),
  /** Name of the signal that ended the process, such as `SIGTERM`. */
  signal: lenient(nullable(string())),
});
// V2-TERM-07
/** Exit status of a process. If it is present, the process has ended, even if the status has no members. */
export interface TerminalExitStatus extends Infer<typeof terminalExitStatus_> {}
/** Validates a {@link TerminalExitStatus}. */
export const terminalExitStatus: Schema<TerminalExitStatus> = terminalExitStatus_;

const terminalSize_ = object({
  /** Number of columns. */
  cols: integer(1, 0xffff),
  /** Number of rows. */
  rows: integer(1, 0xffff),
});
/** Size of a terminal in characters. */
export interface TerminalSize extends Infer<typeof terminalSize_> {}
/** Validates a {@link TerminalSize}. */
export const terminalSize: Schema<TerminalSize> = terminalSize_;

const terminalCancelCapabilities_ = object({});
/** Marker that `terminal/cancel` can stop the process now. The marker counts if it is present and not null. */
export interface TerminalCancelCapabilities extends Infer<typeof terminalCancelCapabilities_> {}
/** Validates {@link TerminalCancelCapabilities}. */
export const terminalCancelCapabilities: Schema<TerminalCancelCapabilities> = terminalCancelCapabilities_;

const terminalCapabilities_ = object({
  /** Support for the method `terminal/cancel`. */
  cancel: lenient(nullable(terminalCancelCapabilities)),
});
/** Requests that the client can send for a terminal now. */
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
  /**
   * Requests that the client can send from now on. `null` means none. A malformed value counts as null, so that the
   * client sends none.
   */
  capabilities: optional(requiredOr(nullable(terminalCapabilities), null)),
});
// V2-TERM-03, V2-UPD-04, V2-DEC-11
/**
 * New or changed terminal of the agent. `null` clears a member, and an absent or malformed member is not changed.
 * `_meta` is merged by key.
 */
export interface TerminalUpdate extends Infer<typeof terminalUpdate_> {}
/** Validates a {@link TerminalUpdate}. */
export const terminalUpdate: Schema<TerminalUpdate> = terminalUpdate_;

const terminalOutputChunk_ = object({
  /** Id of the terminal. */
  terminalId,
  /** Bytes that are added to the output, in base64. Each chunk is decoded separately. It may end within a character. */
  data: string(),
});
// V2-TERM-05, V2-TERM-06
/** Addition to the output of a terminal. */
export interface TerminalOutputChunk extends Infer<typeof terminalOutputChunk_> {}
/** Validates a {@link TerminalOutputChunk}. */
export const terminalOutputChunk: Schema<TerminalOutputChunk> = terminalOutputChunk_;

const terminal_ = object({
  /** Id of the terminal. Updates of the terminal may come before or after this block. */
  terminalId,
});
// V2-TERM-02
/** Terminal of the agent. Its output is shown as part of a tool call. */
export interface Terminal extends Infer<typeof terminal_> {}
/** Validates a {@link Terminal}. */
export const terminal: Schema<Terminal> = terminal_;

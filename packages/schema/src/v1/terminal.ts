import { sessionId, terminalId } from "../both/identifiers.js";
import { envVariable } from "../both/named-value.js";
import {
  boolean,
  type Infer,
  integer,
  lenient,
  list,
  nullAsEmpty,
  nullable,
  object,
  optional,
  type Schema,
  string,
} from "../vocabulary.js";

const createTerminalRequest_ = object({
  /** Id of the session. */
  sessionId,
  /** Program to run. */
  command: string(),
  /** Arguments of the program. If absent or null, there are none. */
  args: optional(nullAsEmpty(list(string()))),
  /** Additional environment variables for the program. If a name occurs twice, the later value counts. */
  env: optional(nullAsEmpty(list(envVariable))),
  /** Absolute path of the working directory. If absent or null, it is the session's directory. */
  cwd: optional(nullable(string())),
  /** Maximum number of output bytes to store. Beyond it, the oldest output is dropped. */
  outputByteLimit: optional(nullable(integer(0))),
});
// V1-TERM-02, V1-TERM-06
/** Params of `terminal/create`, which runs a command. The answer comes immediately. */
export interface CreateTerminalRequest extends Infer<typeof createTerminalRequest_> {}
/** Validates a {@link CreateTerminalRequest}. */
export const createTerminalRequest: Schema<CreateTerminalRequest> = createTerminalRequest_;

const createTerminalResponse_ = object({
  /** Id of the terminal for the other terminal methods. */
  terminalId,
});
/** Result of `terminal/create`. */
export interface CreateTerminalResponse extends Infer<typeof createTerminalResponse_> {}
/** Validates a {@link CreateTerminalResponse}. */
export const createTerminalResponse: Schema<CreateTerminalResponse> = createTerminalResponse_;

const oneTerminal_ = object({
  /** Id of the session. */
  sessionId,
  /** Id of one of the session's terminals. */
  terminalId,
});

// V1-TERM-08
/** Params of `terminal/output`, which returns the current output without waiting. */
export interface TerminalOutputRequest extends Infer<typeof oneTerminal_> {}
/** Validates a {@link TerminalOutputRequest}. */
export const terminalOutputRequest: Schema<TerminalOutputRequest> = oneTerminal_;

const terminalExitStatus_ = object({
  /** Exit code. It is null or absent if a signal ended the command. */
  exitCode: lenient(nullable(integer(0, 0xffff_ffff))),
  /** Name of the signal that ended the command. */
  signal: lenient(nullable(string())),
});
// V1-TERM-11
/** Exit status of a command. */
export interface TerminalExitStatus extends Infer<typeof terminalExitStatus_> {}
/** Validates a {@link TerminalExitStatus}. */
export const terminalExitStatus: Schema<TerminalExitStatus> = terminalExitStatus_;

const terminalOutputResponse_ = object({
  /** Stored output of the command. */
  output: string(),
  /** `true` if the beginning of the output was dropped. */
  truncated: boolean(),
  /** Exit status of the command. It is absent or null while the command runs. */
  exitStatus: lenient(nullable(terminalExitStatus)),
});
/** Result of `terminal/output`. */
export interface TerminalOutputResponse extends Infer<typeof terminalOutputResponse_> {}
/** Validates a {@link TerminalOutputResponse}. */
export const terminalOutputResponse: Schema<TerminalOutputResponse> = terminalOutputResponse_;

// V1-TERM-10
/** Params of `terminal/wait_for_exit`. The answer comes when the command has ended. */
export interface WaitForTerminalExitRequest extends Infer<typeof oneTerminal_> {}
/** Validates a {@link WaitForTerminalExitRequest}. */
export const waitForTerminalExitRequest: Schema<WaitForTerminalExitRequest> = oneTerminal_;

/** Result of `terminal/wait_for_exit`. */
export interface WaitForTerminalExitResponse extends Infer<typeof terminalExitStatus_> {}
/** Validates a {@link WaitForTerminalExitResponse}. */
export const waitForTerminalExitResponse: Schema<WaitForTerminalExitResponse> = terminalExitStatus_;

// V1-TERM-12
/** Params of `terminal/kill`, which ends the command. The terminal is not released. */
export interface KillTerminalRequest extends Infer<typeof oneTerminal_> {}
/** Validates a {@link KillTerminalRequest}. */
export const killTerminalRequest: Schema<KillTerminalRequest> = oneTerminal_;

const nothing_ = object({});
/** Result of `terminal/kill`. */
export interface KillTerminalResponse extends Infer<typeof nothing_> {}
/** Validates a {@link KillTerminalResponse}. */
export const killTerminalResponse: Schema<KillTerminalResponse> = nothing_;

// V1-TERM-13
/**
 * Params of `terminal/release`, which ends the command and releases the terminal. The terminal's id is then invalid.
 */
export interface ReleaseTerminalRequest extends Infer<typeof oneTerminal_> {}
/** Validates a {@link ReleaseTerminalRequest}. */
export const releaseTerminalRequest: Schema<ReleaseTerminalRequest> = oneTerminal_;

/** Result of `terminal/release`. */
export interface ReleaseTerminalResponse extends Infer<typeof nothing_> {}
/** Validates a {@link ReleaseTerminalResponse}. */
export const releaseTerminalResponse: Schema<ReleaseTerminalResponse> = nothing_;

import { isRpcError, rpcErrorCode } from "@turnkit/client";
import { type ExitCode, exitCode, UsageError } from "../exit-code.js";
import { LoginNeededError } from "./visit.js";

/** Returns the exit code for an error outside of a turn. */
export function exitCodeOfError(error: unknown): ExitCode {
  if (error instanceof UsageError) return exitCode.usage;
  const isLogin = error instanceof LoginNeededError || isRpcError(error, rpcErrorCode.authRequired);
  return isLogin ? exitCode.login : exitCode.failed;
}

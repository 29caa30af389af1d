import { RpcError } from "@turnkit/agent";
import { ConfigError, ModelError } from "./errors.js";

const AUTH_REQUIRED = -32000;
const INTERNAL_ERROR = -32603;

/**
 * Turns a failure of the provider or the configuration into an error with its own message. A missing or refused key
 * asks the client for a login. Every other error stays as it is.
 */
export function toRpcError(error: unknown): unknown {
  if (error instanceof ModelError) {
    const { code, provider, status } = error;
    const rpcCode = code === "login" ? AUTH_REQUIRED : INTERNAL_ERROR;
    return new RpcError(rpcCode, error.message, {
      problem: code,
      provider,
      ...(status === undefined ? {} : { status }),
    });
  }
  if (error instanceof ConfigError) return new RpcError(INTERNAL_ERROR, error.message, { problem: "config" });
  return error;
}

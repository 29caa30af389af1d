import { RpcError } from "@turnkit/agent";
import { ConfigError } from "./config/config-error.js";
import { ModelError } from "./models/model-error.js";

const AUTH_REQUIRED = -32000;
const INTERNAL_ERROR = -32603;

/**
 * What the client is told of a failure: what the provider or the configuration said, instead of "internal error". A
 * missing or refused key asks the client for a login. Anything else stays as it is.
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

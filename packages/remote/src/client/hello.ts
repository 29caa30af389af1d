import type { RequestMessage } from "@turnkit/transport";
import { PACKED_KEY } from "../wire/packed.js";
import { CONNECTION_ID_KEY, offersResumption, RESUMABLE_KEY } from "../wire/resumption.js";

/** Returns an `initialize` that asks for a resumable connection, and for packed frames. */
// REM-39
export function askResumption(message: RequestMessage): RequestMessage {
  const params = (message.params ?? {}) as { readonly _meta?: object };
  return { ...message, params: { ...params, _meta: { ...params._meta, [RESUMABLE_KEY]: true, [PACKED_KEY]: true } } };
}

/** Facts of an answer of `initialize`. `connectionId` is present on a WebSocket only. */
export type Agreed = {
  readonly isResumable: boolean;
  readonly isPacked: boolean;
  readonly connectionId: string | undefined;
  readonly version: string | undefined;
};

/** Reads the result of `initialize`. */
export function agreedIn(result: unknown): Agreed {
  const { _meta, protocolVersion } = (result ?? {}) as {
    _meta?: { [key: string]: unknown };
    protocolVersion?: unknown;
  };
  const id = _meta?.[CONNECTION_ID_KEY];
  return {
    isResumable: offersResumption(result),
    isPacked: _meta?.[PACKED_KEY] === true,
    connectionId: typeof id === "string" ? id : undefined,
    version: typeof protocolVersion === "number" ? String(protocolVersion) : undefined,
  };
}

import type { AskedCalls, Calls } from "@turnkit/session/codec";
import {
  type Connection,
  checkIncoming,
  InvalidMessageError,
  isRpcError,
  type RequestOptions,
  rpcErrorCode,
} from "@turnkit/transport";
import { outcomeUnknown } from "../outcome-unknown.js";
import { peerNames } from "../sdk-names.js";
import { agentRoutes } from "./agent-routes.js";
import { checkCall, checkOffered } from "./capability-checks.js";
import type { Answered, Call } from "./dialect-rules.js";
import type { AgentHost, Dialect, Driver, Peer } from "./driver.js";
import { objectOrNull } from "./read-contract.js";

/**
 * Makes the driver of a dialect for an agent that answered `initialize`.
 *
 * @throws InvalidMessageError if the answer breaks the schema
 */
export function createDriver(
  dialect: Dialect,
  answer: unknown,
  { connection, host }: { readonly connection: Connection; readonly host: AgentHost },
): Driver {
  const peer = readPeer(dialect, answer);
  const call = createCall(dialect, peer, connection);
  return {
    peer,
    dialect,
    call,
    routes: agentRoutes(host, peer, dialect),
    openTurns: dialect.turns(call),
    cancel: (sessionId) => connection.notify("session/cancel", { sessionId }),
  };
}

function readPeer({ dialect, inbound, contract }: Dialect, answer: unknown): Peer {
  const checked = checkIncoming(contract.initialize?.result ?? objectOrNull, answer);
  if ("issues" in checked) throw new InvalidMessageError("initialize", "result", checked.issues);
  const { info, capabilities, authMethods } = inbound.ask.initialize.decodeResult(checked.value as object);
  return Object.setPrototypeOf({ dialect, info, capabilities, authMethods } satisfies Peer, peerNames);
}

function createCall({ codec, contract, version }: Dialect, peer: Peer, connection: Connection): Call {
  const calls: AskedCalls = codec.ask;
  return async <K extends keyof Calls>(
    name: K,
    params: Calls[K]["params"],
    { received, failed, signal, orGone }: Answered<Calls[K]["result"]> = {},
  ) => {
    checkCall(peer, name, params);
    const shape = calls[name] ?? checkOffered(peer, false, `speaks a version that has no ${name}`);
    let decoded: Calls[K]["result"] | undefined;
    const take = (wire: object) => {
      decoded = shape.decodeResult(wire);
      received?.(decoded);
    };
    const encoded = shape.encodeParams(params);
    // Stays the identity if the request was not sent.
    let lost = (error: unknown): unknown => error;
    const isGone = (error: unknown) => orGone && isRpcError(error, rpcErrorCode.resourceNotFound);
    const options: RequestOptions<object> = {
      result: (contract[shape.method]?.result ?? objectOrNull) as NonNullable<RequestOptions<object>["result"]>,
      ...(signal && { signal }),
      failed(error) {
        lost = (failure) => outcomeUnknown(failure, { method: shape.method, params: encoded, version });
        if (isGone(error)) take({});
        else failed?.(lost(error));
      },
      received: take,
    };
    try {
      await connection.request<object>(shape.method, encoded, options);
    } catch (error) {
      // V1-SESS-37, V2-SES-18
      if (!isGone(error)) throw lost(error);
    }
    return decoded as Calls[K]["result"];
  };
}

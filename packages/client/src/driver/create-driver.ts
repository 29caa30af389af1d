import type { DialectName } from "@turnkit/session";
import type { AskedCalls, Calls, ClientCodec } from "@turnkit/session/codec";
import {
  type Connection,
  type Contract,
  checkIncoming,
  InvalidMessageError,
  isRpcError,
  type RequestOptions,
  rpcErrorCode,
} from "@turnkit/transport";
import { agentRoutes } from "./agent-routes.js";
import { checkCall, checkContent, checkOffered, checkPlace } from "./capability-checks.js";
import type { Answered, Call, DialectRules } from "./dialect-rules.js";
import type { Dialect, Peer } from "./driver.js";
import { objectOrNull } from "./read-contract.js";

/** Codecs of one dialect. `inbound` reads the messages of the agent; absent: `calls` reads them too. */
export type DriverCodecs = { readonly calls: ClientCodec; readonly inbound?: ClientCodec };

/**
 * Makes the driver of a dialect of its codec, the contract of the messages that it reads, and its rules.
 *
 * @returns the function that reads the agent's answer to `initialize` and returns the driver
 */
// @__NO_SIDE_EFFECTS__
export function createDriver(
  { calls: codec, inbound = codec }: DriverCodecs,
  contract: Contract,
  rules: DialectRules,
): Dialect["createDriver"] {
  return (connection, host, answer) => {
    const peer = readPeer(answer, { inbound, contract, dialect: codec.dialect });
    const call = createCall({ connection, codec, contract, peer });
    return {
      peer,
      rules,
      routes: agentRoutes(host, { peer, contract, codec: inbound, rules }),
      call,
      openTurns: rules.turns(call),
      cancel: (sessionId) => connection.notify("session/cancel", { sessionId }),
      planRestore(place) {
        const plan = rules.restoration(peer.capabilities) ?? checkOffered(peer, false, "cannot restore sessions");
        checkPlace(peer, place);
        return plan;
      },
      checkPrompt(content) {
        if (content.length === 0 && !rules.emptyPrompts) {
          const issues = [{ path: ["prompt"], message: "expected at least one block" }];
          throw new InvalidMessageError("session/prompt", "params", issues);
        }
        checkContent(peer, content);
      },
    };
  };
}

function readPeer(answer: object, { inbound, contract, dialect }: PeerParts): Peer {
  const checked = checkIncoming(contract.initialize?.result ?? objectOrNull, answer);
  if ("issues" in checked) throw new InvalidMessageError("initialize", "result", checked.issues);
  const { info, capabilities, authMethods } = inbound.ask.initialize.decodeResult(checked.value as object);
  return { dialect, info, capabilities, authMethods };
}

type PeerParts = { readonly inbound: ClientCodec; readonly contract: Contract; readonly dialect: DialectName };
type CallParts = {
  readonly connection: Connection;
  readonly codec: ClientCodec;
  readonly contract: Contract;
  readonly peer: Peer;
};

function createCall({ connection, codec, contract, peer }: CallParts): Call {
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
    const isGone = (error: unknown) => orGone && isRpcError(error, rpcErrorCode.resourceNotFound);
    const options: RequestOptions<object> = {
      result: (contract[shape.method]?.result ?? objectOrNull) as NonNullable<RequestOptions<object>["result"]>,
      ...(signal && { signal }),
      failed: (error) => (isGone(error) ? take({}) : failed?.(error)),
      received: take,
    };
    try {
      await connection.request<object>(shape.method, shape.encodeParams(params), options);
    } catch (error) {
      // V1-SESS-37, V2-SES-18
      if (!isGone(error)) throw error;
    }
    return decoded as Calls[K]["result"];
  };
}

import type { AgentCapabilities, DialectName, PermissionOutcome } from "@turnkit/session";
import type { AgentCodec, Calls } from "@turnkit/session/codec";
import type { Connection, StandardSchemaV1 } from "@turnkit/transport";
import { RpcError } from "@turnkit/transport";
import { offeredCalls } from "../capabilities.js";
import { describeEnd, type TurnEnd } from "../turn-end.js";
import type { CallHandlers, Driver, DriverParts, Service } from "./driver.js";

// V2-MCP-02
/** Returns capabilities without MCP servers over SSE, which only version 1 has. */
export function withoutSse(capabilities: AgentCapabilities): AgentCapabilities {
  return { ...capabilities, mcp: { ...capabilities.mcp, sse: false } };
}

/** Returns the calls of version 1 and seed, where the end of its turn answers a prompt. */
export function olderCalls(service: Service): CallHandlers {
  return {
    ...offeredCalls(service.calls, service.capabilities),
    prompt(params, call) {
      const receipt = service.prompt(params, call);
      receipt.proceed();
      call.onAbort(() => receipt.cancel());
      call.afterResponse(() => receipt.release());
      return receipt.ended.then(answerOf);
    },
  };
}

/** Returns the reports of a dialect that answers a prompt at the end of its turn: no update carries a session's activity. */
export function turnsByAnswer(
  dialect: DialectName,
  onLoss: DriverParts["onLoss"],
): Pick<Driver, "end" | "waiting" | "backgroundChanged" | "restored"> {
  return {
    end: ({ output }, promptId, end) => output.record({ type: "turn_ended", promptId, ...describeEnd(end) }),
    waiting: () => undefined,
    backgroundChanged: ({ id }) => onLoss({ id: "state", to: dialect, event: "state_update" }, id),
    restored: () => undefined,
  };
}

/** @throws the error of a turn that failed */
function answerOf(end: TurnEnd): Calls["prompt"]["result"] {
  if ("error" in end) throw end.error;
  if (end.stopReason === "error") throw RpcError.internalError("the turn failed");
  return end;
}

/** Parts of a request to the client. */
export type Asking = {
  readonly connection: Connection;
  readonly codec: AgentCodec;
  readonly onLoss: DriverParts["onLoss"];
  readonly signal: AbortSignal;
  /** Schema of the answer. Without one the codec reads any answer. */
  readonly result?: StandardSchemaV1 | undefined;
};

/** Asks for a permission. Rejects once `signal` fired; a later answer is ignored. */
export async function askPermission(
  { connection, codec, onLoss, signal, result }: Asking,
  question: Calls["askPermission"]["params"],
): Promise<PermissionOutcome> {
  const shape = codec.ask.askPermission;
  const params = shape.encodeParams(question, (loss) => onLoss(loss, question.sessionId));
  const options = { signal, onAbort: "abandon", ...(result && { result }) } as const;
  return shape.decodeResult(objectOf(await connection.request(shape.method, params, options))).outcome;
}

/** Asks the person for input. A dialect without such questions gives no answer. */
export async function elicit(
  { connection, codec, signal, result }: Asking,
  question: Calls["elicit"]["params"],
): Promise<Calls["elicit"]["result"]> {
  const shape = codec.ask.elicit;
  if (shape === undefined) return { action: "cancel" };
  const options = { signal, onAbort: "abandon", ...(result && { result }) } as const;
  return shape.decodeResult(objectOf(await connection.request(shape.method, shape.encodeParams(question), options)));
}

/** Returns an answer, or `{}` for one that is no object and was not validated. */
const objectOf = (answer: unknown): object => (typeof answer === "object" && answer !== null ? answer : {});

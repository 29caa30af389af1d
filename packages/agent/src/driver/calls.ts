import type { AgentCapabilities, DialectName } from "@turnkit/session";
import type { AgentCodec, AskedCalls, Calls } from "@turnkit/session/codec";
import { type Contract, type RequestOptions, RpcError } from "@turnkit/transport";
import { offeredCalls } from "../capabilities.js";
import { describeEnd, type TurnEnd } from "../turn-end.js";
import type { CallHandlers, Dialect, Driver, DriverParts, Service } from "./driver.js";

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

/** Returns the answer to `initialize` in a dialect. Logins on a terminal go only to clients that have one. */
// @__NO_SIDE_EFFECTS__
export function answersHello(codec: AgentCodec, protocolVersion: number): Dialect["answerHello"] {
  return (answer, { capabilities }) => {
    const authMethods = answer.authMethods.filter(({ type }) => type !== "terminal" || capabilities.terminalLogin);
    return codec.answer.initialize.encodeResult({ ...answer, authMethods, protocolVersion });
  };
}

/** Returns the questions to a client. Answers without a row in the contract are not checked. */
export function questionsBy(
  codec: AgentCodec,
  contract: Contract,
  { connection, onLoss }: DriverParts,
): Pick<Driver, "askPermission" | "elicit" | "completeElicitation"> {
  const { askPermission, elicit }: AskedCalls & AgentCodec["ask"] = codec.ask;
  function ask(method: string, params: object, signal: AbortSignal): Promise<object> {
    const result = contract[method]?.result as RequestOptions<object>["result"];
    return connection.request<object>(method, params, { signal, onAbort: "abandon", ...(result && { result }) });
  }
  return {
    async askPermission(sessionId, question, signal) {
      const params = askPermission.encodeParams({ ...question, sessionId }, (loss) => onLoss(loss, sessionId));
      return askPermission.decodeResult(await ask(askPermission.method, params, signal)).outcome;
    },
    async elicit(question, signal) {
      if (elicit === undefined) return { action: "cancel" };
      return elicit.decodeResult(await ask(elicit.method, elicit.encodeParams(question), signal));
    },
    completeElicitation: (elicitationId) => void connection.notify("elicitation/complete", { elicitationId }),
  };
}

import type { DialectName } from "@turnkit/session";
import type { Calls } from "@turnkit/session/codec";
import { RpcError } from "@turnkit/transport";
import { offeredCalls } from "../capabilities.js";
import { describeEnd, type TurnEnd } from "../turn-end.js";
import type { CallHandlers, DialectRules, DriverParts, Service } from "./driver.js";

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
): Pick<DialectRules, "end" | "backgroundChanged"> {
  return {
    end: ({ output }, promptId, end) => output.record({ type: "turn_ended", promptId, ...describeEnd(end) }),
    backgroundChanged: ({ id }) => onLoss({ id: "state", to: dialect, event: "state_update" }, id),
  };
}

/** @throws the error of a turn that failed */
function answerOf(end: TurnEnd): Calls["prompt"]["result"] {
  if ("error" in end) throw end.error;
  if (end.stopReason === "error") throw RpcError.internalError("the turn failed");
  return end;
}

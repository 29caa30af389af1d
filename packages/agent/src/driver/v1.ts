import * as v1 from "@turnkit/schema/v1";
import type { DialectName } from "@turnkit/session";
import { type Calls, v1AgentCodec } from "@turnkit/session/codec";
import { RpcError } from "@turnkit/transport";
import { offeredCalls } from "../capabilities.js";
import { createClientFiles } from "../client-tools/files.js";
import { createClientTerminals } from "../client-tools/terminals.js";
import { describeEnd, type TurnEnd } from "../turn-end.js";
import type { CallHandlers, Dialect, DialectRules, DriverParts, Service } from "./driver.js";

/** Version 1 of the protocol. */
export const v1Dialect: Dialect = {
  dialect: "v1",
  version: 1,
  since: "2025-09",
  codec: v1AgentCodec,
  contract: v1.agentContract,
  checksAnswers: true,
  nullIds: true,
  commandsInAnswers: false,
  repeatsContents: true,
  echoesPrompts: false,
  hasSse: true,
  fits: () => true,
  readHello(params) {
    const result = v1.initializeRequest["~standard"].validate(params);
    if (result instanceof Promise || result.issues) throw RpcError.invalidParams("initialize needs a protocolVersion");
    return v1AgentCodec.answer.initialize.decodeParams(result.value);
  },
  mayRepeat: ({ hasSessions }) => !hasSessions,
  calls: olderCalls,
  rules,
};

function rules({ connection, client, onLoss }: DriverParts): DialectRules {
  const { files, terminals } = client.capabilities;
  return {
    ...turnsByAnswer("v1", onLoss),
    // P-SUB1-02
    ...(client.capabilities.subagents && { childStates: "parent" as const }),
    begin({ output }, { messageId, prompt }) {
      // The client shows its own prompt, so the agent does not send it back.
      output.record({ type: "user_message", messageId, content: prompt });
      output.record({ type: "turn_started", promptId: messageId });
    },
    ...((files.read || files.write) && {
      files: (sessionId, lifetime) => createClientFiles(connection, files, sessionId, lifetime),
    }),
    ...(terminals && { terminals: (sessionId, lifetime) => createClientTerminals(connection, sessionId, lifetime) }),
  };
}

/** Returns the calls of version 1 and seed. They answer a prompt at the end of its turn. */
export function olderCalls(service: Service): CallHandlers {
  return {
    ...offeredCalls(service.calls, service.capabilities),
    prompt(params, call) {
      // Neither dialect has keys, although messages of seed may hold one.
      const { idempotencyKey: key, ...unkeyed } = params;
      const receipt = service.prompt(key === undefined ? params : unkeyed, call);
      receipt.proceed();
      call.onAbort(() => receipt.cancel());
      call.afterResponse(() => receipt.release());
      return receipt.ended.then(answerOf);
    },
  };
}

/**
 * Returns the rules of version 1 and seed for the end of a turn and for background work. Neither dialect has updates for
 * these events.
 */
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

import * as v1 from "@turnkit/schema/v1";
import { v1AgentCodec, wireHandlers } from "@turnkit/session/codec";
import { createRoutes, RpcError } from "@turnkit/transport";
import { createClientFiles } from "../client-tools/files.js";
import { createClientTerminals } from "../client-tools/terminals.js";
import { answersHello, olderCalls, questionsBy, turnsByAnswer } from "./calls.js";
import type { Dialect, Driver, DriverParts } from "./driver.js";

/** Version 1 of the protocol. */
export const v1Dialect: Dialect = {
  dialect: "v1",
  version: 1,
  since: "2025-09",
  fits: () => true,
  readHello(params) {
    const result = v1.initializeRequest["~standard"].validate(params);
    if (result instanceof Promise || result.issues) throw RpcError.invalidParams("initialize needs a protocolVersion");
    return v1AgentCodec.answer.initialize.decodeParams(result.value);
  },
  mayRepeat: ({ hasSessions }) => !hasSessions,
  answerHello: /* @__PURE__ */ answersHello(v1AgentCodec, 1),
  createDriver,
};

function createDriver(parts: DriverParts): Driver {
  const { connection, service, client, onLoss } = parts;
  const { capabilities } = client;
  const handlers = wireHandlers(v1AgentCodec, olderCalls(service), { peer: capabilities, onLoss });
  const routes = createRoutes(v1.agentContract, "agent", {
    ...handlers,
    "session/cancel": (params: v1.CancelNotification) => service.cancel(params.sessionId),
  });
  return {
    client,
    offers: service.capabilities,
    routes,
    nullIds: true,
    commandsInAnswers: false,
    createEncoder: (lost) => v1AgentCodec.createEncoder(capabilities, lost),
    repeatsContents: true,
    ...turnsByAnswer("v1", onLoss),
    begin({ output }, { messageId, prompt }) {
      // The client shows its own prompt: there is no echo.
      output.record({ type: "user_message", messageId, content: prompt });
      output.record({ type: "turn_started", promptId: messageId });
    },
    ...questionsBy(v1AgentCodec, v1.agentContract, parts),
    files: (sessionId, lifetime) => createClientFiles(connection, capabilities, sessionId, lifetime),
    terminals: (sessionId, lifetime) =>
      capabilities.terminals ? createClientTerminals(connection, sessionId, lifetime) : undefined,
  };
}

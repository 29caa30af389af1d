import * as v1 from "@turnkit/schema/v1";
import { v1AgentCodec, wireHandlers } from "@turnkit/session/codec";
import { createRoutes, RpcError } from "@turnkit/transport";
import { createClientFiles } from "../client-tools/files.js";
import { createClientTerminals } from "../client-tools/terminals.js";
import { askPermission, elicit, olderCalls, turnsByAnswer } from "./calls.js";
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
  answerHello(answer, client) {
    const authMethods = answer.authMethods.filter(
      ({ type }) => type !== "terminal" || client.capabilities.terminalLogin,
    );
    return v1AgentCodec.answer.initialize.encodeResult({ ...answer, authMethods, protocolVersion: 1 });
  },
  createDriver,
};

function createDriver({ connection, service, client, onLoss }: DriverParts): Driver {
  const { capabilities } = client;
  const asking = { connection, codec: v1AgentCodec, onLoss };
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
    askPermission: (sessionId, question, signal) =>
      askPermission({ ...asking, signal, result: v1.requestPermissionResponse }, { ...question, sessionId }),
    elicit: (question, signal) => elicit({ ...asking, signal, result: v1.createElicitationResponse }, question),
    completeElicitation: (elicitationId) => void connection.notify("elicitation/complete", { elicitationId }),
    files: (sessionId, lifetime) => createClientFiles(connection, capabilities, sessionId, lifetime),
    terminals: (sessionId, lifetime) =>
      capabilities.terminals ? createClientTerminals(connection, sessionId, lifetime) : undefined,
  };
}

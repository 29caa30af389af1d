import * as v1 from "@turnkit/schema/v1";
import { v1AgentCodec } from "@turnkit/session/codec";
import { RpcError } from "@turnkit/transport";
import { createClientFiles } from "../client-tools/files.js";
import { createClientTerminals } from "../client-tools/terminals.js";
import { olderCalls, turnsByAnswer } from "./calls.js";
import type { Dialect, DialectRules, DriverParts } from "./driver.js";

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
    begin({ output }, { messageId, prompt }) {
      // The client shows its own prompt: there is no echo.
      output.record({ type: "user_message", messageId, content: prompt });
      output.record({ type: "turn_started", promptId: messageId });
    },
    ...((files.read || files.write) && {
      files: (sessionId, lifetime) => createClientFiles(connection, files, sessionId, lifetime),
    }),
    ...(terminals && { terminals: (sessionId, lifetime) => createClientTerminals(connection, sessionId, lifetime) }),
  };
}

import type { DialectFrames } from "./dialect-frames.js";
import { agentInfo, clientInfo, endByAnswer, partsOf } from "./phrases.js";

/** Version 1. Messages have no ids, and the answer to the prompt ends the turn. */
export const v1Frames: DialectFrames = {
  agentHello: {
    protocolVersion: 1,
    agentInfo,
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {} },
      auth: { logout: {} },
    },
    authMethods: [],
  },
  clientHello: {
    protocolVersion: 1,
    clientInfo,
    clientCapabilities: {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      auth: { terminal: true },
      elicitation: { form: {}, url: {} },
      session: { compaction: {}, notices: {}, configOptions: { boolean: {} } },
    },
  },
  piece: (sessionUpdate, text) => ({ sessionUpdate, content: { type: "text", text } }),
  question: (sessionId, question) => ({ sessionId, ...partsOf(question) }),
  takePrompt: () => [],
  endTurn: ({ prompt: { id } }, stopReason) => [{ id, result: { stopReason } }],
  hearEnd: endByAnswer,
};

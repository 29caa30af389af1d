import type { DialectFrames } from "./dialect-frames.js";
import { agentInfo, clientInfo, endByAnswer, partsOf, updateFrame } from "./phrases.js";

/**
 * Draft of version 2 of June 2026. Messages have ids, and the agent sends the user's message back. Turns end as in version
 * 1.
 */
export const seedFrames: DialectFrames = {
  agentHello: {
    protocolVersion: 2,
    agentInfo,
    capabilities: {
      session: {
        prompt: { image: {}, audio: {}, embeddedContext: {} },
        mcp: { stdio: {}, http: {} },
        load: {},
        list: {},
        resume: {},
        close: {},
        delete: {},
        additionalDirectories: {},
      },
      auth: { logout: {} },
    },
    authMethods: [],
  },
  clientHello: { protocolVersion: 2, clientInfo, capabilities: {} },
  piece: (sessionUpdate, text, turn) => ({
    sessionUpdate,
    messageId: `${sessionUpdate === "agent_message_chunk" ? "m" : "t"}-${turn}`,
    content: { type: "text", text },
  }),
  question: (sessionId, question) => ({ sessionId, ...partsOf(question) }),
  takePrompt: ({ prompt: { params }, number }) => [
    updateFrame(params.sessionId, { sessionUpdate: "user_message", messageId: `u-${number}`, content: params.prompt }),
  ],
  endTurn: ({ prompt: { id } }, stopReason) => [{ id, result: { stopReason } }],
  hearEnd: endByAnswer,
};

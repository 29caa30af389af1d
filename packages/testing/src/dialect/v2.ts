import type { Frame } from "../frame.js";
import type { DialectFrames } from "./dialect-frames.js";
import { agentInfo, clientInfo, partsOf, updateFrame } from "./phrases.js";
import { seedFrames } from "./seed.js";

/** Preview of version 2. The answer accepts the prompt, and an idle state ends the turn. */
export const v2Frames: DialectFrames = {
  ...seedFrames,
  agentHello: {
    protocolVersion: 2,
    info: agentInfo,
    capabilities: {
      session: {
        prompt: { image: {}, audio: {}, embeddedContext: {} },
        mcp: { stdio: {}, http: {} },
        delete: {},
        additionalDirectories: {},
      },
    },
  },
  clientHello: {
    protocolVersion: 2,
    info: clientInfo,
    capabilities: { elicitation: { form: {}, url: {} }, auth: { terminal: {} } },
  },
  question(sessionId, question) {
    const { toolCall, options } = partsOf(question);
    return { sessionId, title: question.title, subject: { type: "tool_call", toolCall }, options };
  },
  takePrompt: (turn) => [
    ...seedFrames.takePrompt(turn),
    updateFrame(turn.prompt.params.sessionId, { sessionUpdate: "state_update", state: "running" }),
    { id: turn.prompt.id, result: { messageId: `u-${turn.number}` } },
  ],
  endTurn: ({ prompt }, stopReason) => [
    updateFrame(prompt.params.sessionId, { sessionUpdate: "state_update", state: "idle", stopReason }),
  ],
  async hearEnd(peer, { id, sessionId, since }) {
    const isIdle = (frame: Frame) =>
      frame.params?.sessionId === sessionId &&
      frame.params.update?.sessionUpdate === "state_update" &&
      frame.params.update.state === "idle" &&
      peer.received.lastIndexOf(frame) >= since;
    const { error } = await peer.answerTo(id);
    // The prompt was cancelled before the agent accepted it. Without work, the agent sends no idle state.
    if (error?.code === -32800) return { stopReason: "cancelled" };
    if (error !== undefined) return { error };
    const { params } = await peer.next(isIdle, "an idle state of the session");
    const { stopReason, error: failure } = params.update;
    return failure === undefined ? { stopReason } : { stopReason, error: failure };
  },
};

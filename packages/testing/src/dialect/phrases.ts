import type { RawPeer } from "../raw-peer.js";
import type { HeardEnd, PermissionQuestion, SentPrompt } from "./speech.js";

// What more than one dialect says in the same words.

/** Who the scripted agent is. */
export const agentInfo = { name: "scripted-agent", version: "1.0.0" };

/** Who the scripted client is. */
export const clientInfo = { name: "scripted-client", version: "1.0.0" };

/** An update, as a frame. */
export function updateFrame(sessionId: unknown, update: object): object {
  return { method: "session/update", params: { sessionId, update } };
}

/** The tool call and the options of a question. */
export function partsOf({ title, toolCallId = "t-1", options = yesOrNo }: PermissionQuestion) {
  return { toolCall: { toolCallId, title }, options };
}

const yesOrNo = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];

/** The end of a turn where the answer to the prompt is the end. */
export async function endByAnswer(peer: RawPeer, { id }: SentPrompt): Promise<HeardEnd> {
  const { result, error } = await peer.answerTo(id);
  return error === undefined ? { stopReason: result?.stopReason } : { error };
}

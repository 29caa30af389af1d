import type { RawPeer } from "../raw-peer.js";
import type { HeardEnd, PermissionQuestion, SentPrompt } from "./dialect-frames.js";

/** Name and version of the scripted agent. */
export const agentInfo = { name: "scripted-agent", version: "1.0.0" };

/** Name and version of the scripted client. */
export const clientInfo = { name: "scripted-client", version: "1.0.0" };

/** Creates the frame of an update. */
export function updateFrame(sessionId: unknown, update: object): object {
  return { method: "session/update", params: { sessionId, update } };
}

/** Returns the tool call and the options of a permission request. */
export function partsOf({ title, toolCallId = "t-1", options = yesOrNo }: PermissionQuestion) {
  return { toolCall: { toolCallId, title }, options };
}

const yesOrNo = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];

/** Waits for the end of a turn. For dialects whose answer to the prompt ends the turn. */
export async function endByAnswer(peer: RawPeer, { id }: SentPrompt): Promise<HeardEnd> {
  const { result, error } = await peer.answerTo(id);
  return error === undefined ? { stopReason: result?.stopReason } : { error };
}

import { createSessionState, type MessageEntry, type SessionState } from "@turnkit/session";
import type { AcpUIMessage } from "./acp-message.js";
import { checkState } from "./check-arguments.js";
import { partsOf } from "./message-from-chunks.js";
import { blockChunk } from "./message-parts.js";
import { answerId, isPrompt } from "./prompts.js";
import { Response } from "./response.js";
import { isInProgress } from "./response-stream.js";

/**
 * Returns the conversation of a state as messages of a chat, for example after a restore. An answer in progress is the
 * last message; `reconnectToStream` replaces it with an equal message that continues.
 *
 * @throws TypeError for a value that is not a state, such as a session
 *
 * @example
 * const chat = useChat({ transport: createChatTransport(session), messages: selectMessages(session.state), resume: true });
 */
export function selectMessages(state: SessionState): AcpUIMessage[] {
  checkState(state);
  const messages: AcpUIMessage[] = [];
  const entries = [...state.timeline];
  let prompts = 0;
  let start = 0;
  const answerUntil = (end: number): void => {
    const isNewest = end === entries.length;
    const response = new Response(isNewest ? start : 0);
    const chunks = response.chunks(isNewest ? state : excerptOf(entries.slice(start, end), state));
    if (!isNewest || !isInProgress(state)) chunks.push(...response.end());
    if (chunks.length > 0) messages.push({ id: answerId(state, prompts), role: "assistant", parts: partsOf(chunks) });
  };
  for (const [index, entry] of entries.entries()) {
    if (!isPrompt(entry)) continue;
    if (index > start) answerUntil(index);
    messages.push(promptMessage(entry));
    prompts++;
    start = index + 1;
  }
  answerUntil(entries.length);
  return messages;
}

/** Returns a state with some entries of another state, and their terminals. */
function excerptOf(timeline: object, { terminals }: SessionState): SessionState {
  return { ...createSessionState(), terminals, timeline: timeline as SessionState["timeline"] };
}

function promptMessage(entry: MessageEntry): AcpUIMessage {
  const id = entry.messageId ?? entry.key;
  const parts = [...entry.content].flatMap((block, index) =>
    block.type === "text"
      ? [{ type: "text" as const, text: block.text }]
      : partsOf([blockChunk(block, `${id}#${index}`)]),
  );
  return { id, role: "user", parts };
}

import { createSessionState, type MessageEntry, type SessionState } from "@turnkit/session";
import type { AcpUIMessage } from "./acp-message.js";
import { checkState } from "./check-arguments.js";
import { partsOf } from "./message-from-chunks.js";
import { blockChunk } from "./message-parts.js";
import { answerId, isPrompt } from "./prompts.js";
import { Response } from "./response.js";
import { isLive } from "./response-stream.js";

/**
 * Returns the conversation of a state as messages of a chat, for example after a restore. An answer in progress is the last
 * message; `reconnectToStream` replaces it with an equal one that goes on.
 *
 * @throws TypeError for a value that is not a state, such as a session
 *
 * @example
 * const chat = useChat({ transport: createChatTransport(session), messages: selectMessages(session.state), resume: true });
 */
export function selectMessages(state: SessionState): AcpUIMessage[] {
  checkState(state);
  const messages: AcpUIMessage[] = [];
  const { timeline } = state;
  let prompts = 0;
  let start = 0;
  const answerUntil = (end: number): void => {
    const response = new Response(start);
    const isNewest = end === timeline.length;
    const chunks = isNewest ? response.chunks(state) : response.chunks(until(state, end));
    if (!isNewest || !isLive(state)) chunks.push(...response.end());
    if (chunks.length > 0) messages.push({ id: answerId(state, prompts), role: "assistant", parts: partsOf(chunks) });
  };
  for (let index = 0; index < timeline.length; index++) {
    const entry = timeline.at(index);
    if (!isPrompt(entry)) continue;
    if (index > start) answerUntil(index);
    messages.push(promptMessage(entry));
    prompts++;
    start = index + 1;
  }
  answerUntil(timeline.length);
  return messages;
}

/** Returns the state as it was before an entry: only the earlier entries, and their terminals. */
function until({ timeline, terminals }: SessionState, end: number): SessionState {
  const earlier = { ...createSessionState(), terminals };
  return {
    ...earlier,
    timeline: Object.assign([...timeline].slice(0, end), { get: () => undefined }) as object as typeof timeline,
  };
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

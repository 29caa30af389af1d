import type { Evidence, Frame } from "./evidence.js";

/** The members of a message, as far as it is one. */
export type Wire = {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: unknown;
};

/** A message as an object; empty for what is none. */
export function wireOf({ message }: Frame): Wire {
  return typeof message === "object" && message !== null && !Array.isArray(message) ? message : {};
}

/** What the agent said. */
export function received({ frames }: Evidence): readonly Frame[] {
  return frames.filter(({ way }) => way === "received");
}

/** Whether it said nothing at all, so that nothing can be said of what it says. */
export const saidNothing = (evidence: Evidence): boolean => received(evidence).length === 0;

/** The agent's answer to the first request of that method. */
export function answerTo(method: string, { frames }: Evidence): Frame | undefined {
  const asked = frames.find((frame) => frame.way === "sent" && wireOf(frame).method === method);
  if (asked === undefined) return undefined;
  const { id } = wireOf(asked);
  return frames.find(
    (frame) => frame.way === "received" && wireOf(frame).method === undefined && wireOf(frame).id === id,
  );
}

/** Updates of a conversation that came after the answer that ended its turn, and before the next prompt. */
export function updatesAfterTheEnd({ frames }: Evidence): readonly string[] {
  const asked = new Map<unknown, unknown>();
  const ended = new Set<unknown>();
  const late: string[] = [];
  for (const frame of frames) {
    const { id, method, params, result } = wireOf(frame);
    if (frame.way === "sent" && method === "session/prompt") {
      asked.set(id, params?.sessionId);
      ended.delete(params?.sessionId);
    }
    if (frame.way !== "received") continue;
    const hasEnded =
      method === undefined && (result as { stopReason?: unknown } | null | undefined)?.stopReason !== undefined;
    if (hasEnded && asked.has(id)) ended.add(asked.get(id));
    const kind = (params?.update as { sessionUpdate?: unknown } | null | undefined)?.sessionUpdate;
    if (method === "session/update" && ended.has(params?.sessionId) && ofTurns.has(String(kind)))
      late.push(String(kind));
  }
  return late;
}

/** What belongs to the work of a turn; settings, titles and usage may change at any time. */
const ofTurns = new Set(["agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "plan"]);

import { createSessionState, type Entry, reduce, type SessionEvent, type SessionState } from "@turnkit/session";

/** The state as a restore folds it, in which neighbours that are bare text are one: a log may put those together. */
export function seen(events: readonly SessionEvent[]): unknown {
  const state = events.reduce<SessionState>(reduce, createSessionState({ entryBytes: Number.MAX_SAFE_INTEGER }));
  const { bytes: _, timeline, ...rest } = JSON.parse(JSON.stringify(state)) as SessionState & { timeline: Entry[] };
  return { ...rest, timeline: timeline.map((entry) => ({ ...entry, ...joined(entry) })) };
}

function joined(entry: object): object {
  const { content, type } = entry as { content?: { type: string; text: string }[]; type: string };
  if (type !== "message" || content === undefined) return {};
  const whole: object[] = [];
  for (const block of content) {
    const last = whole.at(-1) as typeof block | undefined;
    const isBare = (one = {}): boolean => Object.keys(one).sort().join() === "text,type";
    if (last && isBare(last) && isBare(block)) whole[whole.length - 1] = { type: "text", text: last.text + block.text };
    else whole.push(block);
  }
  return { content: whole };
}

/** All that a log tells. */
export async function all(events: AsyncIterable<SessionEvent>): Promise<SessionEvent[]> {
  const list: SessionEvent[] = [];
  for await (const event of events) list.push(event);
  return list;
}

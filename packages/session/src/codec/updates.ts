import type { SessionEvent } from "../event.js";
import type { Cost } from "../settings.js";
import { contentBlock, contentBlocksOrNull } from "./content.js";
import { extraOf } from "./extra.js";
import { isObject, meta, metaOrNull, text, textOrNull, type Wire, withMeta } from "./read.js";

const NOTHING = {};

/** An event, or why there is none. */
export type Decoder = (update: Wire) => SessionEvent | string;

type ChunkType = "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk";

/** One block of a message. Without an id the reducer finds the message that it belongs to. */
function chunk(type: ChunkType, update: Wire): readonly SessionEvent[] {
  const content = contentBlock(update.content);
  if (content === undefined) return [{ type: "unknown", raw: update, reason: "content is no content block" }];
  const { messageId } = update;
  const extra = extraOf(update, NOTHING);
  if (update._meta != null || extra !== undefined) {
    return [{ type, messageId: text(messageId), content, _meta: meta(update._meta), ...(extra && { extra }) }];
  }
  return [typeof messageId === "string" ? { type, messageId, content } : { type, content }];
}

/** Reads one update by a table of its kinds; what none of them reads is kept as it came. */
export function decodeBy(decoders: ReadonlyMap<string, Decoder>, update: unknown): readonly SessionEvent[] {
  if (!isObject(update)) return [{ type: "unknown", raw: update, reason: "an update has to be an object" }];
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
      return chunk("agent_message_chunk", update);
    case "agent_thought_chunk":
      return chunk("agent_thought_chunk", update);
    case "user_message_chunk":
      return chunk("user_message_chunk", update);
    default: {
      const decoder = typeof update.sessionUpdate === "string" ? decoders.get(update.sessionUpdate) : undefined;
      if (decoder === undefined) return [{ type: "unknown", raw: update }];
      const event = decoder(update);
      if (typeof event === "string") return [{ type: "unknown", raw: update, reason: event }];
      const extra = extraOf(update, event);
      return [extra === undefined ? event : { ...event, extra }];
    }
  }
}

/** Version 1's own word for the mode. */
export function currentMode(update: Wire): SessionEvent | string {
  const { currentModeId } = update;
  return typeof currentModeId === "string"
    ? { type: "current_mode_update", currentModeId }
    : "currentModeId is no string";
}

/** What people call the session. */
export function sessionInfo(update: Wire): SessionEvent {
  return {
    type: "session_info_update",
    title: textOrNull(update.title),
    updatedAt: textOrNull(update.updatedAt),
    _meta: metaOrNull(update._meta),
  };
}

/** Money spent; `undefined` where it does not read. */
export function cost(value: unknown): Cost | undefined {
  if (!isObject(value)) return undefined;
  return typeof value.amount === "number" && typeof value.currency === "string" ? (value as Cost) : undefined;
}

/** A notice. */
export function notice(update: Wire): SessionEvent | string {
  const { severity, title } = update;
  if (typeof severity !== "string") return "severity is no string";
  if (typeof title !== "string" || title === "") return "title is no string, or empty";
  const description = text(update.description);
  return { type: "notice", severity: severity as "info", title, description, _meta: meta(update._meta) };
}

/** A compaction. */
export function compaction(update: Wire): SessionEvent | string {
  const { compactionId, status } = update;
  if (typeof compactionId !== "string") return "compactionId is no string";
  if (typeof status !== "string") return "status is no string";
  return {
    type: "compaction_update",
    compactionId,
    status: status as "completed",
    summary: contentBlocksOrNull(update.summary),
    error: textOrNull(update.error),
    _meta: metaOrNull(update._meta),
  };
}

/** One block of a compaction's summary. */
export function compactionChunk(update: Wire): SessionEvent | string {
  const { compactionId } = update;
  const content = contentBlock(update.content);
  if (typeof compactionId !== "string") return "compactionId is no string";
  if (content === undefined) return "content is no content block";
  return withMeta<SessionEvent>({ type: "compaction_summary_chunk", compactionId, content }, update);
}

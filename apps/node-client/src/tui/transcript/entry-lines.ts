import { isDeepStrictEqual } from "node:util";
import type { Entry, MessageEntry, SessionState } from "@turnkit/session";
import { blockText } from "../../render/content-block.js";
import type { Line } from "../../render/line.js";
import { thoughtLines, userLines } from "../../render/message.js";
import type { EntryPlace } from "../../render/place.js";
import {
  compactionLines,
  noticeLines,
  sessionMessageLines,
  summaryLines,
  trimmedLines,
  unknownLines,
} from "../../render/remark.js";
import { toolCallLines } from "../../render/tool-call.js";
import { sanitise } from "../../sanitise.js";
import { textLines } from "../markdown/markdown-lines.js";

/** Returns an entry of the timeline as lines of the screen. */
export function entryLines(entry: Entry, state: SessionState, place: EntryPlace): readonly Line[] {
  switch (entry.type) {
    case "message":
      if (entry.role === "user") return userLines(entry, place);
      return entry.role === "thought" ? thoughtLines(entry, place) : agentLines(entry, place.width);
    case "tool_call":
      return toolCallLines(entry, state, place);
    case "notice":
      return noticeLines(entry, place);
    case "compaction":
      return [...compactionLines(entry, place), ...summaryLines(entry, place)];
    case "session_message":
      return sessionMessageLines(entry, place);
    case "unknown":
      return unknownLines(entry.raw, place);
    case "trimmed":
      return trimmedLines(entry);
  }
}

function agentLines(entry: MessageEntry, width: number): readonly Line[] {
  const parts = [...entry.content].map((block) => (block.type === "text" ? block.text : `\n\n${blockText(block)}\n\n`));
  return textLines(sanitise(parts.join("")), width);
}

/** Returns whether no work can change an entry any more. */
export function isResting({ activity, replaying, closed }: SessionState): boolean {
  return closed || (!replaying && activity.state !== "running" && activity.state !== "requires_action");
}

/** Returns whether an entry is final in a well-behaved session. */
export function isFinished(entry: Entry, isLast: boolean): boolean {
  switch (entry.type) {
    case "message":
      return !isLast || entry.role === "user";
    case "tool_call":
      return ["completed", "failed", "cancelled"].includes(String(entry.status));
    case "compaction":
      return entry.status !== "in_progress";
    default:
      return true;
  }
}

/** Returns whether a printed entry has visible changes; metadata has none. */
export function saysMore(printed: Entry, now: Entry): boolean {
  if (printed.type === "message" && now.type === "message") {
    const failed = now.prompt?.status === "failed" && printed.prompt?.status !== "failed";
    return failed || (now.role !== "user" && printed.content !== now.content);
  }
  if (printed.type === "tool_call" && now.type === "tool_call") {
    return printed.status !== now.status || printed.content !== now.content;
  }
  return printed.type === "compaction" && now.type === "compaction" && printed.status !== now.status;
}

/**
 * Returns the number of a message's items that were printed already; `undefined` if it does not continue the printed
 * one. The state may have dropped items at the front.
 */
export function seenItems(before: MessageEntry, now: MessageEntry): number | undefined {
  const gone = (now.dropped?.items ?? 0) - (before.dropped?.items ?? 0);
  const seen = before.content.length - gone;
  if (seen < 0 || seen > now.content.length) return undefined;
  // Compared by value: the state may have made a new object of the same text.
  return seen === 0 || isDeepStrictEqual(now.content.at(seen - 1), before.content.at(-1)) ? seen : undefined;
}

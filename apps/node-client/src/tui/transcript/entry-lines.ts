import type { ContentBlock, Entry, MessageEntry, SessionState } from "@turnkit/session";
import { blockText } from "../../render/content-block.js";
import type { RenderContext } from "../../render/context.js";
import type { Line } from "../../render/line.js";
import { thoughtLines, userLines } from "../../render/message.js";
import {
  compactionLines,
  noticeLines,
  sessionMessageLines,
  summaryLines,
  trimmedLines,
  unknownLines,
} from "../../render/remark.js";
import { isEnded, toolCallLines } from "../../render/tool-call.js";
import { sanitise } from "../../sanitise.js";
import { createHighlighter } from "../markdown/highlighter.js";
import { textLines } from "../markdown/markdown-lines.js";

export function entryLines(entry: Entry, state: SessionState, context: RenderContext): readonly Line[] {
  switch (entry.type) {
    case "message":
      if (entry.role === "user") return userLines(entry, context);
      return entry.role === "thought" ? thoughtLines(entry, context) : agentLines(entry, context);
    case "tool_call":
      return toolCallLines(entry, state, context);
    case "notice":
      return noticeLines(entry, context);
    case "compaction":
      return [...compactionLines(entry, context), ...summaryLines(entry, context)];
    case "session_message":
      return sessionMessageLines(entry, context);
    case "unknown":
      return unknownLines(entry.raw, context);
    case "trimmed":
      return trimmedLines(entry);
  }
}

function agentLines(entry: MessageEntry, { width, files }: RenderContext): readonly Line[] {
  const parts = [...entry.content].map((block) => (block.type === "text" ? block.text : `\n\n${blockText(block)}\n\n`));
  return textLines(sanitise(parts.join("")), width, { highlighter: createHighlighter(), files });
}

/** Returns `true` if no work is open that could change an entry. */
export function isResting({ activity, replaying, closed }: SessionState): boolean {
  return closed || (!replaying && activity.state !== "running" && activity.state !== "requires_action");
}

/** Returns `true` if a correct agent does not change the entry any more. */
export function isFinished(entry: Entry, isLast: boolean): boolean {
  switch (entry.type) {
    case "message":
      return !isLast || entry.role === "user";
    case "tool_call":
      return isEnded(entry);
    case "compaction":
      return entry.status !== "in_progress";
    default:
      return true;
  }
}

/** Returns `true` if a printed entry has visible changes. A change of metadata is not visible. */
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
 * Returns how many items of a message were already printed. Returns `undefined` if the message does not continue the
 * printed one. The state may have dropped the first items.
 */
export function seenItems(before: MessageEntry, now: MessageEntry): number | undefined {
  const gone = (now.dropped?.items ?? 0) - (before.dropped?.items ?? 0);
  const seen = before.content.length - gone;
  if (seen < 0 || seen > now.content.length) return undefined;
  return seen === 0 || isSame(now.content.at(seen - 1), before.content.at(-1)) ? seen : undefined;
}

/** Compares items by value too, because the state may create a new object for the same text. */
function isSame(one: ContentBlock | undefined, other: ContentBlock | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

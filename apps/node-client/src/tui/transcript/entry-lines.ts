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

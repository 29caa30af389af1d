import { type Entry, type MessageEntry, messageText, type SessionState } from "@turnkit/session";
import { blockText } from "../../render/content-block.js";
import { sanitise } from "../../sanitise.js";
import { textLines } from "../markdown/markdown-lines.js";
import type { Line } from "../text/line.js";
import { wrap, wrapText } from "../text/wrap.js";
import { type EntryPlace, gutterLines, toolCallLines } from "./tool-call-lines.js";

/** Lines of a thought that are shown while it grows; afterwards it is folded. */
const THOUGHT_LINES = 4;

/** An entry of the timeline as lines. */
export function entryLines(entry: Entry, state: SessionState, place: EntryPlace): readonly Line[] {
  const { width, detail } = place;
  switch (entry.type) {
    case "message":
      if (entry.role === "user") return promptLines(entry, width);
      if (entry.role === "thought") return detail === "full" ? thoughtText(entry, width) : foldedThought(entry, width);
      return agentLines(entry, width);
    case "tool_call":
      return toolCallLines(entry, state, place);
    case "notice": {
      const style = entry.severity === "error" ? "red" : entry.severity === "warning" ? "yellow" : "cyan";
      const { description } = entry;
      return [
        ...wrap([[style, `! ${entry.title}`]], width, { rest: ["  "] }),
        ...(description === undefined ? [] : gutterLines(description, { width, limit: 20 })),
      ];
    }
    case "compaction": {
      const status = String(entry.status).replaceAll("_", " ");
      const summary = [...entry.summary].map(blockText).join("");
      return [
        [["dim", `~ The agent compacts what it remembers: ${status}`]],
        ...(entry.error === undefined ? [] : wrapText(sanitise(entry.error), width, { first: ["  "] })),
        ...(detail === "full" && summary !== "" ? gutterLines(summary, { width, limit: 2000 }) : []),
      ];
    }
    case "session_message": {
      const who =
        entry.senderSessionId === undefined ? `to ${entry.recipientSessionId}` : `from ${entry.senderSessionId}`;
      return [
        [["magenta", `@ Message ${who}`]],
        ...gutterLines([...entry.content].map(blockText).join(""), { width, limit: detail === "full" ? 2000 : 8 }),
      ];
    }
    case "unknown":
      return wrap([["dim", `? An update that this program does not know: ${json(entry.raw).slice(0, 200)}`]], width);
    case "trimmed":
      return [[["dim", `… ${entry.messages + entry.toolCalls + entry.others} older entries are not kept`]]];
  }
}

/** A thought that still grows: its last lines. */
export function growingThought(entry: MessageEntry, width: number): readonly Line[] {
  const tail = messageText(entry).slice(-THOUGHT_LINES * 400);
  const lines = wrapText(sanitise(tail).trim(), width, { first: [["dim", "  "]] }).map(dimmed);
  return [[["dim", "✻ Thinking …"]], ...lines.slice(-THOUGHT_LINES)];
}

function foldedThought(entry: MessageEntry, width: number): readonly Line[] {
  const lines = thoughtText(entry, width);
  if (lines.length <= 3) return lines;
  return [[["dim", `✻ Thought about it: ${lines.length - 1} lines (Ctrl-O shows them)`]]];
}

function thoughtText({ content }: MessageEntry, width: number): readonly Line[] {
  const text = sanitise([...content].map(blockText).join("")).trim();
  return [[["dim", "✻ Thought"]], ...wrapText(text, width, { first: ["  "] }).map(dimmed)];
}

function promptLines({ content, prompt }: MessageEntry, width: number): readonly Line[] {
  const text = [...content].map(blockText).join("\n");
  const lines = wrapText(sanitise(text).replace(/\n+$/, ""), width, { first: [["cyan", "❯ "]], rest: ["  "] });
  const bold = lines.map((line) =>
    line.map((span): Line[number] => (typeof span === "string" ? ["bold", span] : span)),
  );
  if (prompt?.status !== "failed") return bold;
  return [
    ...bold,
    ...wrap([["red", `✗ The agent did not take it: ${prompt.error?.message ?? "no reason given"}`]], width),
  ];
}

function agentLines(entry: MessageEntry, width: number): readonly Line[] {
  const parts = [...entry.content].map((block) => (block.type === "text" ? block.text : `\n\n${blockText(block)}\n\n`));
  return textLines(sanitise(parts.join("")), width);
}

function dimmed(line: Line): Line {
  return line.map((span) => ["dim", typeof span === "string" ? span : span[1]]);
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

import {
  type ContentBlock,
  type MessageChunk,
  type MessageEntry,
  type MessageUpsert,
  messageText,
} from "@turnkit/session";
import { sanitise } from "../sanitise.js";
import { blockText } from "./content-block.js";
import { blockLines, inStyle, type Line } from "./line.js";
import type { Page } from "./page.js";
import type { EntryPlace } from "./place.js";

/** Maximum number of lines of a growing thought; a finished one is folded. */
const THOUGHT_LINES = 4;

/** Returns a prompt. A log shows its blocks one by one, each with a limit. */
function promptLines(content: readonly ContentBlock[], place: EntryPlace): readonly Line[] {
  if (place.detail === "log") {
    return content.flatMap((block, index) => {
      const look = index === 0 ? ({ style: "bold", limit: 20 } as const) : ({ style: "dim", limit: 5 } as const);
      return blockLines(blockText(block), { gutter: "> ", ...look });
    });
  }
  const text = sanitise(content.map(blockText).join("\n")).replace(/\n+$/, "");
  const lines = place.layout.wrapText(text, place.width, { first: [["cyan", "❯ "]], rest: ["  "] });
  return lines.map((line) => line.map((span): Line[number] => (typeof span === "string" ? ["bold", span] : span)));
}

/** Returns a prompt of the timeline, with the reason if the agent did not accept it. */
export function userLines({ content, prompt }: MessageEntry, place: EntryPlace): readonly Line[] {
  const lines = promptLines([...content], place);
  if (prompt?.status !== "failed") return lines;
  const reason = prompt.error?.message ?? "no reason given";
  return [...lines, ...place.layout.wrap([["red", `✗ The agent did not take it: ${reason}`]], place.width)];
}

/** Returns a finished thought; `short` folds more than two lines of text. */
export function thoughtLines({ content }: MessageEntry, { width, detail, layout }: EntryPlace): readonly Line[] {
  const text = sanitise([...content].map(blockText).join("")).trim();
  const shown = layout.wrapText(text, width, { first: ["  "] }).map((line) => inStyle(line, "dim"));
  if (detail === "short" && shown.length > 2) {
    return [[["dim", `✻ Thought about it: ${shown.length} lines (Ctrl-O shows them)`]]];
  }
  return [[["dim", "✻ Thought"]], ...shown];
}

/** Returns the last lines of a thought that still grows. */
export function growingThought(entry: MessageEntry, { width, layout }: EntryPlace): readonly Line[] {
  const tail = messageText(entry).slice(-THOUGHT_LINES * 400);
  const lines = layout
    .wrapText(sanitise(tail).trim(), width, { first: [["dim", "  "]] })
    .map((line) => inStyle(line, "dim"));
  return [[["dim", "✻ Thinking …"]], ...lines.slice(-THOUGHT_LINES)];
}

/** Makes a log of messages and thoughts, piece by piece. It keeps only the newest message: older ones do not grow any more. */
export function createMessageRenderer(page: Page, place: EntryPlace) {
  let replaying = false;
  let open = { key: "", shown: "" };

  const show = (role: string, messageId: string | undefined, text: string) => {
    const key = `${role} ${messageId ?? ""}`;
    if (text === "" || (role === "user" && !replaying)) return;
    page.section(key);
    if (open.key !== key) open = { key, shown: "" };
    const style = role === "agent" ? "plain" : "dim";
    const label = role === "user" ? "> " : role === "thought" ? "thinking: " : "";
    page.flow(key, style, open.shown === "" ? label + text : text);
    open.shown += text;
  };

  return {
    chunk(event: MessageChunk): void {
      const role = roleOf(event.type);
      const separate = event.content.type !== "text" && open.shown !== "" && !open.shown.endsWith("\n");
      show(role, event.messageId, `${separate ? "\n" : ""}${blockText(event.content)}`);
    },
    upsert(event: MessageUpsert): void {
      const text = (event.content ?? []).map(blockText).join("");
      const role = roleOf(event.type);
      const known = open.key === `${role} ${event.messageId}` ? open.shown : "";
      // A whole message that repeats the chunks before it adds only the text that they lacked.
      if (text.startsWith(known)) show(role, event.messageId, text.slice(known.length));
      else if (text !== "") show(role, event.messageId, `\n(changed)\n${text}`);
      if (open.key === `${role} ${event.messageId}`) open.shown = text;
    },
    /** Shows the user's messages only during a replay: in a live turn they repeat the prompt. */
    setReplaying(next: boolean): void {
      replaying = next;
    },
    prompt(content: readonly ContentBlock[]): void {
      page.section("prompt");
      if (content.length > 0) page.lines(promptLines(content, place));
    },
  };
}

function roleOf(type: MessageChunk["type"] | MessageUpsert["type"]): "user" | "agent" | "thought" {
  if (type.startsWith("user")) return "user";
  return type.startsWith("agent_thought") ? "thought" : "agent";
}

import {
  type ContentBlock,
  type MessageChunk,
  type MessageEntry,
  type MessageUpsert,
  messageText,
} from "@turnkit/session";
import { sanitise } from "../sanitise.js";
import { blockText } from "./content-block.js";
import type { RenderContext } from "./context.js";
import { blockLines, inStyle, type Line, moreLines, trimEndOf } from "./line.js";
import type { Page } from "./page.js";

/** Maximum number of lines of a thought that still grows. A finished thought is folded. */
const THOUGHT_LINES = 4;

/** Maximum number of lines of a prompt on the screen. The transcript shows all. */
const PROMPT_LINES = 20;

/** Returns the lines of a prompt. A log shows each block of the prompt with its own limit. */
function promptLines(content: readonly ContentBlock[], context: RenderContext): readonly Line[] {
  if (context.detail === "log") {
    return content.flatMap((block, index) => {
      const look = index === 0 ? ({ style: "bold", limit: 20 } as const) : ({ style: "dim", limit: 5 } as const);
      return blockLines(blockText(block), { gutter: "> ", ...look });
    });
  }
  const { detail, layout, width } = context;
  const shown = content.map((block) => (detail === "full" ? blockText(block) : promptText(block)));
  const text = trimEndOf(sanitise(shown.join("\n")), "\n");
  const all = layout.wrapText(text, width, { first: [["cyan", "❯ "]], rest: ["  "] });
  const isCut = detail === "short" && all.length > PROMPT_LINES + 1;
  const lines = isCut ? all.slice(0, PROMPT_LINES) : all;
  const bold = lines.map((line) =>
    line.map((span): Line[number] => (typeof span === "string" ? ["bold", span] : span)),
  );
  if (!isCut) return bold;
  return [...bold, layout.clip([["dim", `  ${moreLines(all.length - PROMPT_LINES)} (Ctrl-O shows them)`]], width)];
}

/** Returns a block of a prompt. The person knows the text of an attached file, so only its name is shown. */
function promptText(block: ContentBlock): string {
  return block.type === "resource" && "text" in block.resource ? `[${block.resource.uri}]` : blockText(block);
}

/** Returns the lines of a prompt in the timeline, and the reason if the agent did not accept it. */
export function userLines({ content, prompt }: MessageEntry, context: RenderContext): readonly Line[] {
  const lines = promptLines([...content], context);
  if (prompt?.status !== "failed") return lines;
  const reason = prompt.error?.message ?? "no reason given";
  return [...lines, ...context.layout.wrap([["red", `✗ The agent did not take it: ${reason}`]], context.width)];
}

/** Returns the lines of a finished thought. With `short`, a thought of more than two lines is folded. */
export function thoughtLines({ content }: MessageEntry, { width, detail, layout }: RenderContext): readonly Line[] {
  const text = sanitise([...content].map(blockText).join("")).trim();
  const shown = layout.wrapText(text, width, { first: ["  "] }).map((line) => inStyle(line, "dim"));
  if (detail === "short" && shown.length > 2) {
    return [[["dim", `✻ Thought about it: ${shown.length} lines (Ctrl-O shows them)`]]];
  }
  return [[["dim", "✻ Thought"]], ...shown];
}

export function growingThought(entry: MessageEntry, { width, layout }: RenderContext): readonly Line[] {
  const tail = messageText(entry).slice(-THOUGHT_LINES * 400);
  const lines = layout
    .wrapText(sanitise(tail).trim(), width, { first: [["dim", "  "]] })
    .map((line) => inStyle(line, "dim"));
  return [[["dim", "✻ Thinking …"]], ...lines.slice(-THOUGHT_LINES)];
}

/**
 * Creates a log of messages and thoughts, which shows text as it arrives. It stores only the newest message, because
 * older messages do not grow.
 */
export function createMessageRenderer(page: Page, context: RenderContext) {
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
      // If a whole message repeats the earlier chunks, only the additional text is shown.
      if (text.startsWith(known)) show(role, event.messageId, text.slice(known.length));
      else if (text !== "") show(role, event.messageId, `\n(changed)\n${text}`);
      if (open.key === `${role} ${event.messageId}`) open.shown = text;
    },
    /** Shows the user's messages during a replay only. In a live turn, they repeat the prompt on the screen. */
    setReplaying(next: boolean): void {
      replaying = next;
    },
    prompt(content: readonly ContentBlock[]): void {
      page.section("prompt");
      if (content.length > 0) page.lines(promptLines(content, context));
    },
  };
}

function roleOf(type: MessageChunk["type"] | MessageUpsert["type"]): "user" | "agent" | "thought" {
  if (type.startsWith("user")) return "user";
  return type.startsWith("agent_thought") ? "thought" : "agent";
}

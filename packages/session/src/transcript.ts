import type { ContentBlock } from "./content.js";
import type { Entry, MessageEntry } from "./entry.js";
import { joinedText } from "./select.js";
import type { SessionState } from "./state.js";
import type { PersistentList } from "./vector.js";

/** Returns the conversation as plain text, one paragraph for each entry. */
export function transcriptText(state: SessionState): string {
  return paragraphs(state, (entry, said) =>
    entry.type === "message" ? `${speakerOf(entry)}: ${said}` : said && `[${said}]`,
  );
}

/**
 * Returns the conversation as Markdown: a heading for each speaker, tool calls as list items, thoughts as quotations.
 */
export function transcriptMarkdown(state: SessionState): string {
  return paragraphs(state, (entry, said) => {
    if (entry.type !== "message") return said && `- ${said.replaceAll("\n", "\n  ")}`;
    if (entry.role === "thought") return `> ${said.replaceAll("\n", "\n> ")}`;
    return `## ${speakerOf(entry)}\n\n${withClosedCode(said)}`;
  });
}

/** A line that opens or closes a block of code, after the marks of the lists and quotations that it stands in. */
const FENCE = /^([ \t>*+\-\d.)]*)(`{3,}|~{3,}(?!~))([^`\n]*)$/gm;

/**
 * Closes a block of code that a text leaves open, as the text of a cancelled turn may. The end is indented like the
 * beginning, which may stand in a list; a beginning inside a list or quotation ends with it.
 */
function withClosedCode(text: string): string {
  let open = "";
  let end = "";
  for (const [, before = "", fence = "", rest = ""] of text.matchAll(FENCE)) {
    if (!open) {
      open = fence;
      if (!before.trim()) end = `\n${before}${fence}`;
    } else if (fence.startsWith(open) && !rest.trim()) open = end = "";
  }
  return text + end;
}

/** Returns the speaker of a message. A prompt that the agent refused is shown, but no part of the agent's memory. */
function speakerOf({ role, prompt }: MessageEntry): string {
  const speaker = role.charAt(0).toUpperCase() + role.slice(1);
  return prompt?.status === "failed" ? `${speaker} (failed)` : speaker;
}

function paragraphs(state: SessionState, show: (entry: Entry, said: string) => string): string {
  const all = [...state.timeline].map((entry) => show(entry, saidBy(entry)));
  return all.filter(Boolean).join("\n\n");
}

function saidBy(entry: Entry): string {
  switch (entry.type) {
    case "message":
      return blocksText(entry.content);
    case "tool_call":
      return `${entry.title ?? entry.name ?? entry.kind} (${entry.status})`;
    case "notice":
      return `${entry.severity}: ${entry.title}`;
    case "compaction":
      return `context compaction ${entry.status}`;
    case "session_message":
      return `${entry.senderSessionId ?? "?"} → ${entry.recipientSessionId ?? "?"}: ${blocksText(entry.content)}`;
    case "trimmed":
      return `${entry.messages} messages and ${entry.toolCalls} tool calls were dropped`;
    case "unknown":
      return "";
  }
}

/** Returns the text of blocks, and a mention of every block that is no text. */
function blocksText(content: PersistentList<ContentBlock>): string {
  const blocks = [...content];
  if (blocks.every(({ type }) => type === "text")) return joinedText(content);
  return blocks.map(shown).join("").trim();
}

function shown(block: ContentBlock): string {
  if (block.type === "text") return block.text;
  return ` [${block.type === "resource_link" ? block.name : block.type === "resource" ? block.resource.uri : block.type}] `;
}

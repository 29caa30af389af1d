import type { ContentBlock } from "./content.js";
import type { Entry, MessageEntry } from "./entry.js";
import { joinedText } from "./select.js";
import type { SessionState } from "./state.js";
import type { PersistentList } from "./vector.js";

/** Returns the conversation as plain text, with one paragraph for each entry. */
export function transcriptText(state: SessionState): string {
  return paragraphs(state, (entry, said) =>
    entry.type === "message" ? `${speakerOf(entry)}: ${said}` : said && `[${said}]`,
  );
}

/**
 * Returns the conversation as Markdown. Each speaker has a heading. Tool calls are list items, and thoughts are
 * quotations.
 */
export function transcriptMarkdown(state: SessionState): string {
  return paragraphs(state, (entry, said) => {
    if (entry.type !== "message") return said && `- ${said.replaceAll("\n", "\n  ")}`;
    if (entry.role === "thought") return `> ${said.replaceAll("\n", "\n> ")}`;
    return `## ${speakerOf(entry)}\n\n${withClosedCode(said)}`;
  });
}

/** Pattern for a line that opens or closes a code block. Marks of lists and quotations may precede the fence. */
const FENCE = /^([ \t>*+\-\d.)]*)(`{3,}|~{3,}(?!~))([^`\n]*)$/gm;

/**
 * Closes a code block that a text leaves open, for example the text of a cancelled turn. The closing fence has the same
 * indentation as the opening one. In a list or quotation, no closing fence is needed after its end.
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

/**
 * Returns the speaker of a message. A prompt that the agent has refused is shown with a note, because the agent does
 * not remember it.
 */
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

/** Returns the text of blocks. A mention replaces every block that is not text. */
function blocksText(content: PersistentList<ContentBlock>): string {
  const blocks = [...content];
  if (blocks.every(({ type }) => type === "text")) return joinedText(content);
  return blocks.map(shown).join("").trim();
}

function shown(block: ContentBlock): string {
  if (block.type === "text") return block.text;
  return ` [${block.type === "resource_link" ? block.name : block.type === "resource" ? block.resource.uri : block.type}] `;
}

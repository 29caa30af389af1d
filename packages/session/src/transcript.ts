import type { ContentBlock } from "./content.js";
import type { Entry, MessageEntry, ToolCallEntry } from "./entry.js";
import { joinedText } from "./select.js";
import type { Sequence } from "./sequence.js";
import type { SessionState } from "./state.js";

const speakers = { user: "User", agent: "Agent", thought: "Thought" } as const;

/** The conversation as plain text, one paragraph for each entry. */
export function transcriptText(state: SessionState): string {
  return paragraphs(state, (entry, said) =>
    entry.type === "message" ? `${speakerOf(entry)}: ${said}` : said && `[${said}]`,
  );
}

/** The conversation as Markdown: a heading for each speaker, tool calls as list items, thoughts as quotations. */
export function transcriptMarkdown(state: SessionState): string {
  return paragraphs(state, (entry, said) => {
    if (entry.type !== "message") return said && `- ${said.replaceAll("\n", "\n  ")}`;
    if (entry.role === "thought") return `> ${said.replaceAll("\n", "\n> ")}`;
    return `## ${speakerOf(entry)}\n\n${said}`;
  });
}

/** A prompt that the agent refused is in sight, but no part of what the agent knows. */
const speakerOf = ({ role, prompt }: MessageEntry): string =>
  `${speakers[role]}${prompt?.status === "failed" ? " (failed)" : ""}`;

function paragraphs(state: SessionState, show: (entry: Entry, said: string) => string): string {
  const shown: string[] = [];
  for (const entry of state.timeline) {
    const paragraph = show(entry, saidBy(entry));
    if (paragraph !== "") shown.push(paragraph);
  }
  return shown.join("\n\n");
}

function saidBy(entry: Entry): string {
  switch (entry.type) {
    case "message":
      return blocksText(entry.content);
    case "tool_call":
      return toolCallLine(entry);
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

function toolCallLine({ title, name, kind, status }: ToolCallEntry): string {
  return `${title ?? name ?? kind} (${status})`;
}

/** Text as it is, and a mention of every block that is none. */
function blocksText(content: Sequence<ContentBlock>): string {
  let onlyText = true;
  for (const block of content) if (block.type !== "text") onlyText = false;
  if (onlyText) return joinedText(content);
  let text = "";
  for (const block of content) text += block.type === "text" ? block.text : ` [${mention(block)}] `;
  return text.trim();
}

function mention(block: ContentBlock): string {
  if (block.type === "resource_link") return block.name;
  if (block.type === "resource") return block.resource.uri;
  return block.type;
}

import type { ToolCallContent } from "@turnkit/agent";

/** A text that clients draw as it stands, and not as Markdown. */
export function fencedText(text: string): ToolCallContent {
  const longest = text.match(/`{3,}/g)?.reduce((most, ticks) => Math.max(most, ticks.length), 2) ?? 2;
  const fence = "`".repeat(longest + 1);
  return { type: "content", content: { type: "text", text: `${fence}\n${text}\n${fence}` } };
}

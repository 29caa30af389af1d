import type { ContentBlock } from "@turnkit/agent";

const MAX_LENGTH = 80;

/** What people may call a session that begins with this prompt: its first line, or what is attached to it. */
export function titleOf(prompt: readonly ContentBlock[]): string | undefined {
  for (const block of prompt) {
    if (block.type === "text") {
      const line = block.text.trim().split(/\r?\n/, 1)[0]?.replace(/\s+/g, " ").trim() ?? "";
      if (line !== "") return line.length > MAX_LENGTH ? `${[...line].slice(0, MAX_LENGTH - 1).join("")}…` : line;
    }
  }
  const link = prompt.find((block) => block.type === "resource_link");
  return link?.type === "resource_link" ? link.name.slice(0, MAX_LENGTH) : undefined;
}

import type { ContentBlock, MessageChunk, MessageUpsert } from "@turnkit/session";
import { blockText } from "./content-block.js";
import type { Page } from "./page.js";

/** Shows what the agent says and thinks, as it comes. */
export interface MessageRenderer {
  chunk(event: MessageChunk): void;
  upsert(event: MessageUpsert): void;
  /** In a replay the user's own messages are news; in a live turn they repeat what {@link prompt} showed. */
  setReplaying(replaying: boolean): void;
  prompt(content: readonly ContentBlock[]): void;
}

/** Makes a {@link MessageRenderer}. Only the newest message is remembered: it is the only one that still grows. */
export function createMessageRenderer(page: Page): MessageRenderer {
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
    chunk(event) {
      const role = roleOf(event.type);
      const separate = event.content.type !== "text" && open.shown !== "" && !open.shown.endsWith("\n");
      show(role, event.messageId, `${separate ? "\n" : ""}${blockText(event.content)}`);
    },
    upsert(event) {
      const text = (event.content ?? []).map(blockText).join("");
      const role = roleOf(event.type);
      const known = open.key === `${role} ${event.messageId}` ? open.shown : "";
      // A whole message that repeats the chunks before it shows only what they lacked.
      if (text.startsWith(known)) show(role, event.messageId, text.slice(known.length));
      else if (text !== "") show(role, event.messageId, `\n(changed)\n${text}`);
      if (open.key === `${role} ${event.messageId}`) open.shown = text;
    },
    setReplaying(next) {
      replaying = next;
    },
    prompt(content) {
      page.section("prompt");
      const [first, ...rest] = content;
      if (first !== undefined) page.block(blockText(first), { gutter: "> ", style: "bold", limit: 20 });
      for (const block of rest) page.block(blockText(block), { gutter: "> ", style: "dim", limit: 5 });
    },
  };
}

function roleOf(type: MessageChunk["type"] | MessageUpsert["type"]): "user" | "agent" | "thought" {
  if (type.startsWith("user")) return "user";
  return type.startsWith("agent_thought") ? "thought" : "agent";
}

import { loadedLater } from "./loaded-later.js";
import { preloadMarkdown } from "./markdown/markdown.js";

// Loaded later. The first load ends with the list of sessions.
const { Part, preload } = loadedLater(async () => (await import("./conversation.js")).Conversation);

/** One session, loaded when it is needed. */
export const Conversation = Part;

/** Begins to load the code for a conversation, while the page connects. */
export function preloadConversation(): void {
  preload();
  preloadMarkdown();
}

import { lazy } from "react";
import { preloadMarkdown } from "./markdown/markdown.js";

// Not part of the first load, which ends with the list of sessions.
const load = () => import("./conversation.js");

/** One session, loaded when it is needed. */
export const Conversation = lazy(async () => ({ default: (await load()).Conversation }));

/** Begins to load what a conversation needs, while the page connects. */
export function preloadConversation(): void {
  void load().catch(() => undefined);
  preloadMarkdown();
}

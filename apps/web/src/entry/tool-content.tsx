import type { Session } from "@turnkit/client";
import type { ContentBlock, Diff, ToolCallContent } from "@turnkit/session";
import { LazyDiffView } from "../diff/lazy-diff-view.js";
import { BlockContent } from "./block-content.js";
import { TerminalView } from "./terminal-view.js";

/** Draws one item of the content of a tool call. */
export function ToolContent({ item, session }: { readonly item: ToolCallContent; readonly session: Session }) {
  if (item.type === "content" && "content" in item) return <BlockContent block={item.content as ContentBlock} />;
  if (item.type === "diff") return <LazyDiffView diff={item as Diff} folder={session.cwd} />;
  if (item.type === "terminal" && "terminalId" in item) {
    return <TerminalView terminalId={item.terminalId as string} session={session} />;
  }
  return <p className="quiet">[{item.type as string}]</p>;
}

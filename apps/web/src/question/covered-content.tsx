import type { Session } from "@turnkit/client";
import type { ContentBlock, Diff, ToolCallContent } from "@turnkit/session";
import { LazyDiffView } from "../diff/lazy-diff-view.js";
import { BlockContent } from "../entry/block-content.js";
import { TerminalView } from "../entry/terminal-view.js";
import { visibleText } from "../visible.js";

/**
 * Draws content of a tool call that a permission covers. Texts are not read as Markdown, because Markdown hides parts such as
 * addresses and definitions of links. Nothing is cut or folded.
 */
export function CoveredContent({ item, session }: { readonly item: ToolCallContent; readonly session: Session }) {
  if (item.type === "diff") return <LazyDiffView diff={item as Diff} folder={session.cwd} isWhole />;
  if (item.type === "terminal" && "terminalId" in item) {
    return <TerminalView terminalId={item.terminalId as string} session={session} />;
  }
  const block = item.type === "content" && "content" in item ? (item.content as ContentBlock) : undefined;
  if (block?.type === "image" || block?.type === "audio") return <BlockContent block={block} />;
  return <pre className="command">{visibleText(block === undefined ? jsonOf(item) : blockText(block))}</pre>;
}

/** Returns everything that a block contains, as text. */
function blockText(block: ContentBlock): string {
  if (block.type === "text") return block.text;
  if (block.type !== "resource" || !("text" in block.resource)) return jsonOf(block);
  return `${block.resource.uri}\n${block.resource.text}`;
}

const jsonOf = (value: unknown): string => JSON.stringify(value, null, 2);

import type { ContentBlock, PersistentList } from "@turnkit/client";
import { useMemo } from "react";
import { Markdown } from "../markdown/markdown.js";
import { BlockContent } from "./block-content.js";

type BlocksProps = {
  readonly content: PersistentList<ContentBlock>;
  /** Draws text as it was typed, not as Markdown. */
  readonly isPlain?: boolean;
};

/** Draws content in its order. Text that arrived in pieces is one text. */
export function BlocksView({ content, isPlain = false }: BlocksProps) {
  const parts = useMemo(() => partsOf(content), [content]);
  return parts.map((part, index) => {
    if (typeof part !== "string") return <BlockContent key={index} block={part} />;
    return isPlain ? (
      <p key={index} className="plain">
        {part}
      </p>
    ) : (
      <Markdown key={index} text={part} />
    );
  });
}

function partsOf(content: PersistentList<ContentBlock>): readonly (string | ContentBlock)[] {
  const parts: (string | ContentBlock)[] = [];
  for (const block of content) {
    const last = parts.at(-1);
    if (block.type !== "text") parts.push(block);
    else if (typeof last === "string") parts[parts.length - 1] = last + block.text;
    else parts.push(block.text);
  }
  return parts;
}

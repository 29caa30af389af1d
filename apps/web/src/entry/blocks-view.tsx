import type { ContentBlock, PersistentList } from "@turnkit/client";
import { messageParts } from "@turnkit/session";
import { Markdown } from "../markdown/markdown.js";
import { BlockContent } from "./block-content.js";

type BlocksProps = {
  readonly content: PersistentList<ContentBlock>;
  /** Draws text as it was typed, not as Markdown. */
  readonly isPlain?: boolean;
};

/** Draws content in its order. Text that arrived in pieces is one text. */
export function BlocksView({ content, isPlain = false }: BlocksProps) {
  return messageParts({ content }).map((part, index) => {
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

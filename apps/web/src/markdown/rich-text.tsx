import type { Token } from "marked";
import { memo, useDeferredValue, useEffect, useMemo, useRef } from "react";
import { BlockView } from "./block-view.js";
import { type Reading, readMarkdown } from "./read-markdown.js";

/**
 * Draws Markdown as elements of React. No part of the text becomes markup: HTML is shown as text, and links have an
 * address of the web or of mail.
 */
export const RichText = memo(({ text }: { readonly text: string }) => {
  // Typing and scrolling have priority over drawing long texts.
  const shown = useDeferredValue(text);
  const earlier = useRef<Reading | undefined>(undefined);
  const reading = useMemo(() => readMarkdown(shown, earlier.current), [shown]);
  useEffect(() => {
    earlier.current = reading;
  }, [reading]);
  if (reading.blocks === undefined) return <pre className="source">{shown}</pre>;
  return (
    <div className="markdown">
      {reading.blocks.map((token, index) => (
        <Block key={index} token={token} />
      ))}
    </div>
  );
});

/**
 * Top-level block. Blocks with equal source have equal tokens, except for links whose addresses are defined in another
 * block.
 */
const Block = memo(
  ({ token }: { readonly token: Token }) => <BlockView token={token} depth={0} />,
  ({ token: before }, { token: now }) =>
    before === now || (before.raw === now.raw && !/\[[^\]]*\](?!\()/.test(now.raw)),
);

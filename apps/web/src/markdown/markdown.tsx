import { Suspense } from "react";
import { loadedLater } from "../loaded-later.js";

// The parser is loaded later.
const { Part: RichText, preload } = loadedLater(async () => (await import("./rich-text.js")).RichText);

/** Begins to load the parser, so that it is ready for the first message. */
export const preloadMarkdown = preload;

/** Draws Markdown. Until the parser is loaded, the source text is shown. */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <Suspense fallback={<p className="plain">{text}</p>}>
      <RichText text={text} />
    </Suspense>
  );
}

import { lazy, Suspense } from "react";

// The parser is not part of the first load.
const load = () => import("./rich-text.js");
const RichText = lazy(async () => ({ default: (await load()).RichText }));

/** Begins to load the parser, so that it is there for the first message. */
export const preloadMarkdown = (): void => void load().catch(() => undefined);

/** Draws Markdown. Until its parser is loaded, the text is shown as it stands. */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <Suspense fallback={<p className="plain">{text}</p>}>
      <RichText text={text} />
    </Suspense>
  );
}

import { useEffect, useState } from "react";
import type { CodePiece } from "./highlight.js";

/** Time without a change after which code gets its colours, in ms. Code that still grows has none. */
const REST_MS = 150;

/** Draws code, with colours if its language is known. */
export function CodeText({ text, language }: { readonly text: string; readonly language: string | undefined }) {
  const [read, setRead] = useState<{ readonly text: string; readonly pieces: readonly CodePiece[] } | undefined>();
  useEffect(() => {
    if (language === undefined) return undefined;
    let isOver = false;
    const timer = setTimeout(async () => {
      // The parsers are not part of the first load. Without them, the code has no colours.
      const pieces = await import("./highlight.js")
        .then(({ highlight }) => highlight(text, language))
        .catch(() => undefined);
      if (!isOver && pieces !== undefined) setRead({ text, pieces });
    }, REST_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text, language]);
  if (read?.text !== text) return text;
  return read.pieces.map(({ text: piece, kind }, index) =>
    kind === "" ? (
      piece
    ) : (
      <span key={index} className={`code-${kind}`}>
        {piece}
      </span>
    ),
  );
}

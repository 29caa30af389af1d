import { Lexer, type Token } from "marked";

/** Block of Markdown: a paragraph, a list, a table, a piece of code. */
export type MarkdownBlock = {
  readonly token: Token;
  /** `true` if the block continues one that was cut, without a gap between them. */
  readonly joined: boolean;
};

/** Maximum length of an open block in characters; a longer one is cut, since each frame reads it again. */
const MAX_OPEN = 3000;

/** Makes an incremental reader of Markdown. It never reads a finished block again. */
export function createMarkdownStream() {
  let pending = "";
  let tokens: readonly Token[] = [];
  let joined = false;

  const finish = (done: readonly Token[]): readonly MarkdownBlock[] => {
    const blocks = done.flatMap((token) => (token.type === "space" ? [] : [{ token, joined }]));
    // Only the first block can continue one that was cut.
    const marked = blocks.map((block, index) => (index === 0 ? block : { ...block, joined: false }));
    if (marked.length > 0) joined = false;
    return marked;
  };
  const read = (text: string) => {
    pending = text;
    tokens = tokensOf(text);
  };

  const add = (text: string): readonly MarkdownBlock[] => {
    read(pending + text);
    const open = firstOpen(tokens);
    const finished = [...finish(tokens.slice(0, open))];
    const rest = tokens.slice(open).map(({ raw }) => raw);
    if (open > 0) read(rest.join(""));
    if (pending.length > MAX_OPEN) {
      const { head, tail } = cut(pending, tokens[0]);
      finished.push(...finish(tokensOf(head)));
      joined = true;
      read(tail);
    }
    return finished;
  };

  return {
    /** Adds harmless text; returns the blocks that it finished. */
    write(text: string): readonly MarkdownBlock[] {
      const finished: MarkdownBlock[] = [];
      // In pieces: the time of the reader grows with the square of an unfinished block.
      for (let at = 0; at < text.length; at += MAX_OPEN) finished.push(...add(text.slice(at, at + MAX_OPEN)));
      return finished;
    },
    /** Returns the unfinished blocks: usually one. */
    open: (): readonly MarkdownBlock[] =>
      tokens.flatMap((token, index) => (token.type === "space" ? [] : [{ token, joined: index === 0 && joined }])),
    end(): readonly MarkdownBlock[] {
      const last = finish(tokens);
      read("");
      return last;
    },
  };
}

/**
 * Returns the blocks of a whole text. If the reader fails, for example on a thousand nested quotes, the text is one
 * block.
 */
function tokensOf(text: string): readonly Token[] {
  if (DEEP_QUOTE.test(text)) return [{ type: "text", raw: text, text }];
  try {
    const lexer = new Lexer();
    const tokens: Token[] = lexer.blockTokens(text.replaceAll("\r\n", "\n"), []);
    const { inlineQueue } = lexer as unknown as { readonly inlineQueue: { src: string; tokens: Token[] }[] };
    for (const { src, tokens: inside } of inlineQueue.splice(0)) {
      if (isDense(src)) inside.push({ type: "text", raw: src, text: src });
      else lexer.inlineTokens(src, inside);
    }
    return tokens;
  } catch {
    return text === "" ? [] : [{ type: "text", raw: text, text }];
  }
}

/** Quotes in quotes that only a hostile text has: the reader takes long for them. */
const DEEP_QUOTE = /^(?:[ \t]{0,3}>){32}/m;

/** Maximum number of brackets and marks in the text of a block; a text with more of them stays source text. */
const MAX_MARKS = 100;

/** Returns whether a text has so many marks that their reader, which compares each with each, would take long. */
function isDense(text: string): boolean {
  let marks = 0;
  for (const _ of text.matchAll(/[[*_~`<]/g)) {
    marks += 1;
    if (marks > MAX_MARKS) return true;
  }
  return false;
}

/** Returns the index of the first block that more text could change. */
function firstOpen(tokens: readonly Token[]): number {
  let last = tokens.length - 1;
  while (last >= 0 && tokens[last]?.type === "space") last -= 1;
  if (last < 0) return tokens.length;
  // After an empty line only a list may continue.
  const isOver = last < tokens.length - 1 && tokens[last]?.type !== "list";
  return isOver ? tokens.length : last;
}

/** Cuts an open block near its end. The rest of code starts with its fence, the rest of a table with its headings. */
function cut(text: string, token: Token | undefined): { readonly head: string; readonly tail: string } {
  const opening = openings[token?.type ?? ""]?.exec(text)?.[0] ?? "";
  const at = [text.lastIndexOf("\n") + 1, text.lastIndexOf(" ") + 1, text.length].find(
    (place) => place > opening.length + 1,
  );
  const head = text.slice(0, at);
  return { head, tail: opening + text.slice(at) };
}

/** Beginnings of blocks that a rest repeats. */
const openings: Readonly<Record<string, RegExp>> = {
  code: /^ {0,3}(?:`{3,}(?!`)|~{3,}(?!~))[^\n]*\n/,
  table: /^[^\n]*\n[^\n]*\n/,
};

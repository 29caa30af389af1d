import { lexer, type Token } from "marked";

/** A block of Markdown: a paragraph, a list, a table, a piece of code. */
export type MarkdownBlock = {
  readonly token: Token;
  /** It goes on where the block before it was cut, so nothing stands between them. */
  readonly joined: boolean;
};

/** Finds the blocks of a text that comes in pieces, and looks at no block again that cannot change any more. */
export interface MarkdownStream {
  /** Adds text, which is harmless already; answers with the blocks that are finished by it. */
  write(text: string): readonly MarkdownBlock[];
  /** What is not finished: usually one block. */
  open(): readonly MarkdownBlock[];
  /** Nothing more comes: the blocks that were open are finished. */
  end(): readonly MarkdownBlock[];
}

/** A block that is longer than this, in characters, is cut: what is read anew with each frame has to stay small. */
const MAX_OPEN = 3000;

/** Makes a {@link MarkdownStream}. */
export function createMarkdownStream(): MarkdownStream {
  let pending = "";
  let tokens: readonly Token[] = [];
  let joined = false;

  const finish = (done: readonly Token[]): readonly MarkdownBlock[] => {
    const blocks = done.flatMap((token) => (token.type === "space" ? [] : [{ token, joined }]));
    // Only the first of them can go on with what was cut.
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
    write(text) {
      const finished: MarkdownBlock[] = [];
      // In pieces: what makes the reader slow gets slower with the square of its length.
      for (let at = 0; at < text.length; at += MAX_OPEN) finished.push(...add(text.slice(at, at + MAX_OPEN)));
      return finished;
    },
    open: () =>
      tokens.flatMap((token, index) => (token.type === "space" ? [] : [{ token, joined: index === 0 && joined }])),
    end() {
      const last = finish(tokens);
      read("");
      return last;
    },
  };
}

/** The blocks of a whole text. A text that the reader chokes on, such as a thousand quotes in each other, stays text. */
function tokensOf(text: string): readonly Token[] {
  try {
    return lexer(text);
  } catch {
    return text === "" ? [] : [{ type: "text", raw: text, text }];
  }
}

/** The first block that more text could still change. */
function firstOpen(tokens: readonly Token[]): number {
  let last = tokens.length - 1;
  while (last >= 0 && tokens[last]?.type === "space") last -= 1;
  if (last < 0) return tokens.length;
  // After an empty line a list may go on, everything else is over.
  const isOver = last < tokens.length - 1 && tokens[last]?.type !== "list";
  return isOver ? tokens.length : last;
}

/** Cuts an open block near its end. Code goes on as code, and a table with its headings once more. */
function cut(text: string, token: Token | undefined): { readonly head: string; readonly tail: string } {
  const opening = openings[token?.type ?? ""]?.exec(text)?.[0] ?? "";
  const at = [text.lastIndexOf("\n") + 1, text.lastIndexOf(" ") + 1, text.length].find(
    (place) => place > opening.length + 1,
  );
  const head = text.slice(0, at);
  return { head, tail: opening + text.slice(at) };
}

/** What a block begins with that its rest needs too. */
const openings: Readonly<Record<string, RegExp>> = {
  code: /^ {0,3}(`{3,}|~{3,})[^\n]*\n/,
  table: /^[^\n]*\n[^\n]*\n/,
};

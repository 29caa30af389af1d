import { isNested } from "@turnkit/web/nesting";
import { getDefaults, Lexer, type Token, Tokenizer, type Tokens } from "marked";
import { CODE_SHARE, costOf, isDense, MAX_COST, MAX_WORK } from "./markdown-cost.js";

/** Block of Markdown: a paragraph, a list, a table or a code block. */
export type MarkdownBlock = {
  readonly token: Token;
  /** `true` if the block is the continuation of a block that was cut. No empty line is between them. */
  readonly joined: boolean;
};

/** Beginning of an unfinished block that later text does not change. */
export type SettledPart = {
  readonly token: Token;
  /** Length of its source. */
  readonly length: number;
  /** Source that the rest repeats, such as the fence of code. */
  readonly again: string;
  /** `true` if an empty line is between the two parts. */
  readonly isApart: boolean;
  /** Number of the first item of the rest. */
  readonly start?: number;
};

export const codeOpening = /^ {0,3}(?:`{3,}(?!`)|~{3,}(?!~))[^\n]*\n/;

/**
 * Maximum length of an unfinished block in characters. A longer block is cut, because each frame parses the unfinished
 * block again.
 */
const MAX_OPEN = 3000;

const PLAIN_NOTICE = "(From here, this message is shown without formatting.)";

const source = (raw: string): Token => ({ type: "source", raw });

/**
 * Creates an incremental parser of Markdown. A finished block is never parsed again.
 *
 * A message is formatted up to 3000 lines, or up to the same amount of work for the parser. The rest of the message
 * follows as source text, after a notice. Lists and quotes that are nested more than 12 times are source text too.
 */
export function createMarkdownStream() {
  let pending = "";
  let tokens: readonly Token[] = [];
  let joined = false;
  /** Number of the first item of a list that was cut. */
  let start: number | undefined;
  let cost = 0;
  let work = 0;
  /** `true` if `tokens` are not the current tokens of `pending`. */
  let isBehind = false;
  let isPlain = false;

  const finish = (done: readonly Token[]): readonly MarkdownBlock[] => {
    const blocks = done.flatMap((token) => (token.type === "space" ? [] : [{ token: numbered(token), joined }]));
    // Only the first block can continue a block that was cut.
    const marked = blocks.map((block, index) => (index === 0 ? block : { ...block, joined: false }));
    if (marked.length === 0) return marked;
    joined = false;
    start = undefined;
    return marked;
  };
  const numbered = (token: Token): Token => {
    const isList = token.type === "list" && token.ordered && start !== undefined;
    return isList && token === tokens.find(({ type }) => type !== "space") ? { ...token, start } : token;
  };
  const read = (text: string) => {
    pending = text;
    tokens = tokensOf(text);
    isBehind = false;
  };
  /**
   * Removes the first tokens. If one of them defined a link that the other tokens used, the other tokens are read
   * again.
   */
  const leave = (count: number) => {
    const rest = tokens.slice(count);
    const text = rest.map(({ raw }) => raw).join("");
    if (tokens.slice(0, count).some(({ type }) => type === "def")) read(text);
    else [pending, tokens] = [text, rest];
  };
  const workOf = (text: string) => costOf(text) * (tokens[0]?.type === "code" ? CODE_SHARE : 1);
  const readOpen = () => {
    if (isBehind) {
      work += workOf(pending);
      read(pending);
    }
    return tokens;
  };

  const addPlain = (text: string): readonly MarkdownBlock[] => {
    const all = pending + text;
    const lineEnd = all.lastIndexOf("\n") + 1;
    const end = lineEnd === 0 && all.length > MAX_OPEN ? all.length : lineEnd;
    pending = all.slice(end);
    isBehind = false;
    tokens = pending === "" ? [] : [source(pending)];
    joined = true;
    return end === 0 ? [] : [{ token: source(all.slice(0, end)), joined }];
  };

  const add = (text: string): readonly MarkdownBlock[] => {
    if (isPlain) return addPlain(text);
    cost += costOf(text);
    // A block is finished by the end of a line or by the first character of the next line.
    if (
      !text.includes("\n") &&
      /[^\n]$/.test(pending) &&
      pending.length + text.length <= MAX_OPEN &&
      cost <= MAX_COST
    ) {
      pending += text;
      isBehind = true;
      return [];
    }
    work += workOf(pending + text);
    if (cost > MAX_COST || work > MAX_WORK) {
      isPlain = true;
      return [{ token: source(PLAIN_NOTICE), joined: false }, ...addPlain(text)];
    }
    read(pending + text);
    const open = firstOpen(tokens);
    const finished = [...finish(tokens.slice(0, open))];
    if (open > 0) leave(open);
    if (pending.length > MAX_OPEN) {
      const { head, tail } = cut(pending, tokens[0]);
      finished.push(...finish(tokensOf(head)));
      joined = true;
      read(tail);
    }
    return finished;
  };

  return {
    /** Adds text that is safe for a terminal. Returns the blocks that this text finishes. */
    write(text: string): readonly MarkdownBlock[] {
      const finished: MarkdownBlock[] = [];
      // The text is added in pieces, because the time to parse grows with the square of an unfinished block's length.
      for (let at = 0; at < text.length; at += MAX_OPEN) finished.push(...add(text.slice(at, at + MAX_OPEN)));
      return finished;
    },
    /** Returns the unfinished blocks. Usually there is one. */
    open: (): readonly MarkdownBlock[] =>
      readOpen().flatMap((token, index) =>
        token.type === "space" ? [] : [{ token: numbered(token), joined: index === 0 && joined }],
      ),
    /** Returns the beginning of the unfinished block that later text does not change. The rest stays unfinished. */
    settle(partOf: (token: Token) => SettledPart | undefined): readonly MarkdownBlock[] {
      const [token, ...others] = readOpen();
      if (token === undefined || isPlain || others.some(({ type }) => type !== "space")) return [];
      const part = partOf(numbered(token));
      if (part === undefined || !pending.startsWith(token.raw.slice(0, part.length))) return [];
      const settled = finish([part.token]);
      joined = !part.isApart;
      start = part.start;
      const rest = part.again + pending.slice(part.length);
      work += workOf(rest);
      read(rest);
      return settled;
    },
    end(): readonly MarkdownBlock[] {
      const last = finish(readOpen());
      pending = "";
      tokens = [];
      return last;
    },
  };
}

/**
 * Returns the blocks of a complete text. If the parser fails, for example because of a thousand nested quotes, the
 * whole text is one block.
 */
function tokensOf(text: string): readonly Token[] {
  if (isNested(text)) return [source(text)];
  try {
    const lexer = new Lexer({ ...getDefaults(), tokenizer: new BoundedTokenizer() });
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

/**
 * Maximum number of columns of a table. A wider table is shown as source text, because the parser completes each of its
 * rows.
 */
const MAX_COLUMNS = 64;

/**
 * Returns an address of mail as text. Names of packages such as `react@18.2.0` look like addresses of mail, so these
 * are not links. The text is one token. Otherwise the parser would read its rest again after each character.
 */
function withoutMail(link: Tokens.Link | undefined): Tokens.Link | undefined {
  if (!link?.href.startsWith("mailto:")) return link;
  return { type: "text", raw: link.raw, text: link.raw } as unknown as Tokens.Link;
}

/** Line below a heading. If there is no such line, the parser would read a whole paragraph character by character. */
const underline = /\n {0,3}(?:=+|-+) *(?:\n|$)/;

class BoundedTokenizer extends Tokenizer {
  override table(text: string): Tokens.Table | undefined {
    const heading = text.slice(0, text.indexOf("\n") + 1);
    return heading.split("|").length > MAX_COLUMNS + 2 ? undefined : super.table(text);
  }

  override lheading(text: string): Tokens.Heading | undefined {
    return underline.test(text) ? super.lheading(text) : undefined;
  }

  override url(text: string): Tokens.Link | undefined {
    return withoutMail(super.url(text));
  }

  override autolink(text: string): Tokens.Link | undefined {
    return withoutMail(super.autolink(text));
  }
}

/** Returns the index of the first block that can still change when more text arrives. */
function firstOpen(tokens: readonly Token[]): number {
  let last = tokens.length - 1;
  while (last >= 0 && tokens[last]?.type === "space") last -= 1;
  if (last < 0) return tokens.length;
  // After an empty line, only a list can continue.
  const isOver = last < tokens.length - 1 && tokens[last]?.type !== "list";
  return isOver ? tokens.length : last;
}

/** Maximum length of the fence or headings that the rest of a cut block repeats, in characters. */
const MAX_OPENING = 300;

/**
 * Cuts an unfinished block near its end. If the block is code or a table, its rest begins with the same fence or
 * headings.
 */
function cut(text: string, token: Token | undefined): { readonly head: string; readonly tail: string } {
  const found = openings[token?.type ?? ""]?.exec(text)?.[0] ?? "";
  const opening = found.length > MAX_OPENING ? "" : found;
  const at = [text.lastIndexOf("\n") + 1, text.lastIndexOf(" ") + 1, text.length].find(
    (place) => place > opening.length + 1,
  );
  const head = text.slice(0, at);
  return { head, tail: opening + text.slice(at) };
}

/** Patterns for the beginning of a block, which the rest of a cut block repeats. */
const openings: Readonly<Record<string, RegExp>> = {
  code: codeOpening,
  table: /^[^\n]*\n[^\n]*\n/,
};

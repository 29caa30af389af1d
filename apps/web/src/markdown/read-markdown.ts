import { Lexer, type Token } from "marked";
import { isNested } from "./nesting.js";

/** Longest text that is read as Markdown, in characters and in lines. A longer one is shown as it stands. */
const LONGEST = 100_000;
const MOST_LINES = 4_000;
/** Marks in one paragraph or cell. The reader compares each with each other one, so more are shown as they stand. */
const MOST_MARKS = 200;
/** Marks and addresses in one text. */
const MOST_IN_ALL = 6_000;

const MARK = /[[(*_~`<!\\&|@]|:|www\.|http|ftp/gi;

/** Word before an `@` that is no address. The reader begins to read an address at each of its characters. */
const LONG_WORD = /[\w.!#$%&'*+/=?^`{|}~-]{300}/;

/** Returns the blocks of a text, or `undefined` if it is to be shown as it stands, because it would take long to read. */
export function readMarkdown(text: string): readonly Token[] | undefined {
  if (text.length > LONGEST || count(text, /\n/g, MOST_LINES) || count(text, MARK, MOST_IN_ALL)) return undefined;
  if (isNested(text)) return undefined;
  try {
    return new BoundedLexer({ gfm: true }).lex(text);
  } catch {
    return undefined;
  }
}

/** Shows paragraphs and cells with too many marks as they stand. */
class BoundedLexer extends Lexer {
  override inline(src: string, tokens: Token[] = []): Token[] {
    if (!isDense(src)) return super.inline(src, tokens);
    tokens.push({ type: "text", raw: src, text: src, escaped: true });
    return tokens;
  }
}

function isDense(text: string): boolean {
  return count(text, MARK, MOST_MARKS) || (text.includes("@") && LONG_WORD.test(text));
}

/** Returns `true` if a text has more matches than `most`. */
function count(text: string, what: RegExp, most: number): boolean {
  let found = 0;
  for (const _ of text.matchAll(what)) if (++found > most) return true;
  return false;
}

import { Lexer, type Token } from "marked";
import { isNested } from "./nesting.js";

/**
 * Maximum length of a text that is read as Markdown, in characters and in lines. A longer text is shown as source text.
 */
const LONGEST = 100_000;
const MOST_LINES = 4_000;
/**
 * Maximum number of marks in one paragraph or cell. The parser compares each mark with each other mark. With more
 * marks, the source text is shown.
 */
const MOST_MARKS = 200;
/** Maximum number of marks and addresses in one text. */
const MOST_IN_ALL = 6_000;

const MARK = /[[(*_~`<!\\&|@]|:|www\.|http|ftp/gi;

/**
 * Word before an `@` that does not belong to an address. The parser tries to read an address at each of its characters.
 */
const LONG_WORD = /[\w.!#$%&'*+/=?^`{|}~-]{300}/;

/** Newest blocks that more text may change. They are read again when the text grows. */
const OPEN_BLOCKS = 3;

/** Beginning of a text whose blocks stay as they are when the text grows. */
type Settled = {
  readonly text: string;
  readonly blocks: readonly Token[];
  readonly lines: number;
  readonly marks: number;
};

/** Text that was read. */
export type Reading = {
  /** Blocks, or `undefined` if the source text is to be shown, because reading it would take long. */
  readonly blocks: readonly Token[] | undefined;
  readonly settled: Settled;
};

const NOTHING: Settled = { text: "", blocks: [], lines: 0, marks: 0 };
const unread: Reading = { blocks: undefined, settled: NOTHING };

/**
 * Reads a text. If it begins with the text of an earlier reading, only its newest blocks are read, and the others are the
 * same objects as before.
 */
export function readMarkdown(text: string, earlier?: Reading): Reading {
  const known = earlier !== undefined && text.startsWith(earlier.settled.text) ? earlier.settled : NOTHING;
  const rest = text.slice(known.text.length);
  const lines = known.lines + count(rest, /\n/g, MOST_LINES);
  const marks = known.marks + count(rest, MARK, MOST_IN_ALL);
  if (text.length > LONGEST || lines > MOST_LINES || marks > MOST_IN_ALL || isNested(rest.replaceAll("\r", "\n")))
    return unread;
  try {
    const lexer = new BoundedLexer({ gfm: true });
    const read = lexer.lex(rest);
    // A definition gives links to words anywhere in the text.
    const hasDefinitions = Object.keys(lexer.tokens.links).length > 0;
    if (hasDefinitions && known !== NOTHING) return readMarkdown(text);
    const blocks = known.blocks.concat(read);
    return { blocks, settled: hasDefinitions ? NOTHING : settledOf(known, rest, read) };
  } catch {
    return unread;
  }
}

/** Returns the part of a text before its newest blocks. */
function settledOf(known: Settled, rest: string, read: readonly Token[]): Settled {
  let open = OPEN_BLOCKS;
  let at = read.length;
  while (at > 0 && open > 0) if (read[--at]?.type !== "space") open -= 1;
  const closed = read.slice(0, at);
  const text = closed.map(({ raw }) => raw).join("");
  if (text === "" || !rest.startsWith(text)) return known;
  return {
    text: known.text + text,
    blocks: known.blocks.concat(closed),
    lines: known.lines + count(text, /\n/g, MOST_LINES),
    marks: known.marks + count(text, MARK, MOST_IN_ALL),
  };
}

/** Shows paragraphs and cells with too many marks as source text. */
class BoundedLexer extends Lexer {
  override inline(src: string, tokens: Token[] = []): Token[] {
    if (!isDense(src)) return super.inline(src, tokens);
    tokens.push({ type: "text", raw: src, text: src, escaped: true });
    return tokens;
  }
}

function isDense(text: string): boolean {
  return count(text, MARK, MOST_MARKS) > MOST_MARKS || (text.includes("@") && LONG_WORD.test(text));
}

/** Returns the number of matches in a text, up to one more than `most`. */
function count(text: string, what: RegExp, most: number): number {
  let found = 0;
  for (const _ of text.matchAll(what)) if (++found > most) break;
  return found;
}

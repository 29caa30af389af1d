/** Maximum depth of lists and quotes. Deeper blocks are shown as source text, because the parser reads each level again. */
const MAX_DEPTH = 12;

/** Maximum number of changes between lists and quotes in a line. Each change doubles the time of the parser. */
const MAX_CHANGES = 3;

/** Mark of a list or of a quote at the start of a line, with the spaces before it. */
const mark = /([ \t]*)(?:(>)|(?:[-+*]|\d{1,9}[.)])(?=[ \t\r\n]|$))/y;

/** Rule across the screen, which has the same marks as a list. */
const rule = /[ \t]*([-*_])(?:[ \t]*\1)*[ \t]*(?:[\r\n]|$)/y;

type Marks = {
  /** Columns before each mark of a list. */
  readonly columns: readonly number[];
  readonly count: number;
  readonly changes: number;
};

/** Returns the marks of lists and quotes at the start of the line at `from`. */
function marksAt(text: string, from: number): Marks {
  const columns: number[] = [];
  let count = 0;
  let changes = 0;
  let column = 0;
  let wasQuote: boolean | undefined;
  mark.lastIndex = from;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    const [all, blank = "", quote] = match;
    for (const char of blank) column = char === "\t" ? column + 4 - (column % 4) : column + 1;
    const isQuote = quote !== undefined;
    if (!isQuote) columns.push(column);
    column += all.length - blank.length;
    count += 1;
    if (wasQuote !== undefined && wasQuote !== isQuote) changes += 1;
    wasQuote = isQuote;
  }
  return { columns, count, changes };
}

/** Returns `true` if the first character of a line that is not a blank can be that of a mark. Most lines have another one. */
function beginsMark(text: string, from: number): boolean {
  let at = from;
  while (text[at] === " " || text[at] === "\t") at += 1;
  const first = text.charAt(at);
  return first !== "" && ">-+*0123456789".includes(first);
}

/** Calls `each` with the marks of each line that has some, until `each` returns `true`. Returns that result. */
function someLine(text: string, each: (marks: Marks) => boolean): boolean {
  for (let from = 0; from < text.length; ) {
    rule.lastIndex = from;
    if (beginsMark(text, from) && !rule.test(text) && each(marksAt(text, from))) return true;
    const end = text.indexOf("\n", from);
    from = end === -1 ? text.length : end + 1;
  }
  return false;
}

/**
 * Returns `true` if lists and quotes of a text are nested too deeply for the parser: in a line, or by the spaces before
 * the marks of several lines.
 */
export function isNested(text: string): boolean {
  const open: number[] = [];
  return someLine(text, ({ columns, count, changes }) => {
    for (const column of columns) {
      while ((open.at(-1) ?? -1) >= column) open.pop();
      open.push(column);
    }
    return count > MAX_DEPTH || changes > MAX_CHANGES || open.length > MAX_DEPTH;
  });
}

/** Returns the number of marks in a text that begin a list or a quote inside of another one in the same line. */
export function nestedMarks(text: string): number {
  let sum = 0;
  someLine(text, ({ count }) => {
    sum += Math.max(0, count - 1);
    return false;
  });
  return sum;
}

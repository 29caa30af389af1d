/** Deepest lists and quotes that are read, because the reader reads the inside of each level again. */
const DEEPEST = 12;
/** Changes between lists and quotes in a line. Each doubles the time of the reader. */
const MOST_CHANGES = 3;

/** Mark of a list or of a quote at the start of a line, with the blanks before it. */
const MARK = /([ \t]*)(?:(>)|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/y;
/** Rule across the page, which has the same marks as a list. */
const RULE = /^[ \t]*([-*_])(?:[ \t]*\1)*[ \t]*$/;

/** Returns `true` if lists and quotes of a text are nested too deeply, in a line or by the blanks before several lines. */
export function isNested(text: string): boolean {
  const open: number[] = [];
  return text.split(/\r\n?|\n/).some((line) => {
    if (RULE.test(line)) return false;
    const { columns, count, changes } = marksOf(line);
    for (const column of columns) {
      while ((open.at(-1) ?? -1) >= column) open.pop();
      open.push(column);
    }
    return count > DEEPEST || changes > MOST_CHANGES || open.length > DEEPEST;
  });
}

function marksOf(line: string) {
  const columns: number[] = [];
  let count = 0;
  let changes = 0;
  let column = 0;
  let wasQuote: boolean | undefined;
  MARK.lastIndex = 0;
  for (let found = MARK.exec(line); found !== null; found = MARK.exec(line)) {
    const [all, blank = "", quote] = found;
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

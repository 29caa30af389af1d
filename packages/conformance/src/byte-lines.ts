/** Splits bytes into lines at LF. The last line may have no LF. */
export class ByteLines {
  #rest: Uint8Array[] = [];

  /** Adds bytes, and returns the lines that they complete. */
  add(bytes: Uint8Array): readonly Uint8Array[] {
    const lines: Uint8Array[] = [];
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      lines.push(joined([...this.#rest, bytes.subarray(from, at)]));
      this.#rest = [];
      from = at + 1;
    }
    if (from < bytes.length) this.#rest.push(bytes.subarray(from));
    return lines;
  }

  /** Returns the last line if it has no LF. */
  end(): readonly Uint8Array[] {
    const rest = joined(this.#rest);
    this.#rest = [];
    return rest.length > 0 ? [rest] : [];
  }
}

/** Joins pieces of bytes. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

const strict = new TextDecoder("utf-8", { fatal: true });
const tolerant = new TextDecoder("utf-8");

/** Maximum depth of lists and objects in a message. */
const DEPTH = 2_000;

/**
 * Reads a line as JSON. `broken` marks bytes that are not UTF-8. A message of more than 2 000 levels is read as a text. Returns
 * `undefined` for an empty line.
 */
export function readLine(bytes: Uint8Array): { frame?: unknown; line?: string; broken?: true } | undefined {
  let broken: true | undefined;
  let text: string;
  try {
    text = strict.decode(bytes);
  } catch {
    broken = true;
    text = tolerant.decode(bytes);
  }
  if (text.trim() === "") return undefined;
  if (isTooDeep(text)) return { line: text, ...(broken && { broken }) };
  try {
    return { frame: JSON.parse(text) as unknown, ...(broken && { broken }) };
  } catch {
    return { line: text, ...(broken && { broken }) };
  }
}

/** Returns `true` for JSON that is so deep that functions which visit it would overflow the stack. */
function isTooDeep(text: string): boolean {
  if (text.length < 2 * DEPTH) return false;
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const one = text[at];
    if (one === "\\") at += 1;
    else if (one === '"') isString = !isString;
    else if (!isString && (one === "[" || one === "{")) depth += 1;
    else if (!isString && (one === "]" || one === "}")) depth -= 1;
    if (depth > DEPTH) return true;
  }
  return false;
}

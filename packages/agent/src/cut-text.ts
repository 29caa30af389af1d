/** Replacement of half a character whose other half never came. */
const REPLACEMENT = "\ufffd";

/** Text in pieces that may be cut anywhere: half of a surrogate pair waits for the other half. */
export class CutText {
  #half = "";

  /** True while half a character waits. */
  get isCut(): boolean {
    return this.#half !== "";
  }

  /** Takes a piece and returns the text that is complete. */
  take(piece: string): string {
    if (piece === "" || (this.#half === "" && !endsInHalf(piece))) return piece;
    const text = this.#half === "" ? piece : (isIn(piece.charCodeAt(0), LOW) ? this.#half : REPLACEMENT) + piece;
    this.#half = endsInHalf(text) ? text.slice(-1) : "";
    return this.#half === "" ? text : text.slice(0, -1);
  }

  /** Ends the text and returns the replacement of a waiting half, or an empty string. */
  end(): string {
    const isCut = this.#half !== "";
    this.#half = "";
    return isCut ? REPLACEMENT : "";
  }
}

/** True for a text whose last character is the first half of a surrogate pair. */
export const endsInHalf = (text: string): boolean => isIn(text.charCodeAt(text.length - 1), HIGH);

/** Returns a text of at most `most` characters and an ellipsis. The cut is never inside a surrogate pair. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** Beginnings of the ranges of first and second halves; each has 1 024. */
const HIGH = 0xd800;
const LOW = 0xdc00;

const isIn = (unit: number, range: number): boolean => (unit & 0xfc00) === range;

/** Replacement for the first half of a character whose second half never arrived. */
const REPLACEMENT = "\ufffd";

/** Text that arrives in pieces with cuts at any place. The first half of a surrogate pair waits for the second half. */
export class CutText {
  #half = "";

  /** True while the first half of a character waits. */
  get isCut(): boolean {
    return this.#half !== "";
  }

  /** Takes a piece and returns the complete characters. */
  take(piece: string): string {
    if (piece === "" || (this.#half === "" && !endsInHalf(piece))) return piece;
    const text = this.#half === "" ? piece : (isIn(piece.charCodeAt(0), LOW) ? this.#half : REPLACEMENT) + piece;
    this.#half = endsInHalf(text) ? text.slice(-1) : "";
    return this.#half === "" ? text : text.slice(0, -1);
  }

  /** Ends the text. Returns the replacement for a waiting half, or an empty string if no half waits. */
  end(): string {
    const isCut = this.#half !== "";
    this.#half = "";
    return isCut ? REPLACEMENT : "";
  }
}

/** True for a text whose last character is the first half of a surrogate pair. */
export const endsInHalf = (text: string): boolean => isIn(text.charCodeAt(text.length - 1), HIGH);

/** Returns the text, cut to `most` characters and an ellipsis if it is longer. The cut is never inside a surrogate pair. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** Beginnings of the ranges of first and second halves. Each range has 1 024 code units. */
const HIGH = 0xd800;
const LOW = 0xdc00;

const isIn = (unit: number, range: number): boolean => (unit & 0xfc00) === range;

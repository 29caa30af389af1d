/** Replacement of half a character whose other half never came. */
const REPLACEMENT = "\ufffd";

/** Text that comes in pieces, cut anywhere: half of a surrogate pair waits for the other half. */
export class CutText {
  #half = "";

  /** True while half a character waits. */
  get isCut(): boolean {
    return this.#half !== "";
  }

  /** Takes a piece and returns what can be said of the text by now. */
  take(piece: string): string {
    const isWhole = this.#half === "" && !isIn(piece.charCodeAt(piece.length - 1), HIGH);
    if (isWhole || piece === "") return piece;
    const text = this.#half === "" ? piece : (isIn(piece.charCodeAt(0), LOW) ? this.#half : REPLACEMENT) + piece;
    this.#half = isIn(text.charCodeAt(text.length - 1), HIGH) ? text.slice(-1) : "";
    return this.#half === "" ? text : text.slice(0, -1);
  }

  /** The text ends: returns what stands for the half that waits, if one does. */
  end(): string {
    const isCut = this.#half !== "";
    this.#half = "";
    return isCut ? REPLACEMENT : "";
  }
}

/** Beginnings of the ranges of first and second halves; each has 1 024. */
const HIGH = 0xd800;
const LOW = 0xdc00;

const isIn = (unit: number, range: number): boolean => (unit & 0xfc00) === range;

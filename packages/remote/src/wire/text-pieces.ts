/** Number of pieces that are joined to one block. */
const BLOCK = 1024;

/** Text that arrives in pieces. One string per byte would take thirty times the memory of the text. */
export class TextPieces {
  length = 0;
  #blocks: string[] = [];
  #pieces: string[] = [];

  add(piece: string): void {
    if (piece === "") return;
    this.length += piece.length;
    if (this.#pieces.push(piece) === BLOCK) this.#blocks.push(this.#pieces.splice(0).join(""));
  }

  /** Returns the whole text with `last` at its end, and begins a new text. */
  takeWith(last: string): string {
    if (this.length === 0) return last;
    this.length = 0;
    return [...this.#blocks.splice(0), ...this.#pieces.splice(0), last].join("");
  }
}

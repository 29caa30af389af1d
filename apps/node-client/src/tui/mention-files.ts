/** Time for which a list of files is used, in milliseconds. */
const FRESH_MS = 5000;

/** List of the files that a mention can name. It is read again while the person types mentions. */
export class MentionFiles {
  readonly #list: () => Promise<readonly string[]>;
  readonly #show: (files: readonly string[]) => void;
  #readAt = Number.NEGATIVE_INFINITY;

  /** Creates a list that was not read yet. `show` is called with each new list. */
  constructor(list: () => Promise<readonly string[]>, show: (files: readonly string[]) => void) {
    this.#list = list;
    this.#show = show;
  }

  /** Reads the files, unless they were read a moment ago. */
  async refresh(): Promise<void> {
    if (performance.now() - this.#readAt < FRESH_MS) return;
    const readAt = performance.now();
    this.#readAt = readAt;
    const files = await this.#list();
    // A list of another directory, or a list that is older than the shown one, is dropped.
    if (this.#readAt === readAt) this.#show(files);
  }

  /** Removes the stored files, because the directory may have changed. */
  forget(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
    this.#show([]);
  }
}

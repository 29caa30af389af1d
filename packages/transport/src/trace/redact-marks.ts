/** Number of characters that are searched at a time. */
const length = 3;
const bits = 6;
const mask = 2 ** (bits * length) - 1;

/** Signs with a class of their own. White space, brackets and control characters share class 0. */
const signs = "!#$%&()*+,-./:;<=>?@\\^_{|}~";

/** Classes of the ASCII characters. A letter has one class in both cases. All digits have one class, and so have all quotes. */
const classes = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  if (/[a-z]/i.test(letter)) return code & 31;
  if (/\d/.test(letter)) return 27;
  if (/["'`]/.test(letter)) return 28;
  return signs.includes(letter) ? 29 + signs.indexOf(letter) : 0;
});

/**
 * Returns the number of the next three characters. It is made of the number of the previous three and the class of the
 * new character.
 */
const append = (number: number, code: number) => ((number << bits) | (classes[code & 127] as number)) & mask;

/** Returns the numbers of all texts of three characters that begin with a mark. */
function numbersOf(mark: string): readonly number[] {
  const free = bits * (length - mark.length);
  const first = [...mark].reduce((number, letter) => append(number, letter.charCodeAt(0)), 0) << free;
  return Array.from({ length: 2 ** free }, (_, at) => first + at);
}

/** Row of a table. `marks` are texts of two or three characters, with spaces between them, or an empty text. */
type Marked = { readonly marks: string };

/**
 * Table that finds the rows which a text can fit, in one pass over the text. A text can fit a row if it contains a mark
 * of the row. After a mark of two characters, the text must go on. Case is ignored. A digit stands for all digits, and
 * a quote for all quotes. A row without marks fits every text.
 */
export class Marks<Row extends Marked> {
  readonly #rows: readonly Row[];
  readonly #unmarked: readonly Row[];
  /** Groups of rows with a common mark, as indexes. The first one has no rows. */
  readonly #groups: (readonly number[])[] = [[]];
  /** Index of the group for each number of three characters. */
  readonly #groupOf = new Uint8Array(mask + 1);
  /** Number of the text in which each group was found last. */
  readonly #foundIn: number[];
  #texts = 0;

  constructor(rows: readonly Row[]) {
    this.#rows = rows;
    this.#unmarked = rows.filter(({ marks }) => marks === "");
    rows.forEach(({ marks }, row) => {
      if (marks !== "") this.#add(row, marks);
    });
    this.#foundIn = this.#groups.map(() => 0);
  }

  #add(row: number, marks: string): void {
    /** Groups with the row, by the group without it. */
    const larger = new Map<number, number>();
    for (const number of marks.split(" ").flatMap(numbersOf)) {
      const before = this.#groupOf[number] as number;
      const after = larger.get(before) ?? this.#groups.push([...(this.#groups[before] as readonly number[]), row]) - 1;
      larger.set(before, after).set(after, after);
      this.#groupOf[number] = after;
    }
  }

  /** Returns the rows that a text can fit, in the order of the table. */
  in(text: string): readonly Row[] {
    const groupOf = this.#groupOf;
    const foundIn = this.#foundIn;
    const current = ++this.#texts;
    let found: boolean[] | undefined;
    let number = 0;
    for (let at = 0; at < text.length; at++) {
      number = append(number, text.charCodeAt(at));
      const group = groupOf[number] as number;
      if (group === 0 || foundIn[group] === current) continue;
      foundIn[group] = current;
      found ??= this.#rows.map(({ marks }) => marks === "");
      for (const row of this.#groups[group] as readonly number[]) found[row] = true;
    }
    return found === undefined ? this.#unmarked : this.#rows.filter((_, row) => found[row]);
  }
}

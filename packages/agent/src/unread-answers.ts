import { shortened } from "./cut-text.js";

/** Maximum length of a question in a report, in characters. */
const MAX_TITLE = 200;

/** Questions that were open at the same time. If one answer is read, all of them count as read. */
type Group = { readonly refused: string[]; isRead: boolean };

/**
 * Refusals of a turn that the handler has not read. An answer is an object, so `if (await turn.requestPermission(…))`
 * is always true.
 */
export class UnreadAnswers {
  readonly #groups: Group[] = [];
  #open = 0;

  /** Asks. Records whether a refusal is read. */
  async ask<A extends object>(title: string, asking: () => Promise<A>, isRefusal: (answer: A) => boolean): Promise<A> {
    if (this.#open === 0) this.#groups.push({ refused: [], isRead: false });
    const group = this.#groups.at(-1) as Group;
    this.#open += 1;
    try {
      const answer = await asking();
      if (!isRefusal(answer)) return answer;
      group.refused.push(title);
      return watched(answer, () => {
        group.isRead = true;
      });
    } finally {
      this.#open -= 1;
    }
  }

  /** Returns one sentence for the first refusal that was not read. */
  get mistake(): string | undefined {
    const title = this.#groups.find(({ isRead, refused }) => !isRead && refused.length > 0)?.refused[0];
    if (title === undefined) return undefined;
    const name = `The question ${JSON.stringify(shortened(title, MAX_TITLE))}`;
    return `${name} was refused, and nobody read the answer, which is an object: read \`allowed\` or \`action\`, or use \`turn.ask\`.`;
  }
}

/** Returns a copy of an answer. `read` is called when a member is read, or when Node shows the answer. */
function watched<A extends object>(answer: A, read: () => void): A {
  const look = (): A => {
    read();
    return answer;
  };
  const copy = Object.defineProperty({}, Symbol.for("nodejs.util.inspect.custom"), { value: look });
  for (const name of Object.keys(answer) as (keyof A)[]) {
    Object.defineProperty(copy, name, { enumerable: true, get: () => look()[name] });
  }
  return copy as A;
}

import type { Interrupts } from "../interrupts.js";

/** A time limit of a whole program. */
export interface Deadline {
  readonly isOver: boolean;
  /** Takes the limit away. */
  release(): void;
}

/** What is said where the limit ended something. */
export const deadlineNote = "--timeout was over before the agent was done.";

/** How long a cancelled turn may take to end before the program does. */
const GRACE_MS = 10_000;

/**
 * After `ms` milliseconds it is as if the user had pressed Ctrl-C: the turn is cancelled and its end awaited; after 10 s
 * more the program ends. Without a limit nothing happens.
 */
export function startDeadline(ms: number | undefined, { interrupt, quit, cancel }: Interrupts): Deadline {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  if (ms !== undefined) {
    timer = setTimeout(() => {
      if (cancel.aborted) return;
      isOver = true;
      interrupt();
      timer = setTimeout(() => quit.aborted || interrupt(), GRACE_MS);
    }, ms);
  }
  return {
    get isOver() {
      return isOver;
    },
    release: () => clearTimeout(timer),
  };
}

import type { Interrupts } from "../interrupts.js";

/** Message after the limit ended a run. */
export const deadlineNote = "--timeout was over before the agent was done.";

/** Milliseconds for a cancelled turn to end before the program does. */
const GRACE_MS = 10_000;

/** Time limit of a whole program. */
export type Deadline = ReturnType<typeof startDeadline>;

/**
 * Interrupts the program after `ms` milliseconds like a Ctrl-C: the turn is cancelled. 10 s later the program ends.
 * Without a limit nothing happens.
 */
export function startDeadline(ms: number | undefined, { interrupt, quit, cancel }: Interrupts) {
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
    get isOver(): boolean {
      return isOver;
    },
    release: () => clearTimeout(timer),
  };
}

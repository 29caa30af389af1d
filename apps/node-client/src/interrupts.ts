/** Stop requests of the user, as signals that abort at most once. */
export interface Interrupts {
  /** Cancels the turn and waits for its end: the first Ctrl-C. */
  readonly cancel: AbortSignal;
  /** Ends the program: the second Ctrl-C, SIGTERM, SIGHUP, or a closed output. */
  readonly quit: AbortSignal;
  /** Handles a Ctrl-C that arrived as a key: a terminal that reads a line sends no signal for it. */
  interrupt(): void;
  release(): void;
}

/** Part of `process` that emits signals. */
export type SignalSource = {
  on(signal: "SIGINT" | "SIGTERM" | "SIGHUP", listener: () => void): unknown;
  off(signal: "SIGINT" | "SIGTERM" | "SIGHUP", listener: () => void): unknown;
};

/** Part of `process.stdout` that reports a closed reader. */
export type OutputSource = { on(event: "error", listener: () => void): unknown };

/**
 * Installs the signal handlers. Without them a signal would end the program at once, and could leave the agent running.
 */
export function createInterrupts(signals: SignalSource, output: OutputSource): Interrupts {
  const cancel = new AbortController();
  const quit = new AbortController();
  const interrupt = () => (cancel.signal.aborted ? quit.abort() : cancel.abort());
  const end = () => {
    cancel.abort();
    quit.abort();
  };
  signals.on("SIGINT", interrupt);
  signals.on("SIGTERM", end);
  signals.on("SIGHUP", end);
  // This listener stays: without one, pending output would crash the program with EPIPE.
  output.on("error", end);
  return {
    cancel: cancel.signal,
    quit: quit.signal,
    interrupt,
    release() {
      signals.off("SIGINT", interrupt);
      signals.off("SIGTERM", end);
      signals.off("SIGHUP", end);
    },
  };
}

/** Runs `then` when the signal aborts, or now if it has; returns a function that removes the listener. */
export function whenAborted(signal: AbortSignal, then: () => void): () => void {
  if (signal.aborted) then();
  else signal.addEventListener("abort", then, { once: true });
  return () => signal.removeEventListener("abort", then);
}

/** Error of a wait that the user or `--timeout` ended. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** Follows `promise`, and rejects with {@link Interrupted} if the signal aborts first. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  promise.catch(() => undefined); // after an abort there is no other handler
  let forget = () => {};
  const aborted = new Promise<never>((_, reject) => {
    forget = whenAborted(signal, () => reject(new Interrupted()));
  });
  return Promise.race([promise, aborted]).finally(() => forget());
}

/** Resolves to `true` if a promise settles within `ms` milliseconds, else to `false`. */
export async function settlesWithin(event: Promise<unknown>, ms: number): Promise<boolean> {
  const settled = event.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, delay(ms).then(() => false)]);
}

/** Waits for `ms` milliseconds. */
export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

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

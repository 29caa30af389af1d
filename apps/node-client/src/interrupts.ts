/** Requests of the user to stop. Each signal aborts at most once. */
export interface Interrupts {
  /** Aborts with the first Ctrl-C. The turn is cancelled, and the program waits for its end. */
  readonly cancel: AbortSignal;
  /** Aborts with the second Ctrl-C, SIGTERM, SIGHUP or a closed output. The program ends. */
  readonly quit: AbortSignal;
  /** Handles Ctrl-C as a key. A terminal that reads single lines or keys sends no signal for it. */
  interrupt(): void;
  /**
   * Ignores SIGINT until the returned function is called, because another program uses the terminal, and Ctrl-C is for
   * that program.
   */
  ignoreCtrlC(): () => void;
}

/** Part of `process` that emits signals. */
export type SignalSource = { on(signal: "SIGINT" | "SIGTERM" | "SIGHUP", listener: () => void): unknown };

/** Part of `process.stdout` that reports that its reader has closed it. */
export type OutputSource = { on(event: "error", listener: () => void): unknown };

/**
 * Installs the signal handlers until the program ends. Without these handlers, a signal would end the program immediately,
 * and the agent could continue to run.
 */
export function createInterrupts(signals: SignalSource, output: OutputSource): Interrupts {
  const cancel = new AbortController();
  const quit = new AbortController();
  let ignoring = 0;
  const interrupt = () => (cancel.signal.aborted ? quit.abort() : cancel.abort());
  const onSignal = () => {
    if (ignoring === 0) interrupt();
  };
  const end = () => {
    cancel.abort();
    quit.abort();
  };
  signals.on("SIGINT", onSignal);
  signals.on("SIGTERM", end);
  signals.on("SIGHUP", end);
  // This listener is never removed. Without a listener, pending output would crash the program with EPIPE.
  output.on("error", end);
  return {
    cancel: cancel.signal,
    quit: quit.signal,
    interrupt,
    ignoreCtrlC() {
      ignoring += 1;
      let isOver = false;
      return () => {
        if (!isOver) ignoring -= 1;
        isOver = true;
      };
    },
  };
}

/**
 * Calls `then` when the signal aborts, or immediately if the signal is already aborted. Returns a function that removes
 * the listener.
 */
export function whenAborted(signal: AbortSignal, then: () => void): () => void {
  if (signal.aborted) then();
  else signal.addEventListener("abort", then, { once: true });
  return () => signal.removeEventListener("abort", then);
}

/** Error of a wait that ended because of the user or `--timeout`. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** Resolves or rejects like `promise`. Rejects with {@link Interrupted} if the signal aborts first. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  promise.catch(() => undefined); // after an abort there is no other handler
  let forget = () => {};
  const aborted = new Promise<never>((_, reject) => {
    forget = whenAborted(signal, () => reject(new Interrupted()));
  });
  return Promise.race([promise, aborted]).finally(() => forget());
}

export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export const deadlineNote = "--timeout was over before the agent was done.";

/** Milliseconds that a cancelled turn has before the program ends. */
const GRACE_MS = 10_000;

/** Time limit of the whole program. */
export type Deadline = ReturnType<typeof startDeadline>;

/**
 * Interrupts the program after `ms` milliseconds, like a first Ctrl-C, which cancels the turn. The program ends 10 s
 * later. `undefined` means no limit.
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

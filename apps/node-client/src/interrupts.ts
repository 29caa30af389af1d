/** What the user wants to stop, as signals that abort at most once. */
export interface Interrupts {
  /** Stop the turn, stay for its end: the first Ctrl-C. */
  readonly cancel: AbortSignal;
  /** End the program now: the second Ctrl-C, SIGTERM, SIGHUP, or nobody reads the output any more. */
  readonly quit: AbortSignal;
  /** A Ctrl-C that arrived as a key, since a terminal that reads a line does not make a signal of it. */
  interrupt(): void;
  /** Takes the handlers off again. */
  release(): void;
}

/** The part of `process` that signals come from. */
export type SignalSource = {
  on(signal: "SIGINT" | "SIGTERM" | "SIGHUP", listener: () => void): unknown;
  off(signal: "SIGINT" | "SIGTERM" | "SIGHUP", listener: () => void): unknown;
};

/** The part of `process.stdout` that tells that its reader has gone. */
export type OutputSource = { on(event: "error", listener: () => void): unknown };

/** Starts to listen. Without this a signal would end the program at once and could leave the agent behind. */
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
  // Stays for good: without a listener, output that was still on its way would crash the program with EPIPE.
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

/** Runs `then` when the signal aborts, or now if it has; returns how to forget it. */
export function whenAborted(signal: AbortSignal, then: () => void): () => void {
  if (signal.aborted) then();
  else signal.addEventListener("abort", then, { once: true });
  return () => signal.removeEventListener("abort", then);
}

/** The user, or `--timeout`, did not want to wait any longer. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** Follows `promise`, and rejects with {@link Interrupted} when the signal aborts first. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  promise.catch(() => undefined); // nobody listens any more after an abort
  let forget = () => {};
  const aborted = new Promise<never>((_, reject) => {
    forget = whenAborted(signal, () => reject(new Interrupted()));
  });
  return Promise.race([promise, aborted]).finally(() => forget());
}

/** Whether something has happened by then, whatever came of it. */
export async function settlesWithin(event: Promise<unknown>, ms: number): Promise<boolean> {
  const settled = event.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, delay(ms).then(() => false)]);
}

/** A pause, in milliseconds. */
export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

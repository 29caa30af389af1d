import { type Diagnostic, MAX_TIMER_MS } from "@turnkit/transport";

type Awaitable<T> = T | Promise<T>;

/**
 * Result of a question to a person.
 *
 * - `elsewhere`: the question was settled by `session.answer`, a cancel, the agent or the end of the session.
 * - `nobody`: the `ask` handler left the question to the state, but the state does not show it.
 */
export type Reply<T> =
  | { readonly by: "person"; readonly answer: T }
  | { readonly by: "timeout" | "elsewhere" | "nobody" };

/** Limits of a question to a person. */
export type QuestionLimits = {
  readonly signal: AbortSignal;
  readonly timeoutMs: number | undefined;
  /** Returns true if the state shows the question. */
  readonly isShown: () => boolean;
  /** Reporter of the broker. It prints, because a broker has no `onDiagnostic`. */
  readonly report: (diagnostic: Diagnostic) => void;
};

const FORGOTTEN =
  'The handler of a broker returned undefined, so the question waits for session.answer. Return a decision such as allowOnce(question). If your interface calls session.answer, return "wait".';

/** Asks a person. If `ask` returns `undefined` or `"wait"`, the question stays in the state. */
export function askWithTimeout<T>(
  ask: (signal: AbortSignal) => Awaitable<T | "wait" | undefined>,
  { signal, timeoutMs = Number.POSITIVE_INFINITY, isShown, report }: QuestionLimits,
): Promise<Reply<T>> {
  return new Promise((resolve, reject) => {
    const withdrawn = new AbortController();
    const end = (finish: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", settled);
      finish();
    };
    const settled = () =>
      end(() => {
        withdrawn.abort(signal.reason);
        resolve({ by: "elsewhere" });
      });
    const late = () =>
      end(() => {
        withdrawn.abort();
        resolve({ by: "timeout" });
      });
    const timer = timeoutMs <= MAX_TIMER_MS ? setTimeout(late, timeoutMs) : undefined;
    if (signal.aborted) return settled();
    signal.addEventListener("abort", settled, { once: true });
    const answered = async () => {
      const answer = await ask(withdrawn.signal);
      if (answer === undefined && !signal.aborted) report({ code: "unanswered", message: FORGOTTEN });
      if (answer !== undefined && answer !== "wait") end(() => resolve({ by: "person", answer }));
      else if (!isShown()) end(() => resolve({ by: "nobody" }));
    };
    answered().catch((error: unknown) => end(() => reject(error)));
  });
}

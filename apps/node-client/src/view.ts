import type { FormRequest, Peer, Session, UrlRequest } from "@turnkit/client";
import type { ElicitationAnswer, PermissionQuestion, SessionEvent, SessionState, StopReason } from "@turnkit/session";
import type { ExitCode } from "./exit-code.js";
import type { PermissionChoice } from "./permission-mode.js";

/**
 * What a run is shown on. Another way to show it (JSON lines, a full-screen interface) is another `View`; `run.ts` does
 * not change.
 */
export interface View {
  /** Shows an event. The next one comes when the promise, if any, has settled: that is how a slow screen slows the agent. */
  event(event: SessionEvent, state: SessionState): void | Promise<void>;
  /** The state has changed, perhaps without an event: output of commands that this client runs is not told as events. */
  changed?(state: SessionState): void;
  /** Says something on behalf of this program. */
  note(text: string): void;
  /** Says why the run failed. */
  failure(error: unknown): void;
  /** The run is over, and the agent gone: nothing comes after this. */
  ended?(result: RunResult): void | Promise<void>;
  /** Asks a person. Absent when there is none. */
  readonly ask?: (question: AskedQuestion, signal: AbortSignal) => Promise<PermissionChoice>;
  /** Lets a person choose one of several things, by its index; `undefined` for none. Absent when there is nobody. */
  readonly choose?: (title: string, choices: readonly Choice[], signal: AbortSignal) => Promise<number | undefined>;
  /** Puts a form, or a URL to open, to a person. Absent when there is none: agents are then told not to ask. */
  readonly elicit?: (question: FormRequest | UrlRequest, signal: AbortSignal) => Promise<ElicitationAnswer>;
}

/** How a run went, as far as it got. */
export type RunResult = {
  readonly exitCode: ExitCode;
  /** How the turn ended; absent where there was none. */
  readonly stopReason?: StopReason;
  /** What went wrong: an error of this side, or what the agent answered the prompt with. */
  readonly error?: unknown;
  readonly peer?: Peer;
  readonly session?: Session;
  /** Names the prompt in the session's state. */
  readonly promptId?: string;
  /** Of a session from before: whether its conversation was told. */
  readonly restored?: "replayed" | "resumed";
};

/** Something to choose. */
export type Choice = { readonly name: string; readonly description?: string | null | undefined };

/** A permission question, and the id under which its event told it. */
export type AskedQuestion = PermissionQuestion & { readonly requestId: string };

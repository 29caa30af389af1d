import type { FormRequest, Peer, PermissionDecision, Session, UrlRequest } from "@turnkit/client";
import type { ElicitationAnswer, PermissionQuestion, SessionEvent, SessionState, StopReason } from "@turnkit/session";
import type { ExitCode } from "./exit-code.js";

/** Output of a run: text, JSON or a full-screen interface. `run.ts` is the same for all of them. */
export interface View {
  /** Shows an event. The next event waits for the returned promise, so that a slow screen slows the agent. */
  event(event: SessionEvent, state: SessionState): void | Promise<void>;
  /** Shows a change of the state without an event, such as output of commands that this client runs. */
  changed?(state: SessionState): void;
  /** Shows a message of this program. */
  note(text: string): void;
  /** Shows the reason why the run failed. */
  failure(error: unknown): void;
  /** Ends the output. The agent has ended, and no other call follows. */
  ended?(result: RunResult): void | Promise<void>;
  /** Asks a person for a permission. Absent without a person. */
  readonly ask?: (question: AskedQuestion, signal: AbortSignal) => Promise<PermissionDecision>;
  /** Lets a person choose; returns the index of the choice, `undefined` for none. Absent without a person. */
  readonly choose?: (title: string, choices: readonly Choice[], signal: AbortSignal) => Promise<number | undefined>;
  /** Puts a form or a URL to a person. Absent without a person: the capability is not advertised then. */
  readonly elicit?: (question: FormRequest | UrlRequest, signal: AbortSignal) => Promise<ElicitationAnswer>;
}

/** Result of a run, as far as it got. */
export type RunResult = {
  readonly exitCode: ExitCode;
  /** Stop reason of the turn; absent without a turn. */
  readonly stopReason?: StopReason;
  /** Error of this side, or the agent's answer to the prompt. */
  readonly error?: unknown;
  readonly peer?: Peer;
  readonly session?: Session;
  /** Id of the prompt in the session's state. */
  readonly promptId?: string;
  /** Present for a restored session; `replayed` if the agent sent its conversation. */
  readonly restored?: "replayed" | "resumed";
};

export type Choice = { readonly name: string; readonly description?: string | null | undefined };

/** Permission question with the id of its event. */
export type AskedQuestion = PermissionQuestion & { readonly requestId: string };

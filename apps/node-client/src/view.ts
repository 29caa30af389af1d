import type { FormRequest, Peer, PermissionDecision, Session, UrlRequest } from "@turnkit/client";
import type { ElicitationAnswer, PermissionQuestion, SessionEvent, SessionState, StopReason } from "@turnkit/session";
import type { ExitCode } from "./exit-code.js";
import type { PermissionCount } from "./permission-count.js";

/** Output of a run, as text, as JSON or on a full screen. `run.ts` uses only this interface. */
export interface View {
  /** Shows an event of the session. The next event waits for the returned promise, so a slow screen slows the agent. */
  event(event: SessionEvent, state: SessionState): void | Promise<void>;
  /** Shows an event of a child session, which is the session of a subagent. */
  child?(event: SessionEvent, child: Session): void | Promise<void>;
  /** Shows a change of the state that has no event, for example output of commands that this client runs. */
  changed?(state: SessionState): void;
  /** Shows a message of this program. */
  note(text: string): void;
  failure(error: unknown): void;
  /** Ends the output. It is the last call, after the agent has ended. */
  ended?(result: RunResult): void | Promise<void>;
  /** Asks a person for a permission. Absent if there is no person. */
  readonly ask?: (question: AskedQuestion, signal: AbortSignal) => Promise<PermissionDecision>;
  /**
   * Lets a person choose. Returns the index of the choice, or `undefined` if the person chooses none. `details` is
   * shown whole, below the title. Absent if there is no person.
   */
  readonly choose?: (
    title: string,
    choices: readonly Choice[],
    signal: AbortSignal,
    details?: string,
  ) => Promise<number | undefined>;
  /**
   * Shows a form or a URL to a person and returns the answer. Absent if there is no person. The client then does not
   * advertise elicitations.
   */
  readonly elicit?: (question: FormRequest | UrlRequest, signal: AbortSignal) => Promise<ElicitationAnswer>;
}

/** Result of a run. If the run failed early, later members are absent. */
export type RunResult = {
  readonly exitCode: ExitCode;
  /** Stop reason of the turn; absent without a turn. */
  readonly stopReason?: StopReason;
  /** Error of this program, or the agent's error answer to the prompt. */
  readonly error?: unknown;
  readonly peer?: Peer;
  readonly session?: Session;
  /** Id of the prompt in the session's state. */
  readonly promptId?: string;
  /** Number of permission questions of the run, including the questions of subagents. */
  readonly permissions?: PermissionCount;
  /** Present for a restored session. `replayed` means that the agent sent the conversation of the session. */
  readonly restored?: "replayed" | "resumed";
};

export type Choice = { readonly name: string; readonly description?: string | null | undefined };

/** Permission question with the id of its event. `always` is a text with the scope of a permanent answer. */
export type AskedQuestion = PermissionQuestion & { readonly requestId: string; readonly always?: string };

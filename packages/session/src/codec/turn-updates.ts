import type { ErrorObject, StopReason, TokenUsage } from "../activity.js";
import type { ContentBlock } from "../content.js";
import type { StateUpdate, WireEvent } from "../event.js";
import type { SessionState } from "../state.js";

/** End of the work of a turn. */
export type WorkEnd = {
  readonly stopReason?: StopReason;
  readonly error?: ErrorObject;
  readonly usage?: TokenUsage | null;
};

/**
 * Updates that report turns, in dialects whose updates tell the activity of a session. Each state is a whole snapshot;
 * the sender adds background work.
 */
export interface TurnUpdates {
  /** A prompt became part of the conversation, and its turn begins. */
  begun(prompt: { readonly messageId: string; readonly content: readonly ContentBlock[] }): readonly WireEvent[];
  /** The turn waits for the user, or does not any more. */
  waiting(forUser: boolean): StateUpdate;
  /** Without a reason it failed. */
  ended(end: WorkEnd): StateUpdate;
  /**
   * Reads the end of work out of an update, if it tells one: an idle state after another, or with a reason (V2-PRM-19).
   * It ends every turn whose prompt was part of the conversation before it.
   */
  endIn(event: WireEvent, before: SessionState): WorkEnd | undefined;
  /** The state once more: before the answer to a restore, which says nothing about it (V2-SES-10). */
  unchanged(state: SessionState): StateUpdate;
}

/** Updates of version 2 that report turns. */
export const turnUpdates: TurnUpdates = {
  begun: ({ messageId, content }) => [{ type: "user_message", messageId, content }, state("running")],
  waiting: (forUser) => state(forUser ? "requires_action" : "running"),
  ended: ({ stopReason = "error", error, usage }) => ({
    type: "state_update",
    state: "idle",
    stopReason,
    ...(error && { error }),
    ...(usage && { usage }),
  }),
  endIn(event, { activity }) {
    if (event.type !== "state_update" || event.state !== "idle") return undefined;
    const { stopReason, error, usage } = event;
    if (stopReason == null && activity.state === "idle") return undefined;
    return { ...(stopReason && { stopReason }), ...(error && { error }), ...(usage && { usage }) };
  },
  unchanged: ({ activity }) => state(activity.state),
};

const state = (name: StateUpdate["state"]): StateUpdate => ({ type: "state_update", state: name });

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
 * Updates that report turns, for dialects that report the activity of a session. Each state is a complete snapshot; the
 * sender adds background work.
 */
export interface TurnUpdates {
  /** Returns the updates for a prompt that joined the conversation and begins its turn. */
  begun(prompt: { readonly messageId: string; readonly content: readonly ContentBlock[] }): readonly WireEvent[];
  /** Returns the update for a turn that waits for the user, or continues. */
  waiting(forUser: boolean): StateUpdate;
  /** Returns the update for the end of a turn. Without a stop reason the turn failed. */
  ended(end: WorkEnd): StateUpdate;
  /**
   * Returns the end of the work if the update reports it: an idle state after another state, or with a new reason. It
   * ends every turn whose prompt joined the conversation before.
   */
  // V2-PRM-19
  endIn(event: WireEvent, before: SessionState): WorkEnd | undefined;
  /**
   * Returns an update with the unchanged activity. It precedes the answer to a restore, which cannot hold the activity.
   */
  // V2-SES-10
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

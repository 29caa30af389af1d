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
 * Updates that report turns, for dialects in which updates report the activity of a session. Each update contains the
 * complete activity, apart from background work, which the sender adds.
 */
export interface TurnUpdates {
  /** Returns the updates for a prompt that joins the conversation and starts its turn. */
  begun(prompt: { readonly messageId: string; readonly content: readonly ContentBlock[] }): readonly WireEvent[];
  /** Returns the update for a turn that waits for the user, or that continues. */
  waiting(forUser: boolean): StateUpdate;
  /** Returns the update for the end of a turn. Without a stop reason, the turn has failed. */
  ended(end: WorkEnd): StateUpdate;
  /**
   * Returns the end of the work if the update reports it. The update then has the state idle, after another state or
   * with a new reason. This end applies to every turn whose prompt joined the conversation before.
   */
  // V2-PRM-19
  endIn(event: WireEvent, before: SessionState): WorkEnd | undefined;
  /**
   * Returns an update with the unchanged activity. It is sent before the answer to a restore, because that answer
   * cannot contain the activity.
   */
  // V2-SES-10
  unchanged(state: SessionState): StateUpdate;
}

/** Functions that report turns with updates of version 2. */
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
    const isNew = stopReason != null && stopReason !== activity.stopReason;
    if (activity.state === "idle" && !isNew) return undefined;
    return { ...(stopReason && { stopReason }), ...(error && { error }), ...(usage && { usage }) };
  },
  unchanged: ({ activity }) => state(activity.state),
};

const state = (name: StateUpdate["state"]): StateUpdate => ({ type: "state_update", state: name });

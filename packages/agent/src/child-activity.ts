import type { SubagentActivity } from "@turnkit/session";
import { BackgroundList } from "./background-list.js";
import { childEnd } from "./child-end.js";
import type { ChildEnd } from "./child-session.js";
import type { ChildOwner, ChildTable } from "./children.js";
import type { DegradedChild } from "./degraded-child.js";
import type { SessionOutput } from "./session-output.js";
import { describeEnd, sendableEnd } from "./turn-end.js";

/** Parts of the activity of a child session. */
type ChildActivityParts = {
  readonly owner: ChildOwner;
  readonly output: SessionOutput;
  readonly table: ChildTable;
  /** Tool call in a client without support for subagents. */
  readonly degraded: DegradedChild | undefined;
};

/**
 * Activity and background work of a child session. A report on the child session contains both. A report on the parent
 * contains only the activity.
 */
export class ChildActivity {
  readonly background: BackgroundList;
  readonly #parts: ChildActivityParts;
  #last: SubagentActivity = { state: "idle" };

  constructor(parts: ChildActivityParts) {
    this.#parts = parts;
    // P-BG-05
    this.background = new BackgroundList(
      { ...parts, report: () => this.report(this.#last) },
      parts.owner.background && [],
    );
  }

  /** Reports the activity on the parent, then on the child session. The second report is made even if the first one fails. */
  // P-SUB-14, P-SUB1-03
  report(activity: SubagentActivity): void {
    this.#last = activity;
    const { owner, output, degraded } = this.#parts;
    const { childStates } = owner.driver;
    const { items } = this.background;
    const mirror = { type: "subagent_update", sessionId: output.outbox.sessionId, state: activity } as const;
    const own = { type: "state_update", ...activity, ...(items && { background: items }) } as const;
    try {
      if (childStates === undefined) owner.output.record(mirror);
      else owner.output.say(mirror);
    } finally {
      degraded?.report(activity);
      if (childStates === "own") output.say(own);
      else output.record(own);
    }
  }

  /** Reports the beginning of work. Never throws, because a question is asked even if the report cannot be sent. */
  begin(): void {
    this.#tryReport({ state: "running" });
  }

  /** Reports the end of work. Never throws, because timers and listeners of signals call it too. */
  end(reason: ChildEnd): void {
    const { maxEventBytes, onFault } = this.#parts.output;
    const { stopReason, error } = childEnd(reason, onFault);
    const end = error === undefined ? { stopReason } : { error };
    this.#tryReport({ state: "idle", stopReason, ...describeEnd(sendableEnd(end, maxEventBytes, onFault)) });
  }

  /** Reports the last activity with the current background work. Never throws. */
  repeat(): void {
    this.#tryReport(this.#last);
  }

  #tryReport(activity: SubagentActivity): void {
    try {
      this.report(activity);
    } catch (error) {
      this.#parts.output.onFault("The activity of a child session could not be sent.", error);
    }
  }
}

import type { SessionState, WireEvent } from "@turnkit/session";
import type { StatesAround } from "@turnkit/session/codec";
import type { Room } from "@turnkit/transport";
import type { ContentOwner } from "./gathered-contents.js";

/** Time between two updates of a Markdown plan, in ms. An update has the whole document. */
const PACE_MS = 200;

/** Maximum number of plans with a running timer. The updates of further plans are sent immediately. */
const MOST_PLANS = 128;

type PlanEvent = WireEvent & { readonly type: "plan_update" | "plan_removed" };

/** Plan that was sent in the last 200 ms. `waiting` is its newest unsent event, with the state that the client has. */
type Paced = { timer: ReturnType<typeof setTimeout>; waiting?: { event: PlanEvent; before: SessionState } };

/**
 * Plans in Markdown, each sent at most five times a second. The newest document waits, and is sent after 200 ms, before the
 * end of a turn, and before the session closes.
 */
// P-PLAN-08
export class PacedPlans {
  readonly #owner: ContentOwner;
  readonly #plans = new Map<string, Paced>();

  constructor(owner: ContentOwner) {
    this.#owner = owner;
  }

  /** Sends or holds an event that was just applied to the state. */
  say(event: PlanEvent, around: StatesAround): Room {
    const isMarkdown = event.type === "plan_update" && event.plan.type === "markdown";
    const planId = event.type === "plan_update" ? event.plan.planId : event.planId;
    const paced = this.#plans.get(planId);
    const before = paced?.waiting?.before ?? around.before;
    if (paced !== undefined && isMarkdown) {
      paced.waiting = { event, before };
      return undefined;
    }
    if (paced !== undefined) delete paced.waiting;
    else if (isMarkdown && this.#plans.size < MOST_PLANS) this.#plans.set(planId, { timer: this.#pace(planId) });
    return this.#send(event, { before, after: around.after });
  }

  /** Sends all waiting documents. Never throws. */
  flush(): void {
    for (const paced of this.#plans.values()) this.#sendWaiting(paced);
  }

  /** Sends all waiting documents. Call it once, at the end. */
  close(): void {
    this.flush();
    for (const { timer } of this.#plans.values()) clearTimeout(timer);
    this.#plans.clear();
  }

  #pace(planId: string): Paced["timer"] {
    return setTimeout(() => {
      const paced = this.#plans.get(planId);
      if (paced?.waiting === undefined) return void this.#plans.delete(planId);
      this.#sendWaiting(paced);
      paced.timer = this.#pace(planId);
    }, PACE_MS);
  }

  #sendWaiting(paced: Paced): void {
    const { waiting } = paced;
    if (waiting === undefined) return;
    delete paced.waiting;
    try {
      this.#send(waiting.event, { before: waiting.before, after: this.#owner.state });
    } catch (error) {
      this.#owner.onFault("A plan could not be sent.", error);
    }
  }

  #send(event: PlanEvent, around: StatesAround): Room {
    let room: Room;
    for (const update of this.#owner.encode(event, around)) room = this.#owner.outbox.send(update) ?? room;
    return room;
  }
}

/** Returns true for an event about a plan. */
export const isPlanEvent = (event: WireEvent): event is PlanEvent =>
  event.type === "plan_update" || event.type === "plan_removed";

import type { PromptKey } from "@turnkit/agent/driver";
import type { ErrorObject, SessionEvent, SessionLists, SessionState, WireEvent } from "@turnkit/session";
import type { Room } from "@turnkit/transport";
import { withoutMark } from "./agent-events.js";
import type { Attachment } from "./attachment.js";
import { Audience } from "./audience.js";
import { ENDED_BY, ENDING } from "./between-gateways.js";
import { MessageIds } from "./message-ids.js";
import { missingEvents } from "./missing-events.js";
import type { SessionRecord } from "./session-record.js";
import { unstored } from "./stored-turns.js";
import { forgetSurplus } from "./surplus-children.js";
import { reportOf } from "./translation.js";
import { WatchedStates } from "./watched-states.js";

const FINAL: readonly string[] = ["completed", "failed", "cancelled"];

/** Parts of a conversation. */
export type ConversationParts = {
  readonly id: string;
  readonly record: SessionRecord;
  readonly state: SessionState;
  readonly children?: ReadonlyMap<string, SessionState>;
};

/** Reason for the end of a session. Clients get no notice about the close of an unused session. */
export type Ending = {
  /** `lost`: this gateway got no answers of the storage in time, or another gateway has the session. */
  readonly what: "closed" | "deleted" | "lost";
  /** True if the gateway that owned the session has ended it, for a client of its own. */
  readonly isByOwner?: boolean;
  /** Attachment of the client that requested the end. It gets no notice. */
  readonly attachment?: Attachment;
  /** Name of the principal that requested the end. */
  readonly name?: string;
};

/** Conversation of a session and its child sessions: their states, their log, and the clients that watch. */
export class Conversation {
  readonly audience = new Audience();
  readonly states: WatchedStates;
  readonly #id: string;
  readonly #record: SessionRecord;
  readonly #messageIds = new Map<string, MessageIds>();

  constructor({ id, record, state, children = new Map() }: ConversationParts) {
    this.#id = id;
    this.#record = record;
    this.states = new WatchedStates(id, state);
    for (const [childId, childState] of children) this.states.set(childId, childState);
  }

  get state(): SessionState {
    return this.states.get(this.#id);
  }

  /** Stores an event, applies it, and sends it to all clients. Returns a promise if the log has no room. */
  publish(event: WireEvent & SessionEvent, sessionId = this.#id): Room {
    const readable = this.#readable(event, sessionId);
    const room = this.#record.add(sessionId, readable);
    this.#show(readable, sessionId);
    return room;
  }

  /** Sends the message of a prompt to the clients after it is stored. Resolves to false if it cannot be stored. */
  async publishPrompt(event: WireEvent & SessionEvent, promptKey?: PromptKey): Promise<boolean> {
    const readable = this.#readable(event, this.#id);
    this.#record.addPrompt(readable, promptKey);
    const isStored = await this.#record.commit();
    this.#show(readable, this.#id);
    return isStored;
  }

  /** Sends the end of a turn to the clients after it is stored. If it cannot be stored, the turn ends with an error. */
  // NATS-08
  async publishEnd(end: WireEvent & { readonly type: "state_update" }, sessionId: string): Promise<void> {
    const readable = this.#readable(end, sessionId);
    void this.#record.add(sessionId, readable);
    const isStored = await this.#record.commit();
    this.#show(isStored ? readable : { ...end, ...unstored }, sessionId);
  }

  /**
   * Sends the clients the updates that lead to newer states of the session and its child sessions. Leaves out the activity of
   * the session. Nothing is stored.
   */
  // NATS-09
  catchUp(states: Iterable<readonly [id: string, state: SessionState]>): void {
    for (const [id, state] of states) {
      if (this.audience.size === 0) this.states.set(id, state);
      else for (const event of missingEvents(state, this.states.get(id))) this.#show(event, id);
    }
  }

  /** Sends an activity to the clients. It is not stored. */
  showActivity(activity: WireEvent & { readonly type: "state_update" }): void {
    this.#show(activity, this.#id);
  }

  /** Sends an activity to the clients if it differs from their current one. It is not stored. */
  report(activity: SessionState["activity"]): void {
    const [before, now] = [reportOf(this.state.activity), reportOf(activity)];
    if (JSON.stringify(before) !== JSON.stringify(now)) this.#show(now, this.#id);
  }

  /** Sends the lists with which the agent opened the session. Returns a promise if the log has no room. */
  publishLists({ configOptions, availableCommands }: SessionLists, sessionId: string): Room {
    const rooms = [
      configOptions && this.publish({ type: "config_option_update", configOptions }, sessionId),
      availableCommands && this.publish({ type: "available_commands_update", availableCommands }, sessionId),
    ];
    return rooms.find((room) => room != null) ?? undefined;
  }

  /** Sends the end of the work in progress, because the agent has ended. */
  endWork(error: ErrorObject): void {
    for (const entry of this.state.timeline) {
      if (entry.type !== "tool_call" || FINAL.includes(entry.status)) continue;
      void this.publish({ type: "tool_call_update", toolCallId: entry.toolCallId, status: "cancelled" });
    }
    if (this.state.activity.state === "idle") return;
    void this.publish({ type: "state_update", state: "idle", stopReason: "error", error });
  }

  /**
   * Sends a notice about the end of the session to all clients except the one that requested it. The notice is not part
   * of the conversation.
   */
  publishEnding({ what, attachment: author, name = "Another client" }: Ending): void {
    const again = what === "deleted" ? "" : " Attach again to go on.";
    const lost = "This gateway got no answers of its storage in time, or another gateway has the session.";
    const notice: WireEvent = {
      type: "notice",
      severity: "info",
      title: what === "lost" ? "The gateway has lost the session" : `The session was ${what}`,
      description: `${what === "lost" ? lost : `${name} has ${what} the session.`}${again}`,
    };
    for (const attachment of this.audience.all) {
      if (attachment === author) continue;
      const own = attachment.isGateway ? { ...notice, _meta: { [ENDING]: what, [ENDED_BY]: name } } : notice;
      attachment.sendLast(own, this.state);
    }
  }

  #show(event: WireEvent, sessionId: string): void {
    const around = this.states.add(sessionId, event);
    this.audience.publish({ sessionId, event, around, before: () => this.states.before(sessionId) });
  }

  /** Returns an event in a form that every dialect can send. A client that attaches later can continue this event. */
  #readable(event: WireEvent & SessionEvent, sessionId: string): WireEvent {
    const known = this.#messageIds.get(sessionId);
    const ids = known ?? new MessageIds();
    if (known === undefined) {
      forgetSurplus(this.#messageIds, this.#id);
      this.#messageIds.set(sessionId, ids);
    }
    return ids.identified(withoutMark(event));
  }
}

import { AcpError, dropOldest } from "@turnkit/transport";

/** Maximum number of ids of tool calls that a session remembers after its state has dropped the calls. */
const MAX_CALL_IDS = 10_000;

/** Ids of the tool calls that an agent chose itself. */
export class CallIds {
  readonly #ids = new Set<string>();

  /** Adds an id after its call was sent. */
  add(id: string): void {
    this.#ids.add(id);
    dropOldest(this.#ids, MAX_CALL_IDS);
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }
}

/** Members of a session's output that {@link freeCallId} uses. */
export type CallIdOwner = {
  readonly outbox: { readonly sessionId: string };
  readonly state: { readonly timeline: { has(key: string): boolean } };
  readonly isRepeating: boolean;
  readonly callIds: CallIds;
};

/**
 * Checks that an id chosen by the agent is free for a tool call, and returns the id.
 *
 * @throws TypeError for an id that is empty or not text
 * @throws AcpError `state` if the session already has the id, except while `newSession` repeats events of the log
 */
export function freeCallId({ outbox, state, isRepeating, callIds }: CallIdOwner, id: string): string {
  if (typeof id !== "string" || id === "") throw new TypeError("A toolCallId must be a text that is not empty.");
  if (isRepeating) return id;
  if (callIds.has(id) || state.timeline.has(`tool_call:${id}`)) {
    throw new AcpError("state", `Session ${outbox.sessionId} already has a tool call ${JSON.stringify(id)}.`);
  }
  return id;
}

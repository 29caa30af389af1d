import { reduce, type SessionState, type SubagentActivity, type SubagentState, type WireEvent } from "@turnkit/session";
import { isAcpError } from "@turnkit/transport";
import { openChildOutput } from "./child-output.js";
import type { LiveSession } from "./live-session.js";
import { joinedEvents } from "./replay.js";
import type { SessionOutput } from "./session-output.js";
import { isFinalStatus } from "./tool-call.js";

/** Past of a session from its log: its state, and the states of its child sessions by id. */
export type Past = { readonly state: SessionState; readonly children: ReadonlyMap<string, SessionState> };

/** Returns the state with unfinished tool calls as cancelled, and with open terminals as exited. */
export function settled(past: SessionState): SessionState {
  let state = past;
  for (const entry of past.timeline) {
    if (entry.type !== "tool_call" || isFinalStatus(entry.status)) continue;
    state = reduce(state, { type: "tool_call_update", toolCallId: entry.toolCallId, status: "cancelled" });
  }
  for (const { terminalId, exitStatus } of past.terminals) {
    if (exitStatus === undefined) state = reduce(state, { type: "terminal_update", terminalId, exitStatus: {} });
  }
  return state;
}

/** Applies a past state to a session whose client asked for no replay. The client gets only the usage. */
export async function recordPast<S>(session: LiveSession<S>, past: SessionState): Promise<void> {
  for (const event of joinedEvents(past)) {
    if (event.type === "usage_update") await session.emit(event);
    else session.output.record(event);
  }
  for (const { sessionId, activity } of past.subagents) {
    if (activity) session.output.record({ type: "subagent_update", sessionId, state: lastActivity(activity) });
  }
}

/** Sends the whole history of a session and its child sessions, at the client's pace. */
export async function replayPast<S>(session: LiveSession<S>, { state, children }: Past): Promise<void> {
  await new Replay(session, children).send(state);
}

class Replay<S> {
  readonly #session: LiveSession<S>;
  readonly #states: Past["children"];
  /**
   * Reports of the current state. They follow the marker of the root session. The reports of the deepest child sessions
   * are first.
   */
  readonly #present: (() => Promise<void>)[] = [];
  readonly #announced: Set<string>;

  constructor(session: LiveSession<S>, states: Past["children"]) {
    this.#session = session;
    this.#states = states;
    this.#announced = new Set([session.id]);
  }

  async send(past: SessionState): Promise<void> {
    await this.#history(this.#session.output, past);
    for (const report of this.#present) await report();
  }

  /** Sends the history of a session: announcements of its child sessions, their histories, its own events, its marker. */
  // P-REPLAY-04, P-REPLAY-10
  async #history(output: SessionOutput, past: SessionState): Promise<void> {
    const { driver } = this.#session;
    this.#session.output.mustBeOpen();
    const events = joinedEvents(past);
    const isKnown = driver.childStates !== undefined;
    for (const event of events) {
      if (event.type !== "subagent_update") continue;
      if (isKnown) await this.#emit(output, [event]);
      else output.record(event);
    }
    for (const child of past.subagents) await this.#child(output, child);
    await this.#emit(
      output,
      events.filter(({ type }) => type !== "subagent_update" && !isPresent(type)),
    );
    output.flush();
    driver.replayed?.({ output });
    const present = events.filter(({ type }) => isPresent(type));
    // The title and usage of the root session come before the activities of the child sessions.
    if (output === this.#session.output) await this.#emit(output, present);
    else if (present.length > 0) this.#present.push(() => this.#emit(output, present));
  }

  async #child(owner: SessionOutput, { sessionId: id, activity }: SubagentState): Promise<void> {
    if (this.#announced.has(id)) return;
    this.#announced.add(id);
    const { driver, childParts } = this.#session;
    const { childStates } = driver;
    const state = activity && lastActivity(activity);
    const mirror = { type: "subagent_update", sessionId: id, state } as const;
    if (childStates === undefined) {
      if (state) owner.record(mirror);
      return;
    }
    const output = openChildOutput({ driver, output: owner }, childParts, { id });
    const past = this.#states.get(id);
    if (past !== undefined) await this.#history(output, settled(past));
    else driver.replayed?.({ output });
    if (!state) return;
    this.#present.push(async () => {
      await this.#emit(owner, [mirror]);
      if (childStates === "own") await this.#emit(output, [{ type: "state_update", ...state }]);
    });
  }

  /** Sends events at the client's pace. An event that is too large is left out. */
  async #emit(output: SessionOutput, events: readonly WireEvent[]): Promise<void> {
    /** Ids of tool calls whose content is already too large for one update. Further pieces of such a call are left out. */
    const full = new Set<unknown>();
    for (const event of events) {
      // The replay may have failed. Otherwise the outputs of child sessions would continue.
      this.#session.output.mustBeOpen();
      const grown = event.type === "tool_call_content_chunk" ? event.toolCallId : undefined;
      if (grown !== undefined && full.has(grown)) continue;
      try {
        await output.emit(event);
      } catch (error) {
        if (!isAcpError(error, "too_large")) throw error;
        if (grown !== undefined) full.add(grown);
        output.onFault(`A ${event.type} of a stored session is too large to be sent, and was left out.`, error);
      }
    }
  }
}

const isPresent = (type: WireEvent["type"]): boolean => type === "session_info_update" || type === "usage_update";

/** Returns the activity after the end of the process. The end of the process has cancelled unfinished work. */
// P-REPLAY-13
function lastActivity(activity: SubagentActivity): SubagentActivity {
  const state: string = activity.state;
  return state === "idle" || state === "unknown" ? activity : { state: "idle", stopReason: "cancelled" };
}

import type { Activity, SessionEvent } from "@turnkit/session";
import { dropOldest } from "@turnkit/transport";
import type { TurnEnd } from "../turn.js";
import type { PromptTurn, TurnSession } from "./dialect-rules.js";

/** Time without a message, in milliseconds, after which the turn of an accepted prompt ends if the session is idle. */
// V2-PRM-19
const GRACE_MS = 3_000;
/** Maximum number of remembered user messages. A further message removes the oldest. */
const MAX_ECHOES = 1_000;

type Echo = { end?: TurnEnd };

/** Functions that publish events about turns for which the agent sends no update. */
export interface TurnEvents {
  /** Called before the acceptance of a prompt is published. */
  taken(turn: PromptTurn): void;
  /** Publishes the end of a turn. The turn ends immediately after this call. */
  ended(turn: PromptTurn, end: TurnEnd): void;
  /** Called after turns have ended. */
  next(): void;
}

/**
 * Open prompts of one session whose turns end with an idle state. The user message, the answer, `running` and `idle` may
 * arrive in any order. A turn ends at the first change to idle after the user message of its prompt. The client may learn
 * only later which message that is.
 */
// V2-PRM-04, V2-PRM-10
export class PromptWatch {
  readonly #session: TurnSession;
  readonly #events: TurnEvents;
  readonly #unanswered = new Set<PromptTurn>();
  /** Turns whose prompt the agent accepted. They end at the next change to idle. */
  readonly #inserted = new Set<PromptTurn>();
  /** User messages that arrived while an answer was open, each with the first end of work after the message. */
  readonly #echoes = new Map<string, Echo>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasUpdate = false;

  constructor(session: TurnSession, events: TurnEvents) {
    this.#session = session;
    this.#events = events;
  }

  sent(turn: PromptTurn): void {
    turn.isBehind = this.#session.state.activity.state !== "idle";
    this.#unanswered.add(turn);
  }

  /** Accepts a turn after the agent accepted its prompt. Some drafts do not send the id of the user message. */
  // V2-SEED-02
  inserted(turn: PromptTurn, messageId: string | undefined): void {
    const echo = this.#claim(messageId);
    this.#unanswered.delete(turn);
    if (this.#unanswered.size === 0) this.#echoes.clear();
    if (echo?.end === undefined) this.#inserted.add(turn);
    this.#events.taken(turn);
    this.#session.publish({
      type: "prompt_accepted",
      promptId: turn.promptId,
      ...(messageId !== undefined && { messageId }),
    });
    turn.accept();
    if (echo?.end !== undefined) this.#finish([turn], echo.end);
    else this.#awaitWork();
  }

  /** Removes a turn that ended in another way. */
  forget(turn: PromptTurn): void {
    this.#unanswered.delete(turn);
    this.#inserted.delete(turn);
    if (this.#unanswered.size === 0) this.#echoes.clear();
    if (this.#inserted.size === 0) this.#rest();
  }

  /** Handles an update of the agent. `before` is the activity before a state update. */
  updated(event: SessionEvent, before: Activity | undefined): void {
    this.#hasUpdate = true;
    if (event.type === "user_message" || event.type === "user_message_chunk") this.#remember(event.messageId);
    if (before === undefined) return;
    const { state, stopReason, error, usage } = this.#session.state.activity;
    if (state !== "idle") return this.#rest();
    for (const turn of this.#unanswered) turn.isBehind = false;
    if (!isEdge(before, stopReason)) return;
    const end = {
      agentConfirmed: true,
      ...(stopReason && { stopReason }),
      ...(error && { error }),
      ...(usage && { usage }),
      ...("_meta" in event && event._meta && { _meta: event._meta }),
    };
    for (const echo of this.#echoes.values()) echo.end ??= end;
    this.#finishAll(end);
  }

  #remember(messageId: string | undefined): void {
    if (messageId === undefined || this.#unanswered.size === 0 || this.#echoes.has(messageId)) return;
    this.#echoes.set(messageId, {});
    dropOldest(this.#echoes, MAX_ECHOES);
  }

  /**
   * Returns the stored user message of a prompt and removes it. Without an id, returns the oldest message that no other
   * prompt has.
   */
  // V2-SEED-09
  #claim(messageId: string | undefined): Echo | undefined {
    const id = messageId ?? this.#echoes.keys().next().value;
    if (id === undefined) return undefined;
    const echo = this.#echoes.get(id);
    this.#echoes.delete(id);
    return echo;
  }

  /** Starts the silence timer if the session is idle. The agent may have no work for the prompt, and then sends nothing. */
  #awaitWork(): void {
    if (this.#timer !== undefined || this.#session.state.activity.state !== "idle") return;
    this.#hasUpdate = false;
    this.#timer = setTimeout(() => this.#silence(), GRACE_MS);
  }

  #silence(): void {
    this.#timer = undefined;
    if (this.#hasUpdate) return this.#awaitWork();
    const { stopReason } = this.#session.state.lastTurn ?? {};
    this.#finishAll({ ...(stopReason && { stopReason }), agentConfirmed: false });
  }

  #finishAll(end: TurnEnd): void {
    this.#rest();
    const turns = [...this.#inserted];
    this.#inserted.clear();
    this.#finish(turns, end);
  }

  #finish(turns: readonly PromptTurn[], end: TurnEnd): void {
    for (const turn of turns) {
      if (!turn.isOver) this.#events.ended(turn, end);
      turn.finish(end);
    }
    this.#events.next();
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/**
 * Returns true if an idle state ends work. The earlier state must be another state, or idle with another stop reason. A
 * repeated idle state is only a snapshot.
 */
// V2-PRM-17
function isEdge(before: Activity, stopReason: TurnEnd["stopReason"]): boolean {
  if (before.state !== "idle") return true;
  return stopReason !== undefined && stopReason !== before.stopReason;
}

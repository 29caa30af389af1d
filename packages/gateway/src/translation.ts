import { type Driver, liveEvents } from "@turnkit/agent/driver";
import { createSessionState, type SessionState, type WireEvent } from "@turnkit/session";
import type { Encoder, StatesAround } from "@turnkit/session/codec";
import type { LeftOut } from "./newest-entries.js";
import { forgetSurplus } from "./surplus-children.js";
import type { States } from "./watched-states.js";

/** Params of one `session/update`. */
export type Update = { readonly sessionId: string; readonly update: object };

/** Member of `_meta` with which an encoder names the message that a rewritten message replaces. */
const SUPERSEDES = "turnkit.supersedes";

/**
 * Translation of a session for clients of one dialect with the same capabilities. It remembers what it has sent, so
 * that all its clients get the same updates. Each update is made only once.
 */
// SHARE-03, SHARE-04
export class Translation {
  /** Text of the dialect and the capabilities. Clients with the same text can share a translation. */
  readonly kind: string;
  readonly #driver: Driver;
  readonly #rootId: string;
  readonly #encoders = new Map<string, Encoder>();
  #isSpecial = false;

  /** @param rootId id of the root session; all other sessions are its child sessions */
  constructor(driver: Driver, rootId: string) {
    this.#driver = driver;
    this.#rootId = rootId;
    this.kind = kindOf(driver);
  }

  /**
   * True if a message was sent with an id of its own, because the dialect cannot replace text. A client that attaches
   * later does not have the id, so it needs a translation of its own.
   */
  get isSpecial(): boolean {
    return this.#isSpecial;
  }

  /**
   * Translates one event of a session. Clients without support for child sessions do not get events of child sessions.
   */
  of(sessionId: string, event: WireEvent, around: StatesAround): readonly Update[] {
    if (sessionId !== this.#rootId && this.#driver.childStates === undefined) return [];
    return this.#encoder(sessionId)(event, around).map((update) => {
      const { _meta } = update as { readonly _meta?: object | null };
      if (_meta != null && Object.hasOwn(_meta, SUPERSEDES)) this.#isSpecial = true;
      return { sessionId, update };
    });
  }

  /**
   * Returns the updates that bring a client from the states `seen` to the states `now`. Each update is made when it is
   * read. A client can therefore handle the first updates while later ones are made. `isOwn` leaves out messages of the
   * user that this client shows already.
   */
  *between(
    seen: States,
    now: States,
    isOwn: (messageId: string) => boolean,
    leftOut?: LeftOut,
  ): Generator<Update, void, void> {
    for (const [id, after] of now) {
      const before = seen.get(id) ?? createSessionState();
      if (before === after) continue;
      const around = { before, after };
      for (const event of liveEvents(after, before, leftOut))
        if (event.type !== "user_message" || !isOwn(event.messageId)) yield* this.of(id, event, around);
      for (const event of lists(before, after)) yield* this.of(id, event, around);
    }
  }

  /** Returns the updates for activities that have changed. Call it after all other updates. */
  activities(seen: States, now: States): readonly Update[] {
    return [...now].flatMap(([id, after]) => {
      const before = seen.get(id);
      return before?.activity === after.activity ? [] : this.of(id, reportOf(after.activity), { before: after, after });
    });
  }

  /** Records the content of these states as sent. */
  remember(seen: States): void {
    const nothing = new Map([...seen.keys()].map((id) => [id, createSessionState()]));
    for (const _ of this.between(nothing, seen, () => false));
    this.#isSpecial = false;
  }

  /** Returns the marker of the end of a replay, if the dialect has one. */
  replayed(sessionId: string, state: SessionState): readonly Update[] {
    return this.of(sessionId, { type: "replay_complete" }, { before: state, after: state });
  }

  #encoder(sessionId: string): Encoder {
    const known = this.#encoders.get(sessionId);
    if (known !== undefined) return known;
    // Losses of the dialect are not reported, because they are the same for every attachment.
    const encoder = this.#driver.createEncoder(() => undefined);
    forgetSurplus(this.#encoders, this.#rootId);
    this.#encoders.set(sessionId, encoder);
    return encoder;
  }
}

/** Returns a text that is equal for clients that can share a translation. */
const kindOf = ({ client }: Driver): string => JSON.stringify([client.dialect, client.capabilities]);

/** Returns the lists of commands and options that have changed. */
export function lists(before: SessionState, after: SessionState): readonly WireEvent[] {
  const { availableCommands, configOptions } = after;
  const events: WireEvent[] = [];
  if (availableCommands && availableCommands !== before.availableCommands) {
    events.push({ type: "available_commands_update", availableCommands });
  }
  if (configOptions && configOptions !== before.configOptions) {
    events.push({ type: "config_option_update", configOptions });
  }
  return events;
}

/** Returns the complete report of an activity, as version 2 requires it. */
export function reportOf({ state, stopReason, error, usage, background }: SessionState["activity"]): WireEvent {
  return {
    type: "state_update",
    state,
    ...(stopReason !== undefined && { stopReason }),
    ...(error !== undefined && { error }),
    ...(usage !== undefined && { usage }),
    ...(background !== undefined && { background }),
  };
}

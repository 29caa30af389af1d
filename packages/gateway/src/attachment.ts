import type { Driver } from "@turnkit/agent/driver";
import type { SessionState, WireEvent } from "@turnkit/session";
import type { Connection, Diagnostic, Room } from "@turnkit/transport";
import type { GatewayLimits } from "./gateway-options.js";
import type { LeftOut } from "./newest-entries.js";
import type { Principal } from "./principal.js";
import { Translation, type Update } from "./translation.js";
import { isSame, type States } from "./watched-states.js";

/** Parts of an attachment. */
export type AttachmentParts = {
  /** Id of the root session. */
  readonly sessionId: string;
  readonly connection: Connection;
  readonly driver: Driver;
  readonly principal: Principal;
  /** True if the client is another gateway, with clients of its own. */
  readonly isGateway: boolean;
  readonly limits: GatewayLimits;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Returns the current states. */
  readonly states: () => States;
  /** Lets the attachment use a shared translation, or a translation of its own. */
  readonly follow: (attachment: Attachment, own: Translation) => Translation;
  /** Ends an attachment that cannot be brought up to date. */
  readonly giveUp: (attachment: Attachment) => void;
  /** Called when the attachment has left, or its session has ended. */
  readonly ended: (attachment: Attachment) => void;
};

/** Number of messages of its own client that an attachment remembers. */
const MAX_OWN = 1_000;

/**
 * One client that watches one session, at its own pace. An attachment is in one of these states:
 *
 * - current: it gets each update immediately.
 * - waiting: its channel has no room, and updates wait up to a bound.
 * - behind: its updates were dropped, or it is new. It gets the difference between its state and the current state,
 *   until there is no difference.
 */
// SHARE-02, SHARE-03
export class Attachment {
  readonly principal: Principal;
  readonly driver: Driver;
  readonly isGateway: boolean;
  readonly #parts: AttachmentParts;
  /**
   * Ids of the prompts of this client. These prompts are not sent back in dialects whose clients show their own
   * prompts.
   */
  readonly #own = new Set<string>();
  /** Translation whose updates this attachment gets. */
  #translation: Translation | undefined;
  #waiting: Update[] = [];
  #waitingBytes = 0;
  /** States that the client has. Absent while the attachment is current. */
  #seen: States | undefined;
  #isBehind = false;
  #isOver = false;
  #current: (() => void)[] = [];
  #wake: (() => void) | undefined;

  constructor(parts: AttachmentParts) {
    this.#parts = parts;
    this.principal = parts.principal;
    this.driver = parts.driver;
    this.isGateway = parts.isGateway;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get translation(): Translation | undefined {
    return this.#translation;
  }

  /**
   * Brings the client from the states `seen` to the current states. Later updates follow. The activity is sent in any
   * case, unless the session is `new`. With `replay`, the marker of version 2 follows the history.
   */
  async start(seen: States, how: "new" | "replay" | "resume", leftOut?: LeftOut): Promise<void> {
    this.#seen = seen;
    const begun = (own: Translation, now: States): void => {
      const markers = how === "replay" ? [...now].flatMap(([id, state]) => own.replayed(id, state)) : [];
      const activities = how === "new" ? [] : own.activities(new Map(), now);
      for (const update of [...markers, ...activities]) this.#send(update);
    };
    await this.#catchUp(begun, leftOut);
  }

  /** Returns true if this client sent the prompt with this message, and therefore already shows the message. */
  shows(messageId: string): boolean {
    return this.#own.has(messageId);
  }

  /** Records a prompt that this client sent. */
  sent(messageId: string): void {
    if (this.driver.dialect.echoesPrompts) return;
    this.#own.add(messageId);
    const [oldest] = this.#own;
    if (this.#own.size > MAX_OWN) this.#own.delete(oldest as string);
  }

  /** Sends updates of an event. `before` returns the states before the event. */
  deliver(updates: readonly Update[], bytes: number, before: () => States): void {
    if (this.#isBehind || this.#isOver) return;
    if (this.#seen === undefined) {
      let room: Room;
      for (const update of updates) room = this.#send(update) ?? room;
      if (room !== undefined) this.#wait(room);
      return;
    }
    if (this.#waiting.length === 0) this.#seen = before();
    this.#waiting.push(...updates);
    this.#waitingBytes += bytes;
    const { attachmentUpdates, attachmentBytes } = this.#parts.limits;
    if (this.#waiting.length <= attachmentUpdates && this.#waitingBytes <= attachmentBytes) return;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#isBehind = true;
  }

  /** Settles when the client has every earlier update, or has left. Questions wait for these updates. */
  whenCurrent(): Promise<void> | undefined {
    if (this.#seen === undefined || this.#isOver) return undefined;
    return new Promise((resolve) => {
      this.#current.push(resolve);
    });
  }

  /** Sends a last event immediately, even if the channel of the client has no room. */
  sendLast(event: WireEvent, state: SessionState): void {
    const { sessionId } = this.#parts;
    const translation = this.#translation ?? new Translation(this.driver, sessionId);
    for (const update of translation.of(sessionId, event, { before: state, after: state })) this.#send(update);
  }

  end(): void {
    this.#isOver = true;
    this.#waiting = [];
    this.#settle();
    this.#wake?.();
    this.#parts.ended(this);
  }

  /** Waits for room, then sends the waiting updates. */
  #wait(room: Promise<void>): void {
    this.#seen ??= new Map();
    void room.then(() => {
      if (this.#isOver) return;
      if (this.#isBehind) return this.#catchUp();
      const updates = this.#waiting;
      this.#waiting = [];
      this.#waitingBytes = 0;
      this.#seen = undefined;
      for (const [at, update] of updates.entries()) {
        const next = this.#send(update);
        if (next === undefined) continue;
        // The waiting updates are within the bound, so they are few.
        for (const rest of updates.slice(at + 1)) this.#send(rest);
        return this.#wait(next);
      }
      this.#settle();
    });
  }

  /**
   * Sends differences until the client has the current state. Each difference starts at the end of the previous one.
   */
  async #catchUp(begun?: (own: Translation, now: States) => void, leftOut?: LeftOut): Promise<void> {
    this.#isBehind = true;
    const own = new Translation(this.driver, this.#parts.sessionId);
    // Another translation cannot continue messages whose ids exist only in the shared translation.
    if (this.#translation?.isSpecial) return this.#parts.giveUp(this);
    let seen: States = this.#seen ?? new Map();
    const sendActivities = (translation: Translation, now: States): void => {
      for (const update of translation.activities(seen, now)) this.#send(update);
    };
    own.remember(seen);
    let then = begun ?? sendActivities;
    while (!this.#isOver) {
      const now = this.#parts.states();
      let room: Room;
      for (const update of own.between(seen, now, (id) => this.shows(id), leftOut)) {
        room = this.#send(update);
        if (room !== undefined) await this.#roomOrEnd(room);
        if (this.#isOver) return;
      }
      then(own, now);
      then = sendActivities;
      seen = now;
      if (isSame(now, this.#parts.states())) break;
    }
    this.#isBehind = false;
    this.#seen = undefined;
    this.#translation = this.#parts.follow(this, own);
    this.#settle();
  }

  /** Settles when there is room. Also settles when the client has left, because there may never be room again. */
  #roomOrEnd(room: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      void room.then(resolve);
    });
  }

  /**
   * Sends an update. An update that is too large for this dialect is left out, and the next ones follow. Never throws.
   */
  #send(update: Update): Room {
    try {
      return this.#parts.connection.notify("session/update", update);
    } catch (error) {
      const message = "An update could not be sent to a client, and was left out.";
      this.#parts.report({ code: "dropped", method: "session/update", sessionId: update.sessionId, message, error });
      return undefined;
    }
  }

  #settle(): void {
    const waiting = this.#current;
    this.#current = [];
    for (const settle of waiting) settle();
  }
}

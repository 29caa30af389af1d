import { isSessionLogError, type SessionLog, type SessionLogWriter } from "@turnkit/agent";
import { Deferred, type FoldedLog, foldEvents, settled } from "@turnkit/agent/driver";
import { createSessionState, type Meta, type SessionEvent, type SessionState } from "@turnkit/session";
import { type Channel, type Room, RpcError, textOf } from "@turnkit/transport";
import { isWire } from "./agent-events.js";
import type { AgentIntake } from "./agent-intake.js";
import { QUESTION, textIn } from "./between-gateways.js";
import type { Conversation, Ending } from "./conversation.js";
import { isEngine } from "./engine.js";
import { findOwner, leavePlace, MAX_TRIES, pauseBeforeRetry } from "./find-owner.js";
import type { Settings } from "./gateway-options.js";
import { inTime, OwnerLink } from "./owner-link.js";
import type { Questions } from "./questions.js";
import type { SessionInAgent } from "./session-in-agent.js";
import type { SessionRecord } from "./session-record.js";
import type { SharedPrompt } from "./shared-prompt.js";
import type { SharedPrompts } from "./shared-prompts.js";
import { interrupted, StoredTurns } from "./stored-turns.js";
import { WatchedStates } from "./watched-states.js";
import { WorkAtOwner } from "./work-at-owner.js";

/** Time for the owner to send the conversation, in milliseconds. */
const REPLAY_MS = 60_000;

/** Parts of the place of a session. */
export type SessionPlaceParts = {
  readonly id: string;
  readonly settings: Settings;
  readonly log: SessionLog;
  readonly record: SessionRecord;
  readonly conversation: Conversation;
  readonly prompts: SharedPrompts;
  readonly questions: Questions;
  readonly agent: SessionInAgent;
  readonly intake: AgentIntake;
  /** Passes a prompt to the agent or the owner. */
  readonly send: (prompt: SharedPrompt) => void;
  /** Called when the session cannot continue at this gateway. */
  readonly ended: (ending: Ending) => void;
};

/** Replay of an owner: its events, until this gateway has the whole conversation. */
type Replay = {
  readonly states: WatchedStates;
  /** Events that are not part of a state, such as questions, with their session ids. */
  readonly others: (readonly [SessionEvent, string])[];
  /**
   * Set at the end of the replay. Resolves to true when later events can be passed on, or to false if this gateway
   * leaves the owner.
   */
  taken?: Promise<boolean>;
};

/**
 * Place where a session runs: this gateway with its agent and the log, or another gateway, its owner. This gateway then uses the
 * owner in place of an agent. When the owner has ended, the session is opened here, or at its next owner. The clients stay
 * attached.
 */
// SHARE-01, NATS-09
export class SessionPlace {
  readonly #parts: SessionPlaceParts;
  #owner: OwnerLink | undefined;
  /** Absent unless an owner sends its conversation. */
  #replay: Replay | undefined;
  #isHere: boolean;
  /** Time at which the last owner ended. Absent while there is an owner. */
  #lostAt: number | undefined;
  #isOver = false;
  /** Search for the next place, after the last loss of an owner. */
  #moving: Promise<void> | undefined;

  /** @param isHere true for a session that was just opened in the agent of this gateway */
  constructor(parts: SessionPlaceParts, isHere: boolean) {
    this.#parts = parts;
    this.#isHere = isHere;
  }

  /** True if this gateway owns the session, and has its whole conversation. */
  get isHere(): boolean {
    return this.#isHere && !this.#isOver;
  }

  /** The gateway that owns the session, if it is another one. */
  get owner(): OwnerLink | undefined {
    return this.#owner;
  }

  /**
   * Finds the place of the session, and sends the clients the updates to its state there.
   *
   * @throws SessionLogError those of `open` of the log
   * @throws RpcError `-32603` if the owner refuses or does not answer
   */
  async enter(): Promise<void> {
    const { id, log } = this.#parts;
    for (let tries = 1; ; tries += 1) {
      const place = await findOwner(log, id);
      if (this.#isOver) return leavePlace(place);
      if ("writer" in place) return this.#own(place.writer);
      try {
        return await this.#useOwner(place.channel);
      } catch (error) {
        void this.#owner?.leave();
        this.#owner = undefined;
        this.#replay = undefined;
        if (tries >= MAX_TRIES || this.#isOver || !isEngine(log)) throw error;
        // An owner that ends, or that can store nothing, keeps the session for at most `ttlMs`.
        await pauseBeforeRetry(log);
      }
    }
  }

  /** Receives an event of the agent, or of the owner. If a promise is returned, await it before the next event. */
  receive(event: SessionEvent, sessionId: string): Room {
    if (this.#replay === undefined) {
      // After a failed replay, this gateway leaves the owner. The end of this channel is not the loss of an agent.
      const isKnown = this.#isHere || this.#owner !== undefined;
      return isKnown ? this.#parts.intake.receive(event, sessionId) : undefined;
    }
    const { taken } = this.#replay;
    if (taken !== undefined)
      return taken.then((isTaken) => (isTaken ? this.#parts.intake.receive(event, sessionId) : undefined));
    if (isWire(event) || event.type === "session_opened") this.#replay.states.add(sessionId, event);
    else this.#replay.others.push([event, sessionId]);
    return undefined;
  }

  /** Reports to the owner whether a client can answer a question. Returns false if this gateway is the owner. */
  reportToOwner({ _meta }: { readonly _meta?: Meta | null }, isAttended: boolean): boolean {
    if (this.#owner === undefined) return false;
    const question = textIn(_meta, QUESTION);
    if (question !== undefined) this.#owner.note(question, { isAttended });
    return true;
  }

  /** Leaves the owner, if there is one. A client that closes the session closes it at its owner too. */
  async leave(ending: Ending | undefined): Promise<void> {
    const isClosed = ending?.what === "closed" && ending.isByOwner !== true;
    if (isClosed) await this.#placeKnown();
    this.#isOver = true;
    const { agent, prompts } = this.#parts;
    const owner = this.#owner;
    if (owner === undefined) return agent.close();
    if (isClosed) {
      owner.by(ending.name);
      await agent.close();
    }
    await owner.leave();
    prompts.fail(undefined);
  }

  /** Waits until the next place of the session is known, if the channel to its owner was lost. */
  async #placeKnown(): Promise<void> {
    if (this.#owner?.isLost) await this.#owner.lost;
    await this.#moving?.catch(() => undefined);
  }

  /** Continues the session in the agent of this gateway, which owns the session from now on. */
  // NATS-09
  async #own(writer: SessionLogWriter): Promise<void> {
    const { id, record, conversation, prompts, agent, send } = this.#parts;
    record.own(writer);
    const { turns, state, children } = await this.#stored();
    conversation.catchUp([[id, settled(state)], ...children]);
    const isKnown = (messageId: string): boolean => turns.endOf(messageId) !== undefined;
    this.#sendEnds(turns, prompts.inserted.filter(isKnown));
    // An open turn is never run again, so it ends here.
    if (!turns.isOpen) conversation.report(state.activity);
    else {
      const open = prompts.inserted.find((messageId) => !isKnown(messageId));
      const end = open === undefined ? interrupted : prompts.endOf(open, turns);
      void conversation.publish({ type: "state_update", state: "idle", ...end });
    }
    const { cwd = "", additionalDirectories } = state;
    agent.useAgent({ cwd, ...(additionalDirectories?.length && { additionalDirectories }) });
    this.#isHere = true;
    this.#countTakeover();
    prompts.moved(turns, send);
  }

  /** Opens the session at its owner, and takes over the conversation. */
  async #useOwner(channel: Channel): Promise<void> {
    const { id, log, settings, conversation, agent } = this.#parts;
    const owner = await OwnerLink.open(channel, settings, isEngine(log) ? log.ttlMs : REPLAY_MS);
    if (this.#isOver) return owner.leave();
    this.#owner = owner;
    const { limits, cwd = "" } = conversation.state.cwd === undefined ? await this.#opened() : conversation.state;
    const states = new WatchedStates(id, createSessionState(limits));
    states.add(id, { type: "session_opened", sessionId: id, cwd });
    const replay: Replay = { states, others: [] };
    this.#replay = replay;
    await inTime(channel, REPLAY_MS, agent.useOwner(owner, cwd));
    const taken = new Deferred<boolean>();
    replay.taken = taken.promise;
    try {
      // The log is read after the replay, because a turn may end during the replay. The owner stores each end before it sends it.
      this.#takeReplay(owner, replay, await this.#storedTurns());
      taken.resolve(true);
    } finally {
      taken.resolve(false);
    }
  }

  /** Continues with the conversation of the owner. */
  #takeReplay(owner: OwnerLink, { states, others }: Replay, turns: StoredTurns): void {
    const { id, conversation, prompts, agent, send } = this.#parts;
    this.#replay = undefined;
    this.#lostAt = undefined;
    conversation.catchUp(states.now());
    // If only the channel to the owner was lost, the owner has gone on with its work.
    const work = new WorkAtOwner(turns, states.get(id), () => agent.cancel());
    const hasEnded = (messageId: string): boolean => !work.goesOn(messageId);
    this.#sendEnds(turns, prompts.inserted.filter(hasEnded));
    conversation.report(states.get(id).activity);
    agent.moved();
    for (const [event, sessionId] of others) void this.receive(event, sessionId);
    void owner.lost.then(() => this.#lost(owner));
    prompts.moved(turns, send, work);
  }

  /** Returns the turns of the log. Does not read the log if no prompt waits for the end of a turn. */
  async #storedTurns(): Promise<StoredTurns> {
    return this.#parts.prompts.isEmpty ? new StoredTurns() : (await this.#stored()).turns;
  }

  /** Returns the state after the first events of the log. The owner does not send the folders of the session. */
  async #opened(): Promise<SessionState> {
    const { id, log, settings } = this.#parts;
    const opened = async function* (): AsyncIterable<SessionEvent> {
      for await (const event of log.read(id)) {
        yield event;
        if ("cwd" in event) return;
      }
    };
    return (await foldEvents(opened(), { stateBytes: settings.limits.stateBytes })).state;
  }

  #countTakeover(): void {
    if (this.#lostAt === undefined) return;
    const { figures } = this.#parts.settings;
    figures.add("takeovers");
    figures.took("takeover_seconds", performance.now() - this.#lostAt);
    this.#lostAt = undefined;
  }

  /**
   * Sends the ends of the turns whose prompts wait for them. A client of version 2 recognises an end by the next idle
   * activity.
   */
  #sendEnds(turns: StoredTurns, messageIds: readonly string[]): void {
    const { conversation, prompts } = this.#parts;
    for (const messageId of messageIds)
      conversation.showActivity({ type: "state_update", state: "idle", ...prompts.endOf(messageId, turns) });
  }

  /** Reads the whole log. The keys of its prompts are known from then on. */
  async #stored(): Promise<FoldedLog & { readonly turns: StoredTurns }> {
    const { id, log, settings, prompts } = this.#parts;
    const { stateBytes } = settings.limits;
    const turns = new StoredTurns();
    const stored = await foldEvents(turns.noted(log.read(id)), { stateBytes });
    prompts.known(stored.keys);
    return { ...stored, turns };
  }

  #lost(owner: OwnerLink): void {
    if (this.#owner !== owner || this.#isOver) return;
    const { id, settings, agent, prompts, questions, ended } = this.#parts;
    this.#owner = undefined;
    this.#lostAt = performance.now();
    questions.close();
    prompts.ownerLost();
    const moving = this.enter();
    this.#moving = moving;
    agent.move(moving);
    moving.catch((error: unknown) => {
      const isDeleted = isSessionLogError(error, "not_found");
      const message = `The owner of a session has ended, and the session could not be opened: ${textOf(error)}`;
      if (!isDeleted && !this.#isOver) settings.report({ code: "connection_lost", sessionId: id, message, error });
      prompts.fail(isDeleted ? RpcError.resourceNotFound({ sessionId: id }) : RpcError.internalError(message));
      ended({ what: isDeleted ? "deleted" : "closed", name: "The gateway" });
    });
  }
}

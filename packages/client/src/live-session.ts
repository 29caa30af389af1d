import {
  type ContentBlock,
  createSessionState,
  type ElicitationAnswer,
  type PermissionOutcome,
  type PermissionQuestion,
  type SessionEvent,
  type SessionState,
  type StateLimits,
} from "@turnkit/session";
import {
  AcpError,
  type Connection,
  type Diagnostic,
  type InboundCall,
  isAcpError,
  type Lane,
} from "@turnkit/transport";
import { Audience, type MetaMode } from "./audience.js";
import { CancelGrace } from "./cancel-grace.js";
import { optionFor } from "./config-option.js";
import type { Driver } from "./driver/driver.js";
import type { Elicitations, SessionQuestion } from "./elicitations.js";
import { LiveTurn } from "./live-turn.js";
import type { PermissionDecision, PermissionPolicy } from "./permissions.js";
import type { EventListener, PromptOptions, Session, WhilePrompting } from "./session.js";
import { SessionQuestions } from "./session-questions.js";
import type { Turn } from "./turn.js";
import { TurnQueue } from "./turn-queue.js";

/** What a live session is made of. */
export type SessionParts = {
  readonly id: string;
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly connection: Connection;
  readonly driver: Driver;
  readonly limits: Partial<StateLimits>;
  readonly metaMode: MetaMode;
  readonly whilePrompting: WhilePrompting;
  readonly cancelGraceMs: number;
  readonly policy: PermissionPolicy | undefined;
  readonly elicitations: Elicitations | undefined;
  readonly report: (diagnostic: Diagnostic) => void;
  readonly ended: (session: LiveSession) => void;
};

/** {@link Session} as the client makes it. */
export class LiveSession implements Session {
  readonly id: string;
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly lane: Lane;
  readonly #parts: SessionParts;
  readonly #audience: Audience;
  readonly #onEnd = new Set<() => void>();
  readonly #questions: SessionQuestions;
  readonly #turns: TurnQueue;
  readonly #grace: CancelGrace;
  #prompts = 0;
  #closing: Promise<void> | undefined;
  #isOver = false;
  /** Why there can be no more prompts. */
  #failure: AcpError | undefined;
  #isTold = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.id = parts.id;
    this.cwd = parts.cwd;
    this.roots = parts.roots;
    this.lane = parts.connection.openLane();
    this.#audience = new Audience(createSessionState(parts.limits), {
      lane: this.lane,
      metaMode: parts.metaMode,
      report: (diagnostic) => parts.report({ ...diagnostic, sessionId: parts.id }),
    });
    this.#turns = new TurnQueue(parts.driver.holdsPrompts, (turn, message) => {
      parts.driver.prompt(this, turn, message);
      turn.sent();
    });
    this.#grace = new CancelGrace(parts.cancelGraceMs, (turn) => {
      parts.driver.lose(this, turn, { stopReason: "cancelled" });
      turn.finish({ stopReason: "cancelled", confirmed: false });
    });
    const { policy, elicitations, driver } = parts;
    this.#questions = new SessionQuestions(
      { policy, elicitations, agent: driver.peer.info },
      {
        session: this,
        tell: (event, bytes) => this.tell(event, bytes),
        begin: (work) => this.lane.begin(0, work),
        refuses: (work) => {
          if (this.#isOver || this.#closing !== undefined) return true;
          return this.state.cancelling && driver.endsWithCancel(work, this.state);
        },
        report: parts.report,
      },
    );
  }

  get state(): SessionState {
    return this.#audience.state;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  subscribe(listener: () => void): () => void {
    return this.#audience.subscribe(listener);
  }

  onEvent(listener: EventListener): () => void {
    return this.#audience.listen((event) => listener(event, this));
  }

  /** Folds now and tells listeners in their order. `bytes` is what the event took on the wire. */
  tell(event: SessionEvent, bytes = 0): void {
    // The end of the session is the last that listeners hear of it.
    if (this.#isTold) this.#audience.fold(event);
    else this.#audience.tell(event, bytes);
  }

  /** Updates of the agent, out of one message. */
  receive(events: readonly SessionEvent[], bytes: number): void {
    this.heard();
    let size = bytes;
    for (const event of events) {
      const before = this.state;
      this.tell(event, size);
      this.#parts.driver.updated(this, event, before);
      size = 0;
    }
  }

  /** The agent said something about this session. */
  heard(): void {
    for (const turn of this.#turns.sent) {
      if (!turn.isAccepted) this.#parts.driver.signOfLife(this, turn);
    }
  }

  /** Folds only: for what listeners are not told, since nothing could slow its source down. */
  fold(event: SessionEvent): void {
    this.#audience.fold(event);
  }

  prompt(content: string | readonly ContentBlock[], { _meta }: PromptOptions = {}): Turn {
    const blocks = typeof content === "string" ? [{ type: "text", text: content } as const] : content;
    this.#parts.driver.checkPrompt(blocks);
    this.#turns.checkRoom();
    const failure = this.#failure ?? (this.#closing && noPrompts(this.id, "it is being closed"));
    if (failure === undefined) this.#admit();
    this.#prompts += 1;
    const turn = new LiveTurn(`prompt-${this.#prompts}`, {
      cancel: (one) => this.#cancelTurn(one),
      listen: (listener) => this.#audience.listen(listener),
      whenTold: (work) => this.lane.begin(0, work),
      listenersDone: () => this.listenersDone(),
      over: (one) => {
        this.#grace.stop(one);
        this.#turns.remove(one);
      },
    });
    if (failure === undefined) this.#turns.add(turn, { prompt: blocks, ...(_meta && { _meta }) });
    else turn.finish({ failure });
    return turn;
  }

  async cancel(): Promise<void> {
    const { sent, waiting } = this.#turns;
    for (const turn of waiting) this.#cancelTurn(turn);
    if (sent.length > 0 || this.state.activity.state !== "idle") this.cancelWork();
    await Promise.allSettled([...waiting, ...sent].map((turn) => turn.ended));
  }

  answer(requestId: string, decision: PermissionDecision | ElicitationAnswer): void {
    this.#questions.answer(requestId, decision);
  }

  cancelToolCall(toolCallId: string): Promise<void> {
    return this.#parts.driver.cancelToolCall(this, toolCallId);
  }

  cancelTerminal(terminalId: string): Promise<void> {
    return this.#parts.driver.cancelTerminal(this, terminalId);
  }

  async setConfigOption(configId: string, value: string | boolean): Promise<void> {
    await this.#parts.driver.setConfigOption(this, optionFor(this.state, configId, value), value);
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#closing ??= this.#close();
    await this.#closing;
  }

  /** A question of the agent: shown at receipt, put to the policy in its place, open until the first decision. */
  ask(question: PermissionQuestion, call: InboundCall): Promise<PermissionOutcome> {
    this.heard();
    return this.#questions.ask(question, call);
  }

  /** As `ask`, of a question for the person. */
  elicit(question: SessionQuestion, call: InboundCall): Promise<ElicitationAnswer> {
    this.heard();
    return this.#questions.elicit(question, call);
  }

  /** Tells the agent to end what it works on. */
  cancelWork(): void {
    // The agent first: a listener of the events may send something more.
    this.#parts.driver.cancel(this.id);
    this.#stop();
    this.#grace.start(this.#turns.sent);
  }

  /** `work` runs once, when the session is over. Returns the function that forgets it. */
  onEnd(work: () => void): () => void {
    this.#onEnd.add(work);
    return () => this.#onEnd.delete(work);
  }

  /** The session is over for this side; with a `failure`, because the connection is. */
  end(reason: string, failure?: AcpError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure ?? noPrompts(this.id, reason);
    this.#questions.dismiss(() => true);
    this.#turns.end(failure, (turn, how) => this.#parts.driver.lose(this, turn, how));
    for (const work of this.#onEnd) work();
    this.#onEnd.clear();
    this.tell({ type: "session_closed", reason });
    this.#isTold = true;
    this.#parts.ended(this);
  }

  /** Settles when listeners have finished with everything received so far. */
  listenersDone(): Promise<void> {
    return this.#audience.done();
  }

  /** @throws AcpError `state` for a prompt that has to wait where prompts are not to */
  #admit(): void {
    const { sent, waiting } = this.#turns;
    if (sent.length + waiting.length === 0) return;
    if (this.#parts.whilePrompting === "replace") void this.cancel();
    if (this.#parts.whilePrompting !== "reject") return;
    throw new AcpError("state", `Session ${this.id} is busy with a prompt: wait for its end, or cancel it.`);
  }

  #cancelTurn(turn: LiveTurn): void {
    const { sent } = this.#turns;
    if (!sent.includes(turn)) turn.finish({ stopReason: "cancelled", confirmed: true });
    else if (sent.length === 1 || !this.#parts.driver.withdraw(turn)) this.cancelWork();
    else this.#grace.start([turn]);
  }

  #stop(): void {
    const { driver } = this.#parts;
    this.tell({ type: "cancel_asked" });
    this.#questions.dismiss((work) => driver.endsWithCancel(work, this.state));
  }

  async #close(): Promise<void> {
    try {
      const closing = this.#parts.driver.closeSession(this);
      for (const turn of this.#turns.waiting) this.#cancelTurn(turn);
      if (this.#turns.sent.length > 0) this.#stop();
      this.#grace.start(this.#turns.sent);
      this.#questions.dismiss(() => true);
      await closing;
      this.end("closed by this side");
    } catch (error) {
      this.#closing = undefined;
      // Lost connections end their sessions by themselves.
      if (!isAcpError(error, "connection_closed")) throw error;
    }
  }
}

function noPrompts(sessionId: string, reason: string): AcpError {
  return new AcpError("state", `Session ${sessionId} takes no prompts any more: ${reason}.`);
}

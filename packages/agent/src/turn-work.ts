import type {
  ContentBlock,
  ElicitationAnswer,
  ElicitationQuestion,
  MessageRole,
  PermissionQuestion,
  WireEvent,
} from "@turnkit/session";
import type { Room } from "@turnkit/transport";
import { Cancellation, type Lifetime } from "./cancellation.js";
import type { DriverSession } from "./driver/driver.js";
import type { EndableCall, ToolCallOwner } from "./live-tool-call.js";
import { type AskedQuestion, type AskingSession, askPermission, elicit, type PermissionAnswer } from "./questions.js";
import type { AgentSession } from "./session.js";
import type { TextStream } from "./text-stream.js";
import { UnreadAnswers } from "./unread-answers.js";

/** Members of a session that its turns use. */
export type TurnSession<S> = AgentSession<S> &
  DriverSession &
  AskingSession &
  ToolCallOwner["session"] & {
    readonly output: {
      append(role: MessageRole, content: ContentBlock): Room;
      endMessage(): void;
    };
    /** Emits an update that is checked, except for its links to other sessions. */
    emitChecked(event: WireEvent): Room;
  };

/**
 * Work of a turn: its lifetime, streams, open tool calls and questions. Only the runtime has this object. The handler gets
 * the turn, on which a call of `end` would end the turn before its handler.
 */
export class TurnWork<S> implements ToolCallOwner {
  readonly session: TurnSession<S>;
  /** Streams that are being sent, and streams that failed. */
  streams: Set<TextStream> | undefined;
  isOver = false;
  readonly #cancellation: Cancellation;
  /** Lifetime of the turn's questions, files and terminals. A cancel or the end of the turn ends the lifetime. */
  readonly #lifetime: Cancellation;
  #openCalls: Set<EndableCall> | undefined;
  #questions = 0;
  /** Made for the first question, because most turns ask nothing. */
  #unread: UnreadAnswers | undefined;
  /** True once a call after the end of the turn was reported. */
  #wasLate = false;

  constructor(session: TurnSession<S>, cancellation: Cancellation) {
    this.session = session;
    this.#cancellation = cancellation;
    this.#lifetime = new Cancellation(cancellation);
  }

  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }

  get lifetime(): Lifetime {
    return this.#lifetime;
  }

  /** True after a cancel or the end of the turn. */
  get isDone(): boolean {
    return this.#lifetime.isCancelled;
  }

  get openCalls(): Set<EndableCall> {
    this.#openCalls ??= new Set();
    return this.#openCalls;
  }

  emit(event: WireEvent): Room {
    return this.isOver ? this.late("emit") : this.session.emitChecked(event);
  }

  requestPermission(question: PermissionQuestion): Promise<PermissionAnswer> {
    return this.permission("ask", question);
  }

  /** Asks a checked question. `call` is the name of the turn's method. Never rejects. */
  async permission(call: string, question: AskedQuestion): Promise<PermissionAnswer> {
    if (this.isOver) this.late(call);
    if (this.isDone) return { allowed: false };
    const { signal } = this.#lifetime;
    const asking = () => this.#waitForUser(() => askPermission(this.session, question, signal));
    return this.#answers.ask(question.title, asking, ({ allowed }) => !allowed);
  }

  /** Asks a checked question of a form or a URL. Never rejects. */
  async elicit(question: ElicitationQuestion, about?: { readonly toolCallId?: string }): Promise<ElicitationAnswer> {
    if (this.isOver) this.late("elicit");
    if (this.isDone) return { action: "cancel" };
    const { signal } = this.#lifetime;
    const asking = () => this.#waitForUser(() => elicit(this.session, question, { ...about, signal }));
    return this.#answers.ask(question.message, asking, ({ action }) => action !== "accept");
  }

  watch<T>(title: unknown, answer: Promise<T>, isReported?: () => boolean): Promise<T> {
    // A question without a title was reported already.
    return typeof title === "string" && !this.isOver ? this.#answers.watch(title, answer, isReported) : answer;
  }

  /** Waits for the streams that the handler did not await. Rejects with the first failure. */
  drain(): Promise<unknown> | undefined {
    return this.streams && Promise.all([...this.streams].map((stream) => stream.drain()));
  }

  /**
   * Reports the streams that are stopped because the turn ends without {@link drain}, and the failures of streams that
   * were not reported yet.
   */
  leaveStreams(): void {
    const { onFault } = this.session.output;
    const streams = [...(this.streams ?? [])];
    if (streams.some(({ isOpen }) => isOpen)) {
      const message = "idle() ended a stream of the child session. Await `child.say(stream)` before idle().";
      onFault(message, undefined, "unfinished");
    }
    const failed = (error: unknown) => onFault("A stream of a child session failed.", error, "handler_failed");
    for (const stream of streams) stream.drain().catch(failed);
  }

  /**
   * Ends the turn. Later calls of the handler do nothing. Files, terminals and open tool calls end too. In dialects whose
   * answer ends the turn, a cancel has already ended the tool calls.
   */
  end(): void {
    const { isCancelled } = this.#cancellation;
    const endsThem = isCancelled && this.session.driver.dialect.codec.turns === undefined;
    if (!endsThem) for (const call of this.#openCalls ?? []) call.endWithTurn();
    const mistake = isCancelled ? undefined : this.#unread?.mistake;
    if (mistake !== undefined) this.session.output.onFault(mistake, undefined, "unfinished");
    this.isOver = true;
    this.#lifetime.cancel("The turn has ended.");
  }

  /** Reports the first call after the end of the turn. After a cancel, late calls are expected. */
  late(name: string): undefined {
    if (this.#cancellation.isCancelled || this.#wasLate) return;
    this.#wasLate = true;
    const advice = "Await all work before the prompt handler returns, or use turn.session for work outside of turns.";
    const message = `turn.${name} after the end of its turn was ignored. ${advice}`;
    this.session.output.onFault(message, undefined, "late_change");
  }

  get #answers(): UnreadAnswers {
    this.#unread ??= new UnreadAnswers();
    return this.#unread;
  }

  // V2-PRM-12
  /** Reports that the turn waits for the user. The report lasts from the first open question to the last answer. */
  async #waitForUser<T>(ask: () => Promise<T>): Promise<T> {
    this.#questions += 1;
    if (this.#questions === 1) this.#reportWaiting(true);
    try {
      return await ask();
    } finally {
      this.#questions -= 1;
      if (this.#questions === 0 && !this.isDone) this.#reportWaiting(false);
    }
  }

  /** Never throws, because the question is asked even if the report cannot be sent. */
  #reportWaiting(forUser: boolean): void {
    try {
      this.session.driver.waiting?.(this.session, forUser);
    } catch (error) {
      this.session.output.onFault("The state of a turn that asks the user could not be sent.", error);
    }
  }
}

import {
  type ContentBlock,
  DEFAULT_PLAN_ID,
  type ElicitationAnswer,
  type ElicitationQuestion,
  type MessageRole,
  type Meta,
  type PlanEntry,
  type SessionState,
  type WireEvent,
} from "@turnkit/session";
import { type Calls, jsonCopy } from "@turnkit/session/codec";
import type { Room } from "@turnkit/transport";
import { Cancellation } from "./cancellation.js";
import { checkObject } from "./check-arguments.js";
import { checkOwner, checkPiece, checkSaid } from "./check-blocks.js";
import { checkPlan } from "./check-values.js";
import type { ClientFiles } from "./client-tools/files.js";
import type { ClientTerminals } from "./client-tools/terminals.js";
import type { DriverSession } from "./driver/driver.js";
import { type EndableCall, openToolCall, type ToolCallOwner } from "./live-tool-call.js";
import { OwnNames } from "./own-names.js";
import {
  type AskedQuestion,
  type AskingSession,
  askPermission,
  elicit,
  type PermissionAnswer,
  questionMistake,
} from "./questions.js";
import type { AgentSession } from "./session.js";
import { TextStream } from "./text-stream.js";
import type { ToolCall, ToolCallStart } from "./tool-call.js";
import type { SlashCommand, Turn } from "./turn.js";
import { UnreadAnswers } from "./unread-answers.js";
import { unknownMembers } from "./unused-options.js";

/** Members of a session that its turns use. */
export type TurnSession<S> = AgentSession<S> &
  DriverSession &
  AskingSession &
  ToolCallOwner["session"] & {
    readonly output: {
      append(role: MessageRole, content: ContentBlock): Room;
      endMessage(): void;
    };
  };

/** Implementation of {@link Turn}. */
export class LiveTurn<S> extends OwnNames implements Turn<S> {
  readonly session: TurnSession<S>;
  readonly _meta?: Meta;
  readonly command?: SlashCommand;
  readonly files?: ClientFiles;
  readonly terminals?: ClientTerminals;
  readonly #cancellation: Cancellation;
  /** Lifetime of the turn's questions, files and terminals. A cancel or the end of the turn ends the lifetime. */
  readonly #lifetime: Cancellation;
  /** Streams that are being sent, and streams that failed. */
  #streams: Set<TextStream> | undefined;
  readonly #received: readonly ContentBlock[];
  #prompt: readonly ContentBlock[] | undefined;
  #questions = 0;
  /** Made for the first question, because most turns ask nothing. */
  #unread: UnreadAnswers | undefined;
  readonly #output: TurnSession<S>["output"];
  isOver = false;
  /** True once a call after the end of the turn was reported. */
  #wasLate = false;
  /** True once text that overtook a stream was reported. */
  #hasOvertaken = false;
  #openCalls: Set<EndableCall> | undefined;

  constructor(session: TurnSession<S>, { prompt, _meta }: Calls["prompt"]["params"], cancellation: Cancellation) {
    super();
    this.session = session;
    this.#output = session.output;
    this.#received = prompt;
    if (_meta != null) this._meta = jsonCopy(_meta);
    this.#cancellation = cancellation;
    this.#lifetime = new Cancellation(cancellation);
    const command = readSlashCommand(prompt, session);
    if (command !== undefined) this.command = command;
    const files = session.driver.files?.(session.id, this.#lifetime);
    const terminals = session.driver.terminals?.(session.id, this.#lifetime);
    if (files !== undefined) this.files = files;
    if (terminals !== undefined) this.terminals = terminals;
    // A new member, such as a stopReason, would have no effect.
    Object.preventExtensions(this);
  }

  get openCalls(): Set<EndableCall> {
    this.#openCalls ??= new Set();
    return this.#openCalls;
  }

  /** Copy of the prompt. Changes by the handler affect neither the conversation nor a client in the same process. */
  get prompt(): readonly ContentBlock[] {
    this.#prompt ??= jsonCopy(this.#received);
    return this.#prompt;
  }

  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }

  say(text: string | ContentBlock | AsyncIterable<string>): Room {
    checkOwner(this, "say");
    return this.#write("agent", text);
  }

  think(text: string | ContentBlock | AsyncIterable<string>): Room {
    checkOwner(this, "think");
    return this.#write("thought", text);
  }

  endMessage(): void {
    if (!this.isOver) this.#output.endMessage();
  }

  plan(entries: readonly PlanEntry[], planId = DEFAULT_PLAN_ID): Room {
    if (this.isOver) return this.#late("plan");
    for (const one of checkPlan(entries)) this.#output.onFault(one, undefined, "unused_option");
    return this.emit({ type: "plan_update", plan: { type: "items", planId, entries } });
  }

  toolCall(start: ToolCallStart): ToolCall {
    if (this.isOver) this.#late("toolCall");
    return openToolCall(this, start);
  }

  ask(question: AskedQuestion): Promise<boolean> {
    return this.watch(
      question?.title,
      this.#permission(question).then(({ allowed }) => allowed),
    );
  }

  requestPermission(question: AskedQuestion): Promise<PermissionAnswer> {
    return this.watch(question?.title, this.#permission(question));
  }

  elicit(question: ElicitationQuestion, about?: { readonly toolCallId?: string }): Promise<ElicitationAnswer> {
    return this.watch(question?.message, this.#elicit(question, about));
  }

  async #permission(question: AskedQuestion): Promise<PermissionAnswer> {
    const none = 'turn.ask got no question, and counts as refused. Pass a question such as { title: "May I?" }.';
    const mistake = typeof question?.title === "string" ? questionMistake(question) : none;
    if (mistake !== undefined) this.#output.onFault(mistake, undefined, "handler_failed");
    else if (this.isOver) this.#late("ask");
    if (mistake !== undefined || this.#lifetime.isCancelled) return { allowed: false };
    for (const one of unknownMembers("ask", question)) this.#output.onFault(one, undefined, "unused_option");
    const { signal } = this.#lifetime;
    const asking = () => this.#waitForUser(() => askPermission(this.session, question, signal));
    return this.#answers.ask(question.title, asking, ({ allowed }) => !allowed);
  }

  async #elicit(question: ElicitationQuestion, about?: { readonly toolCallId?: string }): Promise<ElicitationAnswer> {
    checkObject("elicit", question, 'pass a question such as { mode: "form", message, requestedSchema }');
    this.session.elicitations.check(question);
    if (this.isOver) this.#late("elicit");
    if (this.#lifetime.isCancelled) return { action: "cancel" };
    const { signal } = this.#lifetime;
    const asking = () => this.#waitForUser(() => elicit(this.session, question, { ...about, signal }));
    return this.#answers.ask(question.message, asking, ({ action }) => action !== "accept");
  }

  emit(event: WireEvent): Room {
    return this.isOver ? this.#late("emit") : this.session.emit(event);
  }

  /** Waits for the streams that the handler did not await. Rejects with the first failure. */
  drain(): Promise<unknown> | undefined {
    return this.#streams && Promise.all([...this.#streams].map((stream) => stream.drain()));
  }

  /**
   * Reports the streams that are stopped because the turn ends without {@link drain}, and the failures of streams that
   * were not reported yet.
   */
  leaveStreams(): void {
    const streams = [...(this.#streams ?? [])];
    if (streams.some(({ isOpen }) => isOpen)) {
      const message = "idle() ended a stream of the child session. Await `child.say(stream)` before idle().";
      this.#output.onFault(message, undefined, "unfinished");
    }
    const failed = (error: unknown) =>
      this.#output.onFault("A stream of a child session failed.", error, "handler_failed");
    for (const stream of streams) stream.drain().catch(failed);
  }

  /**
   * Ends the turn. Later calls of the handler do nothing. Files, terminals and open tool calls end too. In dialects whose
   * answer ends the turn, a cancel has already ended the tool calls.
   */
  end(): void {
    const endsThem = this.#cancellation.isCancelled && this.session.driver.dialect.codec.turns === undefined;
    if (!endsThem) for (const call of this.#openCalls ?? []) call.endWithTurn();
    const mistake = this.#cancellation.isCancelled ? undefined : this.#unread?.mistake;
    if (mistake !== undefined) this.#output.onFault(mistake, undefined, "unfinished");
    this.isOver = true;
    this.#lifetime.cancel("The turn has ended.");
  }

  watch<T>(title: unknown, answer: Promise<T>, isReported?: () => boolean): Promise<T> {
    // A question without a title was reported already.
    return typeof title === "string" && !this.isOver ? this.#answers.watch(title, answer, isReported) : answer;
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
      if (this.#questions === 0 && !this.#lifetime.isCancelled) this.#reportWaiting(false);
    }
  }

  /** Never throws, because the question is asked even if the report cannot be sent. */
  #reportWaiting(forUser: boolean): void {
    try {
      this.session.driver.waiting?.(this.session, forUser);
    } catch (error) {
      this.#output.onFault("The state of a turn that asks the user could not be sent.", error);
    }
  }

  #write(role: MessageRole, text: string | ContentBlock | AsyncIterable<string>): Room {
    if (this.#streams !== undefined) this.#mustWait(role);
    if (typeof text === "string") return this.#append(role, { type: "text", text });
    const call = `turn.${role === "agent" ? "say" : "think"}`;
    if (typeof text !== "object" || text === null || !(Symbol.asyncIterator in text)) {
      // After the end of the turn, nothing is refused.
      if (!this.isOver) checkSaid(call, text);
      return this.#append(role, this.isOver ? text : jsonCopy(text));
    }
    const write = (piece: string): Room => {
      if (typeof piece !== "string" && !this.isOver) checkPiece(call, piece);
      return this.#append(role, { type: "text", text: piece });
    };
    const stream = TextStream.of(text, { role, write, signal: this.#lifetime.signal });
    this.#streams ??= new Set();
    const streams = this.#streams.add(stream);
    stream.whenWell(() => streams.delete(stream));
    return stream;
  }

  /** Reports the first text that overtakes an open stream of the same role. */
  #mustWait(role: MessageRole): void {
    if (this.#hasOvertaken || this.#lifetime.isCancelled) return;
    if (![...(this.#streams ?? [])].some((stream) => stream.isOpen && stream.role === role)) return;
    this.#hasOvertaken = true;
    const verb = role === "agent" ? "say" : "think";
    const message = `turn.${verb} began while a stream of the same message is open, so their texts are mixed. Await \`turn.${verb}(stream)\` first.`;
    this.#output.onFault(message, undefined, "unfinished");
  }

  #append(role: MessageRole, content: ContentBlock): Room {
    return this.isOver ? this.#late(role === "agent" ? "say" : "think") : this.#output.append(role, content);
  }

  /** Reports the first call after the end of the turn. After a cancel, late calls are expected. */
  #late(name: string): undefined {
    if (this.#cancellation.isCancelled || this.#wasLate) return;
    this.#wasLate = true;
    const advice = "Await all work before the prompt handler returns, or use turn.session for work outside of turns.";
    this.#output.onFault(`turn.${name} after the end of its turn was ignored. ${advice}`, undefined, "late_change");
  }
}

// V1-SLASH-04
/**
 * Returns the slash command at the beginning of a prompt, if the session offers that command. Any other text with a slash,
 * such as a path, is ordinary text. The state is read only for text that begins with a slash.
 */
function readSlashCommand(
  prompt: readonly ContentBlock[],
  session: { readonly state: SessionState },
): SlashCommand | undefined {
  // The text of the command may follow attached blocks.
  const block = prompt.find(({ type }) => type === "text");
  if (block === undefined || !("text" in block) || typeof block.text !== "string") return undefined;
  if (!block.text.startsWith("/")) return undefined;
  const [, name, input = ""] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(block.text) ?? [];
  const { availableCommands = [] } = session.state;
  if (name === undefined || !availableCommands.some((command) => command.name === name)) return undefined;
  return { name, input };
}

import {
  type ContentBlock,
  DEFAULT_PLAN_ID,
  type ElicitationAnswer,
  type ElicitationQuestion,
  type MessageRole,
  type Meta,
  type PlanEntry,
  type WireEvent,
} from "@turnkit/session";
import { type Calls, jsonCopy } from "@turnkit/session/codec";
import { checkArgument, type Room } from "@turnkit/transport";
import { checkObject } from "./check-arguments.js";
import { blockMistakes, checkOwner, checkPiece, checkSaid } from "./check-blocks.js";
import { questionMistake } from "./check-question.js";
import { checkPlan } from "./check-values.js";
import type { ClientFiles } from "./client-tools/files.js";
import type { ClientTerminals } from "./client-tools/terminals.js";
import { openToolCall } from "./live-tool-call.js";
import { OwnNames, permissionAnswer } from "./own-names.js";
import type { AskedQuestion, PermissionAnswer } from "./questions.js";
import { readSlashCommand } from "./slash-command.js";
import { TextStream } from "./text-stream.js";
import type { ToolCall, ToolCallStart } from "./tool-call.js";
import type { SlashCommand, Turn } from "./turn.js";
import type { TurnSession, TurnWork } from "./turn-work.js";
import { unknownMembers } from "./unused-options.js";

/** Implementation of {@link Turn}. It has no other members, because handlers in JavaScript could call them. */
export class LiveTurn<S> extends OwnNames implements Turn<S> {
  readonly session: TurnSession<S>;
  readonly _meta?: Meta;
  readonly command?: SlashCommand;
  readonly files?: ClientFiles;
  readonly terminals?: ClientTerminals;
  readonly #work: TurnWork<S>;
  readonly #received: readonly ContentBlock[];
  #prompt: readonly ContentBlock[] | undefined;
  readonly #output: TurnSession<S>["output"];
  /** True once text that overtook a stream was reported. */
  #hasOvertaken = false;

  constructor(work: TurnWork<S>, { prompt, _meta }: Calls["prompt"]["params"]) {
    super();
    const { session, lifetime } = work;
    this.session = session;
    this.#work = work;
    this.#output = session.output;
    this.#received = prompt;
    if (_meta != null) this._meta = jsonCopy(_meta);
    const command = readSlashCommand(prompt, session);
    if (command !== undefined) this.command = command;
    const files = session.driver.files?.(session.id, lifetime);
    const terminals = session.driver.terminals?.(session.id, lifetime);
    if (files !== undefined) this.files = files;
    if (terminals !== undefined) this.terminals = terminals;
    // A new member, such as a stopReason, would have no effect.
    Object.preventExtensions(this);
  }

  /** Copy of the prompt. Changes by the handler affect neither the conversation nor a client in the same process. */
  get prompt(): readonly ContentBlock[] {
    this.#prompt ??= jsonCopy(this.#received);
    return this.#prompt;
  }

  get signal(): AbortSignal {
    return this.#work.signal;
  }

  // `more` is what callers in JavaScript pass, who expect metadata there.
  say(text: string | ContentBlock | AsyncIterable<string>, more?: never): Room {
    checkOwner(this, "say");
    if (more !== undefined) this.#ignored("say");
    return this.#write("agent", text);
  }

  think(text: string | ContentBlock | AsyncIterable<string>, more?: never): Room {
    checkOwner(this, "think");
    if (more !== undefined) this.#ignored("think");
    return this.#write("thought", text);
  }

  endMessage(): void {
    if (!this.#work.isOver) this.#output.endMessage();
  }

  plan(entries: readonly PlanEntry[], planId = DEFAULT_PLAN_ID): Room {
    if (this.#work.isOver) return this.#work.late("plan");
    checkArgument(typeof planId === "string", "plan planId", { got: planId, remedy: "pass the id as text, or no id" });
    this.#report(checkPlan("plan", entries));
    return this.#work.emit({ type: "plan_update", plan: { type: "items", planId, entries } });
  }

  toolCall(start: ToolCallStart): ToolCall {
    if (this.#work.isOver) this.#work.late("toolCall");
    return openToolCall(this.#work, start);
  }

  ask(question: AskedQuestion): Promise<boolean> {
    return this.#asked("ask", question, ({ allowed }) => allowed);
  }

  requestPermission(question: AskedQuestion): Promise<PermissionAnswer> {
    return this.#asked("requestPermission", question, permissionAnswer);
  }

  elicit(question: ElicitationQuestion, about?: { readonly toolCallId?: string }): Promise<ElicitationAnswer> {
    return this.#work.watch(question?.message, this.#elicit(question, about));
  }

  emit(event: WireEvent): Room {
    return this.#work.isOver ? this.#work.late("emit") : this.session.emit(event);
  }

  #asked<T>(name: string, question: AskedQuestion, read: (answer: PermissionAnswer) => T): Promise<T> {
    return this.#work.watch(question?.title, this.#permission(name, question).then(read));
  }

  async #permission(name: string, question: AskedQuestion): Promise<PermissionAnswer> {
    const call = `turn.${name}`;
    const none = `${call} got no question, and counts as refused. Pass a question such as { title: "May I?" }.`;
    const mistake = typeof question?.title === "string" ? questionMistake(call, question) : { message: none };
    if (mistake !== undefined) {
      this.#output.onFault(mistake.message, mistake.error, "handler_failed");
      return { allowed: false };
    }
    if (!this.#work.isDone) this.#report(unknownMembers(call as "turn.ask", question));
    return this.#work.permission(name, question);
  }

  async #elicit(question: ElicitationQuestion, about?: { readonly toolCallId?: string }): Promise<ElicitationAnswer> {
    checkObject("elicit", question, 'pass a question such as { mode: "form", message, requestedSchema }');
    this.session.elicitations.check(question);
    return this.#work.elicit(question, about);
  }

  #write(role: MessageRole, text: string | ContentBlock | AsyncIterable<string>): Room {
    if (this.#work.streams !== undefined) this.#mustWait(role);
    if (typeof text === "string") return this.#append(role, { type: "text", text });
    const call = `turn.${verbOf(role)}`;
    const { isOver, lifetime } = this.#work;
    if (typeof text !== "object" || text === null || !(Symbol.asyncIterator in text)) {
      // After the end of the turn, nothing is refused.
      if (isOver) return this.#append(role, text);
      checkSaid(call, text);
      this.#report(blockMistakes(call, text));
      return this.#append(role, jsonCopy(text));
    }
    const write = (piece: string): Room => {
      if (typeof piece !== "string" && !this.#work.isOver) checkPiece(call, piece);
      return this.#append(role, { type: "text", text: piece });
    };
    const stream = TextStream.of(text, { role, write, signal: lifetime.signal });
    this.#work.streams ??= new Set();
    const streams = this.#work.streams.add(stream);
    stream.whenWell(() => streams.delete(stream));
    return stream;
  }

  /** Reports the first text that overtakes an open stream of the same role. */
  #mustWait(role: MessageRole): void {
    const { streams = [], isDone } = this.#work;
    if (this.#hasOvertaken || isDone) return;
    if (![...streams].some((stream) => stream.isOpen && stream.role === role)) return;
    this.#hasOvertaken = true;
    const verb = verbOf(role);
    const message = `turn.${verb} began while a stream of the same message is open, so their texts are mixed. Await \`turn.${verb}(stream)\` first.`;
    this.#output.onFault(message, undefined, "unfinished");
  }

  #append(role: MessageRole, content: ContentBlock): Room {
    return this.#work.isOver ? this.#work.late(verbOf(role)) : this.#output.append(role, content);
  }

  #ignored(name: string): void {
    const advice = 'For metadata, pass a block such as { type: "text", text, _meta }.';
    this.#report([`turn.${name} got a second argument, which is not used. ${advice}`]);
  }

  /** Reports mistakes that do not stop a call. */
  #report(mistakes: readonly string[]): void {
    for (const one of mistakes) this.#output.onFault(one, undefined, "unused_option");
  }
}

const verbOf = (role: MessageRole): "say" | "think" => (role === "agent" ? "say" : "think");

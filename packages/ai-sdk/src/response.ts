import {
  diffStates,
  type Entry,
  type PendingQuestion,
  pendingQuestions,
  type SessionState,
  type ToolCallEntry,
} from "@turnkit/session";
import type { AcpChunk, AcpData } from "./acp-message.js";
import { MessageParts } from "./message-parts.js";
import { callOf, questionData, type ShownCall } from "./questions.js";
import { type Answer, inputChunk, outputChunks, terminalData, toolNameOf } from "./tool-chunks.js";

/** New or changed entry of the timeline. */
type Changed = { readonly item: Entry; readonly before?: Entry | undefined };

type Chunks = Iterable<AcpChunk>;

/**
 * One message of a chat, as chunks: the differences between a state and the state that was read before. Reading seldom
 * makes fewer and larger chunks, so a slow reader needs no queue.
 */
export class Response {
  readonly #position: number;
  readonly #messages = new MessageParts();
  /** Objects of which the newest chunk of each part was made. */
  readonly #sources = new Map<string, readonly unknown[]>();
  readonly #terminals = new Set<string>();
  /** Answers by tool call. */
  readonly #answers = new Map<string, Answer>();
  #read: SessionState | undefined;
  /** Open questions by id. */
  #asked: ReadonlyMap<string, PendingQuestion> = new Map();

  /**
   * @param position first entry of the timeline that belongs to the message
   * @param read state whose entries are not repeated. Without it, the message begins with all entries from `position`
   * on
   */
  constructor(position: number, read?: SessionState) {
    this.#position = position;
    this.#read = read;
    // Content that the session already has is not repeated either.
    if (read) Array.from(this.#members(read));
  }

  /** Returns the chunks for everything that has changed since the last call. */
  chunks(state: SessionState): AcpChunk[] {
    return this.#read === state ? [] : [...this.#changes(state)];
  }

  *#changes(state: SessionState): Chunks {
    const before = this.#read;
    this.#read = state;
    const asked = this.#asked;
    this.#asked = new Map(pendingQuestions(state).map((pending) => [pending.question.requestId, pending]));
    const entries: readonly Changed[] = before
      ? diffStates(before, state).timeline.changed
      : [...state.timeline].slice(this.#position).map((item) => ({ item }));
    for (const change of entries) yield* this.#entry(change);
    yield* this.#members(state, before);
    for (const pending of new Map([...asked, ...this.#asked]).values()) yield* this.#question(pending, state);
  }

  /** Ends the open parts, before the end of a stream. A message that grows later gets a further part. */
  end(): AcpChunk[] {
    return this.#messages.end();
  }

  /** Records an answer, before the state without the question is read. */
  answered(requestId: string, answer: Answer): void {
    const pending = this.#asked.get(requestId);
    if (pending) this.#answers.set(callOf(pending).toolCallId, answer);
  }

  *#entry({ item, before }: Changed): Chunks {
    if (!before) yield* this.end();
    // Prompts of this side are in the chat already.
    if (item.type === "trimmed" || (item.type === "message" && item.prompt)) return;
    if (item.type === "tool_call") yield* this.#call(item);
    else if (item.type === "message" && item.role !== "user") {
      yield* this.#messages.chunks(item, before as typeof item | undefined);
    } else yield* this.#data("acp-entry", item.key, JSON.parse(JSON.stringify(item)));
  }

  *#call(entry: ShownCall): Chunks {
    const { toolCallId, title, rawInput, content } = entry;
    const output = `output ${toolCallId}`;
    const asked = [...this.#asked.values()].findLast(
      (pending) => pending.type === "permission" && callOf(pending).toolCallId === toolCallId,
    );
    const approvalId = asked?.question.requestId;
    if (asked) this.#answers.delete(toolCallId);
    if (this.#isNew(`input ${toolCallId}`, toolNameOf(entry), title, rawInput)) {
      yield inputChunk(entry);
      this.#sources.delete(output); // the new input has replaced it
    }
    const answer = this.#answers.get(toolCallId);
    if (this.#isNew(output, approvalId ?? entry, answer)) {
      if (approvalId === undefined) yield* outputChunks(entry, answer);
      else yield { type: "tool-approval-request", approvalId, toolCallId };
    }
    for (const [index, item] of [...content].entries()) {
      if (item.type === "terminal") this.#terminals.add(item.terminalId);
      if (item.type !== "diff") continue;
      yield* this.#data("acp-diff", `${toolCallId}/${index}`, item, { ...item, toolCallId });
    }
  }

  *#question(pending: PendingQuestion, { timeline }: SessionState): Chunks {
    const { type, question } = pending;
    const isOpen = this.#asked.has(question.requestId);
    const shown = callOf(pending);
    const { toolCallId, key } = shown;
    const answer = this.#answers.get(toolCallId) ?? "allowed";
    if (!isOpen) this.#answers.set(toolCallId, answer);
    const own: ShownCall = { ...shown, status: answer === "allowed" ? "completed" : "failed" };
    if (type === "permission") yield* this.#call((timeline.get(key) as ToolCallEntry | undefined) ?? own);
    yield* this.#data(`acp-${type}`, question.requestId, isOpen, questionData(pending, isOpen, toolCallId));
  }

  /** Yields the chunks for data that does not belong to an entry, such as plans and usage. */
  *#members({ terminals, plans, subagents, usage }: SessionState, before?: SessionState): Chunks {
    for (const id of this.#terminals) {
      const terminal = terminals.get(id);
      if (terminal) yield* this.#data("acp-terminal", id, terminal, terminalData(terminal));
    }
    for (const plan of plans) yield* this.#data("acp-plan", plan.planId, plan);
    for (const { planId } of before?.plans ?? []) if (!plans.has(planId)) yield* this.#data("acp-plan", planId, null);
    for (const child of subagents) yield* this.#data("acp-subagent", child.sessionId, child);
    if (usage) yield* this.#data("acp-usage", "usage", usage);
  }

  /** Yields the chunk of a data part, unless the part was made of the same source before. */
  *#data<Name extends keyof AcpData>(name: Name, id: string, source: unknown, data = source as AcpData[Name]): Chunks {
    if (this.#isNew(`${name} ${id}`, source)) yield { type: `data-${name}`, id, data } as AcpChunk;
  }

  #isNew(part: string, ...now: readonly unknown[]): boolean {
    const before = this.#sources.get(part);
    this.#sources.set(part, now);
    return !before || now.some((source, index) => source !== before[index]);
  }
}

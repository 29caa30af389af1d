import {
  diffStates,
  type Entry,
  type PendingQuestion,
  type Plan,
  pendingQuestions,
  type SessionState,
  type SubagentState,
  type ToolCallEntry,
} from "@turnkit/session";
import type { AcpChunk, DataChunk } from "./acp-message.js";
import { MessageParts } from "./message-parts.js";
import { callOf, questionChunk, type ShownCall } from "./questions.js";
import { type Answer, inputChunk, outputChunks, terminalChunk, toolNameOf } from "./tool-chunks.js";

/** New or changed entry of the timeline. */
type Changed = { readonly item: Entry; readonly before?: Entry | undefined };

type Questions = ReadonlyMap<string, PendingQuestion>;

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
  #asked: Questions = new Map();

  /**
   * @param position first entry of the timeline that belongs to the message
   * @param read state whose entries are not repeated. Without it, the message begins with all entries from `position`
   * on
   */
  constructor(position: number, read?: SessionState) {
    this.#position = position;
    this.#read = read;
    // Content that the session already has is not repeated either.
    if (read) this.#members(read);
  }

  /** Returns the chunks for everything that has changed since the last call. */
  chunks(state: SessionState): AcpChunk[] {
    const before = this.#read;
    if (before === state) return [];
    this.#read = state;
    const open: Questions = new Map(pendingQuestions(state).map((one) => [one.question.requestId, one]));
    const permissions = [...open].filter(([, { type }]) => type === "permission");
    const waiting = new Map(permissions.map(([requestId, one]) => [callOf(one).toolCallId, requestId]));
    const entries: readonly Changed[] = before
      ? diffStates(before, state).timeline.changed
      : [...state.timeline].slice(this.#position).map((item) => ({ item }));
    return [
      ...entries.flatMap((change) => this.#entry(change, waiting)),
      ...this.#members(state, before),
      ...this.#questions(open, state),
    ];
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

  #entry({ item, before }: Changed, waiting: ReadonlyMap<string, string>): AcpChunk[] {
    const ends = before ? [] : this.end();
    if (item.type === "tool_call") return [...ends, ...this.#call(item, waiting.get(item.toolCallId))];
    if (item.type === "message" && item.role !== "user") {
      return [...ends, ...this.#messages.chunks(item, before as typeof item | undefined)];
    }
    // Prompts of this side are in the chat already.
    if (item.type === "trimmed" || (item.type === "message" && item.prompt)) return ends;
    return [...ends, { type: "data-acp-entry", id: item.key, data: JSON.parse(JSON.stringify(item)) }];
  }

  /** @param requestId open question about the call */
  #call(entry: ShownCall, requestId?: string): AcpChunk[] {
    const { toolCallId, title, rawInput, content } = entry;
    const output = `output ${toolCallId}`;
    const chunks: AcpChunk[] = [];
    if (requestId !== undefined) this.#answers.delete(toolCallId);
    if (this.#isNew(`input ${toolCallId}`, toolNameOf(entry), title, rawInput)) {
      chunks.push(inputChunk(entry));
      this.#sources.delete(output); // the new input has replaced it
    }
    const answer = this.#answers.get(toolCallId);
    if (this.#isNew(output, requestId ?? entry, answer)) {
      const approval: AcpChunk = { type: "tool-approval-request", approvalId: requestId as string, toolCallId };
      chunks.push(...(requestId === undefined ? outputChunks(entry, answer) : [approval]));
    }
    for (const [index, item] of [...content].entries()) {
      const id = `${toolCallId}/${index}`;
      if (item.type === "terminal") this.#terminals.add(item.terminalId);
      if (item.type !== "diff" || !this.#isNew(`diff ${id}`, item)) continue;
      chunks.push({ type: "data-acp-diff", id, data: { ...item, toolCallId } });
    }
    return chunks;
  }

  #questions(open: Questions, { timeline }: SessionState): AcpChunk[] {
    const all = new Map([...this.#asked, ...open]);
    this.#asked = open;
    return [...all].flatMap(([requestId, pending]) => {
      const isOpen = open.has(requestId);
      const shown = callOf(pending);
      const { toolCallId } = shown;
      const answer = this.#answers.get(toolCallId) ?? "allowed";
      if (!isOpen) this.#answers.set(toolCallId, answer);
      const own: ShownCall = { ...shown, status: answer === "allowed" ? "completed" : "failed" };
      const entry = (timeline.get(shown.key) as ToolCallEntry | undefined) ?? own;
      return [
        ...(pending.type === "permission" ? this.#call(entry, isOpen ? requestId : undefined) : []),
        ...(this.#isNew(`question ${requestId}`, isOpen) ? [questionChunk(pending, isOpen, toolCallId)] : []),
      ];
    });
  }

  /** Returns the chunks for data that does not belong to an entry, such as plans and usage. */
  #members({ terminals, plans, subagents, usage }: SessionState, before?: SessionState): AcpChunk[] {
    const gone = [...(before?.plans ?? [])].filter(({ planId }) => !plans.has(planId));
    return [
      ...[...this.#terminals].flatMap((id) => this.#part(terminals.get(id), terminalChunk)),
      ...[...plans].flatMap((plan) => this.#part(plan, planChunk)),
      ...gone.map(({ planId: id }): AcpChunk => ({ type: "data-acp-plan", id, data: null })),
      ...[...subagents].flatMap((one) => this.#part(one, subagentChunk)),
      ...this.#part(usage, usageChunk),
    ];
  }

  #part<Source>(source: Source | undefined, chunkOf: (source: Source) => DataChunk): AcpChunk[] {
    if (source === undefined) return [];
    const chunk = chunkOf(source);
    return this.#isNew(`${chunk.type} ${chunk.id}`, source) ? [chunk] : [];
  }

  #isNew(part: string, ...now: readonly unknown[]): boolean {
    const before = this.#sources.get(part);
    this.#sources.set(part, now);
    return before === undefined || now.some((source, index) => source !== before[index]);
  }
}

const planChunk = (data: Plan): DataChunk => ({ type: "data-acp-plan", id: data.planId, data });

const subagentChunk = (data: SubagentState): DataChunk => ({ type: "data-acp-subagent", id: data.sessionId, data });

const usageChunk = (data: NonNullable<SessionState["usage"]>): DataChunk => ({
  type: "data-acp-usage",
  id: "usage",
  data,
});

import type { AgentSession, ContentBlock, Cost, Room, Turn, WireEvent } from "@turnkit/agent";
import type { LoopOptions } from "../loop.js";
import type { ConversationItem, Model } from "../model.js";
import type { Spent } from "../models/cost.js";
import { compact, estimateTokens } from "./compaction.js";

/** Cost of a session and fill of the model's context, as reported to the client. */
export type Spending = ReturnType<typeof createSpending>;

/**
 * Creates the record of the cost and the context of one session. The client gets no report for a model whose context
 * window is unknown.
 */
export function createSpending(session: Pick<AgentSession, "reportUsage" | "state">) {
  // A restored session continues with its earlier cost.
  const before = session.state.usage?.cost;
  let cost: Cost | undefined = before ? { amount: before.amount, currency: before.currency } : undefined;
  let known = { tokens: session.state.usage?.used ?? 0, items: 0 };

  const report = (model: Model): void => {
    if (model.contextWindow === undefined) return;
    session.reportUsage({ used: known.tokens, size: model.contextWindow, cost });
  };
  const add = (more: Cost | undefined): void => {
    // Amounts in several currencies cannot be added, so only the first currency counts.
    if (more && (cost === undefined || cost.currency === more.currency)) {
      cost = { amount: (cost?.amount ?? 0) + more.amount, currency: more.currency };
    }
  };

  return {
    /** Adds the cost of work outside of this conversation, and reports the usage. */
    paid(model: Model, more: Cost | undefined): void {
      add(more);
      report(model);
    },
    /**
     * Adds the cost of an answer and reports the usage. The tokens of the answer are the new fill of the context. If
     * the provider reports no tokens, the fill is estimated.
     */
    answered(model: Model, { cost: more, usage }: Spent, conversation: readonly ConversationItem[]): void {
      known = { tokens: usage?.totalTokens ?? estimateTokens(conversation), items: conversation.length };
      add(more);
      report(model);
    },
    /** Estimates the tokens of the next request from the tokens of the last answer and the items after it. */
    nextRequest: (conversation: readonly ConversationItem[]): number =>
      known.tokens + estimateTokens(conversation.slice(known.items)),
  };
}

/** Largest conversation, in characters of its JSON. Pictures count too. */
const MAX_LENGTH = 16_000_000;

/**
 * Adds a prompt to the conversation, with the id of its message. If the conversation becomes longer than the bound,
 * whole turns are dropped, oldest first. The new prompt always stays.
 */
export function beginTurn(
  conversation: ConversationItem[],
  { prompt, promptId }: { readonly prompt: readonly ContentBlock[]; readonly promptId?: string },
  maxLength = MAX_LENGTH,
): void {
  conversation.push({ role: "user", content: prompt, promptId });
  const lengths = conversation.map((item) => JSON.stringify(item).length);
  let length = lengths.reduce((sum, next) => sum + next, 0);
  while (length > maxLength) {
    const next = conversation.findIndex(({ role }, index) => index > 0 && role === "user");
    if (next < 0) return;
    conversation.splice(0, next);
    length -= lengths.splice(0, next).reduce((sum, gone) => sum + gone, 0);
  }
}

export type RoomOptions = {
  readonly model: Model;
  readonly conversation: ConversationItem[];
  readonly spending: Spending;
};

type RoomTurn = Pick<Turn<unknown>, "emit" | "session" | "signal" | "think">;

/**
 * Returns a function that keeps a conversation within the context of its model. The function compacts the conversation
 * in two cases:
 * - the next request would fill more than `compactAt` of the context window;
 * - the provider refused the conversation because it is too long.
 *
 * If the compaction fails, the client gets its failure, and the turn continues.
 */
export function keepRoom(
  turn: RoomTurn,
  options: RoomOptions & { readonly compactAt: number },
): NonNullable<LoopOptions["makeRoom"]> {
  const { model, conversation, spending, compactAt } = options;
  return async (why) => {
    const limit = (model.contextWindow ?? Number.POSITIVE_INFINITY) * compactAt;
    if (why === "due" && spending.nextRequest(conversation) < limit) return false;
    try {
      return await compactNow(turn, { ...options, keep: "turn" });
    } catch (error) {
      if (turn.signal.aborted) throw error;
      return false;
    }
  };
}

/**
 * Compacts a conversation, and reports the remaining tokens to the client. Use `keep: "nothing"` between turns.
 *
 * @returns `false` if there was nothing to summarise
 * @throws as `compact` does
 */
export async function compactNow(
  turn: RoomTurn,
  options: RoomOptions & { readonly keep: "turn" | "nothing"; readonly focus?: string },
): Promise<boolean> {
  const { model, conversation, spending, keep, focus } = options;
  const spent = await compact({
    model,
    conversation,
    keep,
    focus,
    signal: turn.signal,
    emit: (event) => showCompaction(turn, event),
  });
  // The usage of the summary's request is left out, because it does not describe the shorter conversation.
  if (spent) spending.answered(model, { cost: spent.cost }, conversation);
  return spent !== undefined;
}

/**
 * Emits the event of a compaction. A restore needs this event in the log. If the client does not support compaction
 * events, the user sees a thought instead.
 */
export function showCompaction(turn: Pick<Turn<unknown>, "emit" | "session" | "think">, event: WireEvent): Room {
  const begins = event.type === "compaction_update" && event.status === "in_progress";
  if (begins && !turn.session.client.capabilities.compaction) {
    void turn.think("The conversation has become long: its older part is being summarised.\n\n");
  }
  return turn.emit(event);
}

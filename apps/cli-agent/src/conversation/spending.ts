import type { AgentSession } from "@turnkit/agent";
import type { ConversationItem, Model } from "../model.js";
import type { Cost, Spent } from "../models/cost.js";
import { estimateTokens } from "./compaction.js";

/** Cost of a session so far, and the fill of the model's context, as reported to the client. */
export interface Spending {
  /** Adds the cost of an answer; its tokens are the new fill of the context. */
  answered(model: Model, spent: Spent, conversation: readonly ConversationItem[]): void;
  /** Adds the cost of a summary, and estimates the new fill of the context. */
  compacted(model: Model, spent: Spent, conversation: readonly ConversationItem[]): void;
  /** Estimates the tokens of the next request: those of the last answer, and of the items since. */
  nextRequest(conversation: readonly ConversationItem[]): number;
}

/** Creates the account of one session. Nothing is reported for a model without a known context window. */
export function createSpending(session: Pick<AgentSession, "reportUsage" | "state">): Spending {
  // A restored session continues with its earlier cost.
  const before = session.state.usage?.cost;
  let cost: Cost | undefined = before ? { amount: before.amount, currency: before.currency } : undefined;
  let known = { tokens: session.state.usage?.used ?? 0, items: 0 };

  const report = (model: Model, { cost: more }: Spent, tokens: number, items: number) => {
    known = { tokens, items };
    // Amounts of several currencies have no sum: only the first currency counts.
    if (more && (cost === undefined || cost.currency === more.currency)) {
      cost = { amount: (cost?.amount ?? 0) + more.amount, currency: more.currency };
    }
    if (model.contextWindow === undefined) return;
    session.reportUsage({ used: tokens, size: model.contextWindow, ...(cost && { cost }) });
  };

  return {
    answered(model, spent, conversation) {
      report(model, spent, spent.usage?.totalTokens ?? estimateTokens(conversation), conversation.length);
    },
    compacted(model, spent, conversation) {
      report(model, spent, estimateTokens(conversation), conversation.length);
    },
    nextRequest: (conversation) => known.tokens + estimateTokens(conversation.slice(known.items)),
  };
}

import type { AgentSession, TokenUsage } from "@turnkit/agent";
import type { ConversationItem, Model } from "../model.js";
import type { Cost } from "../models/cost.js";
import { estimateTokens } from "./compaction.js";

/** What an answer of a model cost. */
export type Spent = { readonly usage?: TokenUsage; readonly cost?: Cost };

/** What a session cost so far and how full the model's context is, as the client is told. */
export interface Spending {
  /** An answer came to its end: adds its cost, and takes its tokens as what the context holds. */
  answered(model: Model, spent: Spent, conversation: readonly ConversationItem[]): void;
  /** The conversation was summarised: adds what that cost, and estimates what is left. */
  compacted(model: Model, spent: Spent, conversation: readonly ConversationItem[]): void;
  /** About how many tokens the next request takes: those of the last answer, and an estimate of what came since. */
  nextRequest(conversation: readonly ConversationItem[]): number;
}

/** Counts for one session, and tells its client. A model without a known context window has nothing to tell. */
export function createSpending(session: Pick<AgentSession, "reportUsage" | "state">): Spending {
  // A session that was restored goes on with what it had cost.
  const before = session.state.usage?.cost;
  let cost: Cost | undefined = before ? { amount: before.amount, currency: before.currency } : undefined;
  let known = { tokens: session.state.usage?.used ?? 0, items: 0 };

  const tell = (model: Model, { cost: more }: Spent, tokens: number, items: number) => {
    known = { tokens, items };
    // Amounts of several currencies have no sum: the first one counts.
    if (more && (cost === undefined || cost.currency === more.currency)) {
      cost = { amount: (cost?.amount ?? 0) + more.amount, currency: more.currency };
    }
    if (model.contextWindow === undefined) return;
    session.reportUsage({ used: tokens, size: model.contextWindow, ...(cost && { cost }) });
  };

  return {
    answered(model, spent, conversation) {
      tell(model, spent, spent.usage?.totalTokens ?? estimateTokens(conversation), conversation.length);
    },
    compacted(model, spent, conversation) {
      tell(model, spent, estimateTokens(conversation), conversation.length);
    },
    nextRequest: (conversation) => known.tokens + estimateTokens(conversation.slice(known.items)),
  };
}

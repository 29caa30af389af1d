import type { Turn } from "@turnkit/agent";
import type { LoopOptions } from "../loop.js";
import type { ConversationItem, Model } from "../model.js";
import { tellCompaction } from "../tell-user.js";
import { compact } from "./compaction.js";
import type { Spending } from "./spending.js";

/** Whose conversation is kept short, and how. */
export type RoomOptions = {
  readonly model: Model;
  readonly conversation: ConversationItem[];
  readonly spending: Spending;
};

type RoomTurn = Pick<Turn<unknown>, "emit" | "session" | "signal" | "think">;

/**
 * Keeps a conversation within the context of its model during a turn: it is compacted when the next request would fill
 * more than `compactAt` of the window, or when the provider said that it is too long. A compaction that fails is shown as
 * such, and the turn goes on: the provider has the last word.
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
 * Compacts a conversation, and tells the client what is left of it. `keep: "nothing"` is for between turns.
 *
 * @returns whether there was anything to summarise
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
    emit: (event) => tellCompaction(turn, event),
  });
  if (spent) spending.compacted(model, spent, conversation);
  return spent !== undefined;
}

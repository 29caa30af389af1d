import { allowOnce, type PermissionDecision, rejectOnce } from "@turnkit/client";
import type { PendingPermission } from "@turnkit/session";
import type { UIMessage } from "ai";
import type { Answer } from "./tool-chunks.js";

/** Response of a person to an approval. */
type Responded = {
  readonly id: string;
  readonly approved: boolean;
  readonly reason?: string;
  readonly toolCallId: string;
};

/** Returns the responses to approvals in a message, if the chat has not continued it yet. */
export function respondedIn({ parts }: UIMessage): readonly Responded[] {
  return parts.flatMap((part) =>
    "toolCallId" in part && part.state === "approval-responded"
      ? [{ ...part.approval, toolCallId: part.toolCallId }]
      : [],
  );
}

/**
 * Returns true if the newest message has responses to approvals, and no approval that waits. Pass it to `useChat` as
 * `sendAutomaticallyWhen`. Unlike the function of the AI SDK, it does not wait for tool calls that still run.
 */
export function approvalsAnswered({ messages }: { readonly messages: readonly UIMessage[] }): boolean {
  const last = messages.at(-1);
  if (last?.role !== "assistant" || respondedIn(last).length === 0) return false;
  return !last.parts.some((part) => "toolCallId" in part && part.state === "approval-requested");
}

/**
 * Returns the decision for a response. A `reason` that is the id of an option selects this option. Otherwise the only
 * option that allows or rejects once is selected.
 *
 * @throws Error if the question offers no single option that allows once
 */
export function decisionFor(
  question: PendingPermission,
  { approved, reason }: Responded,
): { readonly decision: PermissionDecision; readonly answer: Answer } {
  const named = question.options.find(({ optionId }) => optionId === reason);
  if (named) {
    const answer = `${named.kind}`.startsWith("reject") ? "denied" : "allowed";
    return { decision: { outcome: "selected", optionId: named.optionId }, answer };
  }
  if (!approved) return { decision: rejectOnce(question), answer: "denied" };
  const decision = allowOnce(question);
  if (decision.outcome === "selected") return { decision, answer: "allowed" };
  const ids = question.options.map(({ optionId }) => optionId).join(", ");
  throw new Error(`No single option allows "${question.title}" once. Pass the id of an option as the reason: ${ids}.`);
}

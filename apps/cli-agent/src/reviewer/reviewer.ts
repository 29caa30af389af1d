import type { ContentBlock } from "@turnkit/agent";
import type { ConversationItem, Model, ModelPart, ToolOutput } from "../model.js";
import { review } from "./script.js";

/**
 * Model that needs no network: it follows a script and asks for the same tools as a language model.
 *
 * It keeps no state between requests. Each request replays the script silently on the outputs in the conversation, and
 * streams from the first new step.
 */
export const reviewer: Model = {
  id: "reviewer",
  name: "Offline reviewer (oxlint)",
  async *respond({ conversation, signal }): AsyncGenerator<ModelPart> {
    const { prompt, steps } = currentTurn(conversation);
    const script = review(prompt);
    let news: ModelPart[] = [];
    for (let step = script.next(); ; ) {
      signal.throwIfAborted();
      if (step.done) {
        yield* news;
        yield { type: "finish", finishReason: "stop" };
        return;
      }
      if (step.value.type !== "call") {
        news.push({ type: step.value.type === "say" ? "text-delta" : "reasoning-delta", text: step.value.text });
        step = script.next([]);
        continue;
      }
      const outputs = steps.shift();
      if (outputs === undefined) {
        yield* news;
        const first = conversation.length;
        for (const [index, call] of step.value.calls.entries()) {
          yield { type: "tool-call", toolCallId: `reviewer-${first}-${index}`, ...call };
        }
        yield { type: "finish", finishReason: "tool-calls" };
        return;
      }
      news = [];
      step = script.next(outputs);
    }
  },
};

/** Returns the last prompt, and the outputs of the tools since, step by step. */
function currentTurn(conversation: readonly ConversationItem[]): {
  prompt: readonly ContentBlock[];
  steps: (readonly ToolOutput[])[];
} {
  const start = conversation.findLastIndex(({ role }) => role === "user");
  const item = conversation[start];
  return {
    prompt: item?.role === "user" ? item.content : [],
    steps: conversation
      .slice(start + 1)
      .flatMap((next) => (next.role === "tool" ? [next.content.map(({ output }) => output)] : [])),
  };
}

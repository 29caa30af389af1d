import type { ErrorObject, SessionEvent, StopReason, TokenUsage } from "@turnkit/session";
import type { Page, Span } from "./page.js";

/** Shows how a turn ended and what it cost. */
export interface EndingRenderer {
  started(): void;
  ended(end: { stopReason?: StopReason | null; error?: ErrorObject | null; usage?: TokenUsage | null }): void;
  usage(event: Extract<SessionEvent, { type: "usage_update" }>): void;
}

/** Makes an {@link EndingRenderer}. Usage changes all the time; it is shown once, with the end. */
export function createEndingRenderer(page: Page): EndingRenderer {
  let reported = false;
  let context: string[] = [];
  return {
    started() {
      reported = false;
    },
    ended({ stopReason, error, usage }) {
      // Some dialects tell the end twice: by the state, and by the answer to the prompt.
      if (reported || (stopReason == null && error == null)) return;
      reported = true;
      page.section("end");
      if (error != null) showError(page, error);
      if (stopReason != null) page.line(...stopLine(stopReason));
      const facts = [...(usage == null ? [] : tokens(usage)), ...context];
      if (facts.length > 0) page.line(["dim", `  ${facts.join(", ")}`]);
    },
    usage({ used, size, cost }) {
      const share = size > 0 ? ` (${Math.round((used / size) * 100)} %)` : "";
      context = [`context ${used} of ${size} tokens${share}`];
      if (cost != null) context.push(`cost ${cost.amount} ${cost.currency}`);
    },
  };
}

/** The rest of a message of several lines, such as the last words of an agent that died, stands below the first. */
function showError(page: Page, { message, code }: ErrorObject): void {
  const [first = "", ...rest] = message.split("\n");
  page.line(["red", `■ Failed: ${first}`], ["dim", ` (code ${code})`]);
  if (rest.length > 0) page.block(rest.join("\n"), { limit: 20 });
}

function stopLine(stopReason: StopReason): Span[] {
  const note = {
    refusal: " (the agent refused; this prompt is not part of the conversation)",
    max_tokens: " (the limit of tokens was reached)",
    max_turn_requests: " (the limit of model requests was reached)",
  }[String(stopReason)];
  return [[stopReason === "end_turn" ? "green" : "yellow", `■ Stop reason: ${String(stopReason)}`], note ?? ""];
}

function tokens({ totalTokens, inputTokens, outputTokens }: TokenUsage): string[] {
  return [`${totalTokens} tokens (${inputTokens} in, ${outputTokens} out)`];
}

import type { ErrorObject, SessionEvent, StopReason, TokenUsage } from "@turnkit/session";
import { AUTH_REQUIRED } from "../exit-code.js";
import { showControls } from "../sanitise.js";
import type { RenderContext } from "./context.js";
import { costText } from "./cost.js";
import { blockLines, inStyle, type Line, shortened } from "./line.js";
import type { Page } from "./page.js";

export type ShownEnd = { readonly stopReason?: StopReason | null; readonly error?: ErrorObject | null };

const reasons: Readonly<Record<string, { readonly log?: string; readonly screen: string }>> = {
  cancelled: { screen: "Cancelled." },
  refusal: {
    log: "the agent refused; this prompt is not part of the conversation",
    screen: "The agent refused; this prompt is not part of the conversation.",
  },
  max_tokens: { log: "the limit of tokens was reached", screen: "It stopped at the limit of tokens." },
  max_turn_requests: {
    log: "the limit of model requests was reached",
    screen: "It stopped at the limit of requests to its model.",
  },
};

// At its start, the interactive client asks for a login only if the agent requires it for sessions. A run with `-p`
// also asks if the agent requires a login for prompts.
const LOGIN_ADVICE =
  "The agent wants a login. If its message names no other way, end turnkit, and run it once with -p on a terminal.";

/** Returns the code of an error for people. The code of an internal error says nothing. */
const codeText = (code: number): string => (code === INTERNAL_ERROR ? "" : ` (code ${code})`);
const INTERNAL_ERROR = -32603;

/**
 * Returns the lines for the end of a turn. A log always shows the stop reason. A screen does not show an ordinary end.
 */
export function endingLines(ending: ShownEnd, context: RenderContext): readonly Line[] {
  return context.detail === "log" ? loggedEnd(ending) : shownEnd(ending, context);
}

/**
 * Creates a log of the ends of turns, with their usage and cost. Usage changes often, so only the last value before the
 * end is shown.
 */
export function createEndingRenderer(page: Page, context: RenderContext) {
  let reported = false;
  let sizes: string[] = [];
  return {
    started(): void {
      reported = false;
    },
    ended({ usage, ...ending }: ShownEnd & { readonly usage?: TokenUsage | null }): void {
      // Some dialects report the end of a turn twice: by the state, and by the answer to the prompt.
      if (reported || (ending.stopReason == null && ending.error == null)) return;
      reported = true;
      page.section("end");
      page.lines(endingLines(ending, context));
      const facts = [...(usage == null ? [] : [tokens(usage)]), ...sizes];
      if (facts.length > 0) page.line(["dim", `  ${facts.join(", ")}`]);
    },
    usage({ used, size, cost }: Extract<SessionEvent, { type: "usage_update" }>): void {
      const share = size > 0 ? ` (${Math.round((used / size) * 100)} %)` : "";
      sizes = [`context ${used} of ${size} tokens${share}`];
      if (cost != null) sizes.push(`cost ${costText(cost)}`);
    },
  };
}

function loggedEnd({ stopReason, error }: ShownEnd): readonly Line[] {
  const lines: Line[] = [];
  if (error != null) {
    const [first = "", ...rest] = error.message.split("\n");
    lines.push([
      ["red", shortened(`■ Failed: ${first}`)],
      ["dim", codeText(error.code)],
    ]);
    // The last output of an agent that died has several lines.
    if (rest.length > 0) lines.push(...blockLines(rest.join("\n"), { limit: 20 }));
  }
  if (stopReason == null) return lines;
  const note = reasons[String(stopReason)]?.log;
  const style = stopReason === "end_turn" ? "green" : "yellow";
  return [
    ...lines,
    [[style, shortened(`■ Stop reason: ${String(stopReason)}`)], note === undefined ? "" : ` (${note})`],
  ];
}

function shownEnd({ stopReason, error }: ShownEnd, { width, layout }: RenderContext): readonly Line[] {
  if (error != null) {
    const lines = layout.wrapText(showControls(`■ Failed: ${error.message}${codeText(error.code)}`), width, {
      rest: ["  "],
    });
    const advice = error.code === AUTH_REQUIRED ? layout.wrap([LOGIN_ADVICE], width, { first: ["  "] }) : [];
    return [[], ...lines.map((line) => inStyle(line, "red")), ...advice];
  }
  const reason = earlyEnd(stopReason);
  return reason === undefined ? [] : [[], ...layout.wrap([["yellow", `■ ${reason}`]], width)];
}

/** Returns a sentence for a turn that ended early. Returns `undefined` for an ordinary end. */
export function earlyEnd(stopReason: StopReason | null | undefined): string | undefined {
  if (stopReason == null || stopReason === "end_turn") return undefined;
  return reasons[String(stopReason)]?.screen ?? `It stopped: ${String(stopReason)}`;
}

function tokens({ totalTokens, inputTokens, outputTokens }: TokenUsage): string {
  return `${totalTokens} tokens (${inputTokens} in, ${outputTokens} out)`;
}

import type { TurnOutcome } from "@turnkit/session";
import { showControls } from "../../sanitise.js";
import { type Line, withStyle } from "../text/line.js";
import { wrap, wrapText } from "../text/wrap.js";

const reasons: Readonly<Record<string, string>> = {
  cancelled: "Cancelled.",
  refusal: "The agent refused; this prompt is not part of the conversation.",
  max_tokens: "It stopped at the limit of tokens.",
  max_turn_requests: "It stopped at the limit of requests to its model.",
};

const LOGIN_NEEDED = -32000;
// Started again it would ask for a login where a session needs one; one prompt does where only prompts do, too.
const LOGIN_ADVICE = "It wants a login: end turnkit, and run it once with -p on a terminal to log in.";

/** How a turn ended, where that is worth a line: the ordinary end is not. */
export function endingLines({ stopReason, error }: TurnOutcome, width: number): readonly Line[] {
  if (error !== undefined) {
    const lines = wrapText(showControls(`■ Failed: ${error.message} (code ${error.code})`), width, { rest: ["  "] });
    const advice = error.code === LOGIN_NEEDED ? wrap([LOGIN_ADVICE], width, { first: ["  "] }) : [];
    return [[], ...lines.map((line): Line => line.map((span) => withStyle(span, "red"))), ...advice];
  }
  if (stopReason === undefined || stopReason === "end_turn") return [];
  return [[], ...wrap([["yellow", `■ ${reasons[String(stopReason)] ?? `It stopped: ${String(stopReason)}`}`]], width)];
}

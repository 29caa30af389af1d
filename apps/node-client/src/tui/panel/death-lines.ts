import type { Line } from "../../render/line.js";
import { clip, wrap } from "../../render/wrap.js";

/** Maximum number of lines of the agent's errors. The last ones are shown. */
const MAX_LINES = 6;

/** Returns the lines for an agent that has ended: the reason, the last lines of its errors, and the keys. */
export function deathLines(reason: string, isStarting: boolean, width: number): readonly Line[] {
  const [first = "", ...rest] = reason.trimEnd().split("\n");
  const errors = rest.slice(-MAX_LINES).map((line): Line => clip([["dim", `  ${line}`]], width));
  return [
    ...wrap([["red", `✗ The agent has ended: ${first}`]], width, { rest: ["  "] }),
    ...errors,
    ...wrap(
      [["yellow", isStarting ? "Starting the agent again …" : "Enter starts it again and restores the conversation."]],
      width,
    ),
  ];
}

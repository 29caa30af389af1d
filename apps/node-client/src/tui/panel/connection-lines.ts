import type { Line } from "../../render/line.js";
import { clip, wrap } from "../../render/wrap.js";

/** Maximum number of lines of the agent's errors. The last lines are shown. */
const MAX_LINES = 6;

export type ConnectionFacts = {
  /** `true` while a session is opened, and while the agent starts or is connected. */
  readonly isOpening?: boolean;
  /** `true` for an agent behind an address, which has no process here. */
  readonly isRemote?: boolean;
};

/** Returns the lines for an agent that has ended: the reason, the last lines of its errors, and the keys. */
export function deathLines(reason: string, { isOpening, isRemote }: ConnectionFacts, width: number): readonly Line[] {
  const [first = "", ...rest] = reason.trimEnd().split("\n");
  const errors = rest.slice(-MAX_LINES).map((line): Line => clip([["dim", `  ${line}`]], width));
  const [ended, again, starting] = isRemote
    ? (["The connection is lost", "connects", "Connecting again …"] as const)
    : (["The agent has ended", "starts it", "Starting the agent again …"] as const);
  const next = isOpening ? starting : `Enter ${again} again and restores the conversation.`;
  return [
    ...wrap([["red", `✗ ${ended}: ${first}`]], width, { rest: ["  "] }),
    ...errors,
    ...wrap([["yellow", next]], width),
  ];
}

/** Returns the message after an agent that had ended was started again. */
export function restoredText(isRemote: boolean): string {
  return `${isRemote ? "The connection is back" : "The agent runs again"}, and the conversation is restored.`;
}

/** Returns the lines for a cut of the connection to a remote agent, while this program repairs the connection. */
export function cutLines(cut: string, width: number): readonly Line[] {
  return wrap([["yellow", `◌ The connection is cut. ${cut}`]], width, { rest: ["  "] });
}

import { type MessageEntry, messageText, type SessionState } from "@turnkit/session";
import { PIECES, pieceOf } from "../gateway-kill/pieces.js";

/** Names of the prompts of a session about which clients got reports. */
export type ReportedPrompts = {
  /** Prompts that a gateway accepted. */
  readonly accepted: ReadonlySet<string>;
  /** Prompts whose turns ended without an error. */
  readonly ended: ReadonlySet<string>;
};

/**
 * Compares the states of new attachments, one at each gateway, with the reports that clients got. Returns a text for each
 * fault.
 */
export function historyFaults(
  states: readonly SessionState[],
  { accepted, ended }: ReportedPrompts,
): readonly string[] {
  const histories = states.map(saidIn);
  const faults: string[] = [];
  if (states.some(({ activity }) => activity.state !== "idle")) faults.push("a turn does not end");
  if (new Set(histories.map((said) => JSON.stringify(said))).size > 1)
    faults.push("the gateways show different histories");
  for (const said of histories) {
    for (const name of accepted) {
      const times = said.filter(([role, text]) => role === "user" && text === name).length;
      if (times !== 1) faults.push(`${name} is there ${times} times`);
    }
    const answers = said.filter(([role]) => role === "agent").map(([, text]) => text);
    for (const name of ended) {
      const pieces = Array.from({ length: PIECES }, (_, piece) => pieceOf(name, piece));
      if (answers.some((answer) => answer.includes(pieces.join("")))) continue;
      const there = pieces.flatMap((piece, at) => (answers.some((answer) => answer.includes(piece)) ? [at] : []));
      faults.push(`the answer to ${name} has only these of its ${PIECES} pieces: ${there.join(" ")}`);
    }
  }
  return [...new Set(faults)];
}

function saidIn({ timeline }: SessionState): (readonly [string, string])[] {
  const messages = [...timeline].filter((entry): entry is MessageEntry => entry.type === "message");
  return messages.map((entry) => [entry.role, messageText(entry)] as const);
}

import type { SessionState, TerminalState } from "../../state.js";
import type { ToolCallContent } from "../../tool-call.js";
import type { StatesAround } from "../codec.js";
import type { Sending, ShownTerminals } from "./sending.js";
import { TAIL, terminalText } from "./terminal-text.js";

/** New output waits until it is a share of what has to be sent again with it, so that the whole stays proportional. */
const LEAST = 256;
const SHARE = 4;

const pairOf = (toolCallId: string, terminalId: string): string => JSON.stringify([toolCallId, terminalId]);
const outputOf = (terminal: TerminalState): number => terminal.droppedBytes + terminal.textBytes;

/** The text of a terminal in a tool call; `undefined` while there is nothing to see. Counts as sent. */
export function showTerminal(
  terminalId: string,
  toolCallId: string,
  after: SessionState | undefined,
  shown: ShownTerminals,
): ToolCallContent | undefined {
  const users = shown.users.get(terminalId);
  if (users === undefined) shown.users.set(terminalId, new Set([toolCallId]));
  else users.add(toolCallId);
  const terminal = after?.terminals.get(terminalId);
  if (terminal === undefined) return undefined;
  shown.sent.set(pairOf(toolCallId, terminalId), outputOf(terminal));
  const text = terminalText(terminal);
  return text === "" ? undefined : { type: "content", content: { type: "text", text } };
}

/** The tool calls whose content is due again because a terminal that they show changed. */
export function dueToolCalls(
  terminalId: string,
  { before, after }: StatesAround,
  { terminals }: Sending,
): readonly string[] {
  const terminal = after.terminals.get(terminalId);
  const old = before.terminals.get(terminalId);
  if (terminal === undefined || terminal === old) return [];
  const output = outputOf(terminal);
  const due: string[] = [];
  for (const toolCallId of terminals.users.get(terminalId) ?? []) {
    const sent = terminals.sent.get(pairOf(toolCallId, terminalId)) ?? 0;
    const anew = output < sent || old?.exitStatus !== terminal.exitStatus || old?.command !== terminal.command;
    if (anew || output - sent >= Math.max(LEAST, Math.min(sent, TAIL) / SHARE) || (sent === 0 && output > 0)) {
      due.push(toolCallId);
    }
  }
  return due;
}

/** Whether a tool call shows a terminal that put out more since. */
export function isBehind(toolCallId: string, after: SessionState, { users, sent }: ShownTerminals): boolean {
  for (const [terminalId, toolCallIds] of users) {
    const terminal = toolCallIds.has(toolCallId) ? after.terminals.get(terminalId) : undefined;
    if (terminal !== undefined && outputOf(terminal) !== sent.get(pairOf(toolCallId, terminalId))) return true;
  }
  return false;
}

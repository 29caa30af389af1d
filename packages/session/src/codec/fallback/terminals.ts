import type { SessionState, TerminalState } from "../../state.js";
import { toolCallKey } from "../../timeline.js";
import type { ToolCallContent } from "../../tool-call.js";
import type { StatesAround } from "../codec.js";
import type { ShownTerminals } from "./sending.js";

/**
 * Minimum size of new output before a text is sent again: `LEAST` bytes, and one part in `SHARE` of the text. The total of
 * the sent text then grows in proportion to the output.
 */
const LEAST = 256;
const SHARE = 4;

const outputOf = (terminal: TerminalState): number => terminal.droppedBytes + terminal.textBytes;

/**
 * Returns the text of a terminal in a tool call, and records that it was sent. Returns `undefined` for a terminal
 * without text.
 */
export function showTerminal(
  terminalId: string,
  toolCallId: string,
  after: SessionState | undefined,
  shown: ShownTerminals,
): ToolCallContent | undefined {
  const terminal = after?.terminals.get(terminalId);
  if (after !== undefined) noteShown(terminalId, toolCallId, after, shown);
  if (terminal === undefined) return undefined;
  const text = terminalText(terminal);
  return text === "" ? undefined : { type: "content", content: { type: "text", text } };
}

function noteShown(terminalId: string, toolCallId: string, after: SessionState, shown: ShownTerminals): void {
  const { users, sent } = shown;
  const isCall = (id: string): boolean => after.timeline.has(toolCallKey(id));
  const toolCalls = users.get(terminalId) ?? new Set();
  if (toolCalls.size === 0) users.set(terminalId, toolCalls, (id) => after.terminals.has(id));
  toolCalls.add(toolCallId);
  const terminal = after.terminals.get(terminalId);
  const outputs = sent.get(toolCallId) ?? new Map<string, number>();
  if (outputs.size === 0) sent.set(toolCallId, outputs, isCall);
  // If the terminal does not exist yet, nothing of it was sent.
  outputs.set(terminalId, terminal === undefined ? 0 : outputOf(terminal));
}

/** Removes the records of a tool call's terminals, because its content is written again. */
export function showNothing(toolCallId: string, { users, sent, behind }: ShownTerminals): void {
  for (const terminalId of sent.get(toolCallId)?.keys() ?? []) {
    const toolCalls = users.get(terminalId);
    toolCalls?.delete(toolCallId);
    if (toolCalls?.size === 0) users.delete(terminalId);
  }
  sent.delete(toolCallId);
  behind.delete(toolCallId);
}

/** Returns the tool calls that contain a changed terminal and have to be sent again. */
export function dueToolCalls(
  terminalId: string,
  { before, after }: StatesAround,
  shown: ShownTerminals,
): readonly string[] {
  const { users, sent, behind } = shown;
  const terminal = after.terminals.get(terminalId);
  const old = before.terminals.get(terminalId);
  if (terminal === undefined || terminal === old) return [];
  const output = outputOf(terminal);
  const due: string[] = [];
  for (const toolCallId of users.get(terminalId) ?? []) {
    if (!after.timeline.has(toolCallKey(toolCallId))) {
      showNothing(toolCallId, shown);
      continue;
    }
    const had = sent.get(toolCallId)?.get(terminalId) ?? 0;
    const anew = output < had || old?.exitStatus !== terminal.exitStatus || old?.command !== terminal.command;
    const isEnough = output - had >= Math.max(LEAST, Math.min(had, TAIL) / SHARE) || (had === 0 && output > 0);
    if (anew || isEnough) due.push(toolCallId);
    else if (output !== had) behind.set(toolCallId, true, (id) => after.timeline.has(toolCallKey(id)));
  }
  return due;
}

/** Returns `true` if a tool call contains a terminal with output that was not sent. */
export function isBehind(toolCallId: string, after: SessionState, { sent, behind }: ShownTerminals): boolean {
  if (!behind.has(toolCallId)) return false;
  for (const [terminalId, had] of sent.get(toolCallId) ?? []) {
    const terminal = after.terminals.get(terminalId);
    if (terminal !== undefined && outputOf(terminal) !== had) return true;
  }
  return false;
}

/** Maximum number of characters of a terminal's output that are sent. The newest characters are sent. */
export const TAIL = 16_384;

/**
 * Returns a terminal as text: the command, the newest output, and the exit status. Before the first output, the text is
 * empty.
 */
export function terminalText({ command, text, droppedBytes, exitStatus }: TerminalState): string {
  const parts: string[] = [];
  if (command !== undefined) parts.push(`$ ${plainText(command)}`);
  const shown = tailOf(text);
  const output = plainText(shown);
  if (output !== "") parts.push(shown.length < text.length || droppedBytes > 0 ? `…\n${output}` : output);
  if (exitStatus !== undefined) parts.push(endOf(exitStatus));
  return parts.map((part, index) => (index === 0 || parts[index - 1]?.endsWith("\n") ? part : `\n${part}`)).join("");
}

function endOf({ exitCode, signal }: NonNullable<TerminalState["exitStatus"]>): string {
  if (typeof signal === "string") return `[ended by ${plainText(signal)}]`;
  return typeof exitCode === "number" ? `[exit code ${exitCode}]` : "[ended]";
}

/** Returns the newest characters. If they contain the start of a line, the text begins there. */
function tailOf(text: string): string {
  if (text.length <= TAIL) return text;
  const tail = text.slice(-TAIL);
  const line = tail.indexOf("\n");
  if (line >= 0 && line < TAIL - 1) return tail.slice(line + 1);
  const first = tail.charCodeAt(0);
  return first >= 0xdc00 && first < 0xe000 ? tail.slice(1) : tail;
}

/** String sequence up to its end mark, or up to the next escape character if there is no mark. */
const STRING_SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control sequences.
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control sequences.
const SEQUENCE = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Returns the text without control sequences. If a line was overwritten, its last version is returned. */
function plainText(text: string): string {
  const said = text.replace(STRING_SEQUENCE, "").replace(SEQUENCE, "").replaceAll("\r\n", "\n");
  const lines = said.includes("\r") ? said.split("\n").map(lastWritten).join("\n") : said;
  return lines.replace(CONTROL, "");
}

function lastWritten(line: string): string {
  const written = line.endsWith("\r") ? line.slice(0, -1) : line;
  return written.slice(written.lastIndexOf("\r") + 1);
}

import type { TerminalState } from "../../state.js";

/** Number of the newest characters of a terminal that are sent. */
export const TAIL = 16_384;

/** Renders a terminal as text: command, recent output, exit status. Returns an empty string before the first output. */
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

/** Returns the newest characters, from the beginning of a line if there is one. */
function tailOf(text: string): string {
  if (text.length <= TAIL) return text;
  const tail = text.slice(-TAIL);
  const line = tail.indexOf("\n");
  if (line >= 0 && line < TAIL - 1) return tail.slice(line + 1);
  const first = tail.charCodeAt(0);
  return first >= 0xdc00 && first < 0xe000 ? tail.slice(1) : tail;
}

const STRING_SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences are what has to go.
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences are what has to go.
const SEQUENCE = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what has to go.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Returns the text without control sequences. An overwritten line becomes its last version. */
function plainText(text: string): string {
  const said = text.replace(STRING_SEQUENCE, "").replace(SEQUENCE, "").replaceAll("\r\n", "\n");
  const lines = said.includes("\r") ? said.split("\n").map(lastWritten).join("\n") : said;
  return lines.replace(CONTROL, "");
}

function lastWritten(line: string): string {
  const written = line.endsWith("\r") ? line.slice(0, -1) : line;
  return written.slice(written.lastIndexOf("\r") + 1);
}

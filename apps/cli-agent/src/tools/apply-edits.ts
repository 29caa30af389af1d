import type { TextEdit } from "../lint/edits.js";
import { ToolError } from "./tool.js";

/**
 * The text after all edits. Each is looked up in the text as it is now, not in what the edits before it made of it. In
 * a text whose lines all end in CRLF an edit that is written with LF alone means CRLF: models write LF.
 *
 * @throws ToolError `no_match` if an old text is missing, occurs twice or overlaps another.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const isCrlf = text.includes("\r\n") && !/(?<!\r)\n/.test(text);
  const spans = edits.map((given) => {
    // Whoever writes the old line ends as they are means the new ones as they are, too.
    const edit = isCrlf && !given.oldText.includes("\r") ? withCrlf(given) : given;
    return { ...edit, start: findOnce(text, edit.oldText) };
  });
  spans.sort((a, b) => a.start - b.start);
  let result = "";
  let at = 0;
  for (const { start, oldText, newText } of spans) {
    if (start < at) throw new ToolError("no_match", `Two edits overlap at ${quote(oldText)}.`);
    result += text.slice(at, start) + newText;
    at = start + oldText.length;
  }
  return result + text.slice(at);
}

function withCrlf({ oldText, newText }: TextEdit): TextEdit {
  const crlf = (text: string) => text.replace(/\r?\n/g, "\r\n");
  return { oldText: crlf(oldText), newText: crlf(newText) };
}

function findOnce(text: string, oldText: string): number {
  // An empty file is the one place where "nothing" occurs exactly once.
  if (oldText === "" && text !== "") throw new ToolError("no_match", "The text to replace is empty.");
  const start = text.indexOf(oldText);
  if (start < 0) throw new ToolError("no_match", `The file does not contain ${quote(oldText)}.`);
  if (oldText !== "" && text.indexOf(oldText, start + 1) >= 0) {
    throw new ToolError("no_match", `The file contains ${quote(oldText)} more than once: add the lines around it.`);
  }
  return start;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

import { ToolError } from "../errors.js";
import type { TextEdit } from "../lint/edits.js";
import { describeNearest } from "./nearest-lines.js";
import { allowsEdits, placesIn } from "./text-places.js";

/** Edit of a text. Without `replaceAll`, its `oldText` must occur exactly once. */
type Edit = TextEdit & { readonly replaceAll?: boolean };

type Span = TextEdit & { readonly start: number };

/** Maximum number of places that one edit replaces, and of places that an error names. */
const MAX_PLACES = 10_000;
const MAX_NAMED = 5;

/**
 * Returns the text after all edits. Every `oldText` is searched in the original text, so an edit cannot match the
 * result of another edit. Models write LF. If the text has only CRLF line ends, the line ends of the edit become CRLF.
 *
 * @throws ToolError
 * - `no_match` if an `oldText` is missing, occurs twice without `replaceAll`, or overlaps another `oldText`. The message
 *   has the closest lines, or the lines of the places
 * - `invalid_input` for more edits than {@link allowsEdits} allows
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  if (!allowsEdits(text, edits.length)) {
    throw new ToolError("invalid_input", `${edits.length} edits are too many for so long a file: use several calls.`);
  }
  const isCrlf = text.includes("\r\n") && !/(?<!\r)\n/.test(text);
  const spans = edits.flatMap((given): Span[] => {
    // If the model wrote CR in an `oldText`, its line ends are deliberate.
    const edit = isCrlf && !given.oldText.includes("\r") ? withCrlf(given) : given;
    return placesOf(text, edit).map((start) => ({ ...edit, start }));
  });
  spans.sort((a, b) => a.start - b.start);
  const parts: string[] = [];
  let at = 0;
  for (const { start, oldText, newText } of spans) {
    if (start < at) throw new ToolError("no_match", `Two edits overlap at ${quote(oldText)}.`);
    parts.push(text.slice(at, start), newText);
    at = start + oldText.length;
  }
  return parts.join("") + text.slice(at);
}

function withCrlf({ oldText, newText, ...more }: Edit): Edit {
  const crlf = (text: string) => text.replace(/\r?\n/g, "\r\n");
  return { ...more, oldText: crlf(oldText), newText: crlf(newText) };
}

function placesOf(text: string, { oldText, replaceAll = false }: Edit): readonly number[] {
  // An empty `oldText` matches only an empty file.
  if (oldText === "" && text !== "") throw new ToolError("no_match", "The text to replace is empty.");
  if (oldText === "") return [0];
  const bounds = replaceAll ? { most: MAX_PLACES + 1 } : { most: 2, overlapping: true };
  const places = placesIn(text, oldText, bounds);
  if (places.length === 0) {
    const nearest = describeNearest(text, oldText);
    throw new ToolError("no_match", `The file does not contain ${quote(oldText)}.${nearest ? ` ${nearest}` : ""}`);
  }
  if (places.length > MAX_PLACES) {
    throw new ToolError("invalid_input", `The file contains ${quote(oldText)} more than ${MAX_PLACES} times.`);
  }
  if (!replaceAll && places.length > 1) {
    const found = placesIn(text, oldText, { most: MAX_NAMED + 1 });
    const lines = found.slice(0, MAX_NAMED).map((place) => text.slice(0, place).split("\n").length);
    const more = found.length > MAX_NAMED ? " and more" : "";
    const where = found.length > 1 ? ` (lines ${lines.join(", ")}${more})` : "";
    throw new ToolError(
      "no_match",
      `The file contains ${quote(oldText)} more than once${where}: add the lines around it, or set replaceAll.`,
    );
  }
  return places;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

import { redactSecrets, redactText } from "@turnkit/transport/trace";
import type { Entry } from "../entry.js";
import type { Evidence, EvidenceLine } from "./report.js";

/** Number of lines at each end of a conversation that are always shown. */
const ENDS = 40;
/** Longest text of one line, in characters. */
const LONGEST = 4_000;
/** Longest text of one message with its indentation, in characters. */
const INDENTED = 10 * LONGEST;

/**
 * Returns the lines of a conversation without secrets. Of a long conversation, only the start, the end and the marked
 * lines are returned.
 */
export function evidenceOf(entries: readonly Entry[], marked: readonly Entry[], stderr?: string): Evidence {
  const shown = entries.filter((entry, at) => at < ENDS || at >= entries.length - ENDS || marked.includes(entry));
  return {
    lines: shown.map((entry) => lineOf(entry, marked.includes(entry))),
    leftOut: entries.length - shown.length,
    ...(stderr && { stderr: redactText(stderr) }),
  };
}

function lineOf({ ms, by, frame, line }: Entry, marked: boolean): EvidenceLine {
  const content = line === undefined ? bounded(frame) : { line: redactText(line.slice(0, LONGEST)) };
  return { ms: Math.round(ms), by, ...content, ...(marked && { marked }) };
}

function bounded(frame: unknown): Pick<EvidenceLine, "frame" | "line"> {
  const clean: unknown = redactSecrets(withShortTexts(frame));
  const text = JSON.stringify(clean) ?? "";
  // A deep message is short, and has many spaces in a report as JSON.
  const isShort = text.length <= LONGEST && (JSON.stringify(clean, null, 2) ?? "").length <= INDENTED;
  return isShort ? { frame: clean } : { line: `${text.slice(0, LONGEST)}… (${text.length} characters)` };
}

/** Returns a copy without the ends of long texts, because the redaction of many MiB takes seconds. */
function withShortTexts(frame: unknown): unknown {
  const text = JSON.stringify(frame, (_, value: unknown) =>
    typeof value === "string" ? value.slice(0, LONGEST) : value,
  );
  return text === undefined ? frame : JSON.parse(text);
}

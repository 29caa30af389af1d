import type { Diff, SessionState, ToolCallContent, ToolCallEntry } from "@turnkit/session";
import { blockText } from "../../render/content-block.js";
import { renderDiff } from "../../render/diff.js";
import { moreLines } from "../../render/page.js";
import { placeText, statusLooks } from "../../render/tool-call.js";
import { sanitise } from "../../sanitise.js";
import { linesOf } from "../text/capture-page.js";
import type { Line } from "../text/line.js";
import { clip, wrap, wrapText } from "../text/wrap.js";
import { terminalLines } from "./terminal-lines.js";

/** Where and how entries are drawn. */
export type EntryPlace = {
  readonly width: number;
  /** Paths inside it are shown relative to it. */
  readonly directory: string;
  /** `short`: a beginning of what is long; `full`: all of it, as far as a screen can be scrolled. */
  readonly detail: "short" | "full";
};

/** Lines of one part of a call that are shown at most. */
const LIMITS = {
  short: { diff: 24, text: 8, terminal: 8, command: 2, input: 0 },
  full: { diff: 2000, text: 2000, terminal: 2000, command: 2000, input: 200 },
} as const;
/** No screen shows so much text in so few lines; the rest is not even looked at. In characters. */
const MAX_TEXT = 256 * 1024;

/** A tool call: what it does and how far it is, then what it brings. */
export function toolCallLines(entry: ToolCallEntry, state: SessionState, place: EntryPlace): readonly Line[] {
  const limits = LIMITS[place.detail];
  const lines: Line[] = [...headLines(entry, place)];
  if (limits.input > 0) lines.push(...inputLines(entry, place));
  for (const content of entry.content) lines.push(...contentLines(content, state, place));
  return lines;
}

function headLines(entry: ToolCallEntry, { width, directory, detail }: EntryPlace): readonly Line[] {
  const status = String(entry.status);
  const [mark, style] = statusLooks[status] ?? (["•", "plain"] as const);
  const title = entry.title ?? entry.name ?? entry.toolCallId;
  // Titles often name the file already.
  const places = entry.locations.map((one) => placeText(one, directory)).filter((one) => !title.includes(one));
  const where = `${places.slice(0, 3).join(", ")}${places.length > 3 ? ", …" : ""}`;
  const line: Line = [
    ...([[style, `${mark} `], ["bold", String(entry.kind)], ` ${title}`] as const),
    ...(where === "" ? [] : [["dim", `  ${where}`] as const]),
    ...(status === "completed" ? [] : [[style, `  ${status.replaceAll("_", " ")}`] as const]),
  ];
  return detail === "full" ? wrap(line, width, { rest: ["  "] }) : [clip(line, width)];
}

function contentLines(content: ToolCallContent, state: SessionState, place: EntryPlace): readonly Line[] {
  const { width, detail } = place;
  const limits = LIMITS[detail];
  switch (content.type) {
    case "diff":
      return diffLines(content as Diff, place);
    case "terminal": {
      const terminal = state.terminals.get((content as Extract<ToolCallContent, { type: "terminal" }>).terminalId);
      return terminal === undefined
        ? []
        : terminalLines(terminal, { width, lines: limits.terminal, commandLines: limits.command });
    }
    case "content":
      return gutterLines(blockText((content as Extract<ToolCallContent, { type: "content" }>).content), {
        width,
        limit: limits.text,
      });
    default:
      return [[["dim", `  [content of the unknown type "${String(content.type)}"]`]]];
  }
}

/** Text in a gutter; of what is too long the beginning. */
export function gutterLines(
  text: string,
  { width, limit }: { readonly width: number; readonly limit: number },
): readonly Line[] {
  const lines = wrapText(sanitise(text.slice(0, MAX_TEXT)).replace(/^\n+|\n+$/g, ""), width, {
    first: [["dim", "  │ "]],
    at: "width",
  });
  if (lines.length <= limit) return lines;
  return [...lines.slice(0, limit), [["dim", `  │ ${moreLines(lines.length - limit)}`]]];
}

const drawn = new WeakMap<Diff, readonly Line[]>();

function diffLines(diff: Diff, { width, directory, detail }: EntryPlace): readonly Line[] {
  const all = drawn.get(diff) ?? linesOf((page) => renderDiff(page, diff, directory));
  drawn.set(diff, all); // comparing two texts takes long, and a call is drawn with every frame while it runs
  const limit = LIMITS[detail].diff;
  const lines = all.slice(0, limit).flatMap((line) => wrap(line, width, { rest: ["    "], at: "width" }));
  return all.length > limit ? [...lines, [["dim", `  ${moreLines(all.length - limit)}`]]] : lines;
}

function inputLines({ rawInput, rawOutput, content }: ToolCallEntry, { width }: EntryPlace): readonly Line[] {
  const part = (name: string, value: unknown): readonly Line[] => {
    const text = typeof value === "string" ? value : (JSON.stringify(value, undefined, 1) ?? "");
    if (value == null || text.length <= 2) return [];
    return [[["dim", `  ${name}`]], ...gutterLines(text, { width, limit: LIMITS.full.input })];
  };
  // A diff says it better than the input that it was made from.
  const hasDiff = [...content].some(({ type }) => type === "diff");
  return [...(hasDiff ? [] : part("input", rawInput)), ...(content.length > 0 ? [] : part("output", rawOutput))];
}

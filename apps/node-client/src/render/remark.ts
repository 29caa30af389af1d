import type { Entry, SessionEvent } from "@turnkit/session";
import { jsonText } from "../output/safe-json.js";
import { sanitise } from "../sanitise.js";
import { blockText } from "./content-block.js";
import { gutterLines, type RenderContext } from "./context.js";
import { blockLines, type Line, shortened } from "./line.js";
import type { Style } from "./style.js";

type EntryOf<T extends Entry["type"]> = Extract<Entry, { type: T }>;

export type Notice = {
  readonly severity: unknown;
  readonly title: string;
  readonly description?: string | null;
};

export type Compaction = { readonly status?: unknown; readonly error?: string | null };

export function noticeLines({ severity, title, description }: Notice, context: RenderContext): readonly Line[] {
  const { width, detail, layout } = context;
  const style: Style = severity === "error" ? "red" : severity === "warning" ? "yellow" : "cyan";
  if (detail === "log") {
    const head: Line = [[style, shortened(`! ${String(severity)}: ${title}`)]];
    return description == null ? [head] : [head, ...blockLines(description, { limit: 10 })];
  }
  const head = layout.wrap([[style, `! ${title}`]], width, { rest: ["  "] });
  return description == null ? head : [...head, ...gutterLines(description, context, 20)];
}

/** Returns a notice or the failure of a compaction as one text; `undefined` for other events. */
export function noticeText(event: SessionEvent): string | undefined {
  if (event.type === "compaction_update" && event.error != null) {
    return `The agent could not compact what it remembers: ${event.error}`;
  }
  if (event.type !== "notice") return undefined;
  const { title, description } = event;
  return description == null || description === "" ? title : `${title}: ${description}`;
}

export function compactionLines(
  { status, error }: Compaction,
  { width, detail, layout }: RenderContext,
): readonly Line[] {
  const word = String(status).replaceAll("_", " ");
  if (detail === "log") {
    const head: Line = [["dim", shortened(`Compaction of the context: ${word}`)]];
    return error == null ? [head] : [head, ...blockLines(error, { limit: 10 })];
  }
  const head: Line = [["dim", `~ The agent compacts what it remembers: ${word}`]];
  return error == null ? [head] : [head, ...layout.wrapText(sanitise(error), width, { first: ["  "] })];
}

/** Returns the summary of a compaction. With `short` there is none. */
export function summaryLines({ summary }: EntryOf<"compaction">, context: RenderContext): readonly Line[] {
  const text = context.detail === "full" ? [...summary].map(blockText).join("") : "";
  return text === "" ? [] : gutterLines(text, context, 2000);
}

export function sessionMessageLines(entry: EntryOf<"session_message">, context: RenderContext): readonly Line[] {
  const { senderSessionId, recipientSessionId, content } = entry;
  const who = senderSessionId === undefined ? `to ${recipientSessionId}` : `from ${senderSessionId}`;
  const text = [...content].map(blockText).join("");
  const limit = context.detail === "full" ? 2000 : 8;
  return [[["magenta", `@ Message ${who}`]], ...gutterLines(text, context, limit)];
}

export function unknownLines(raw: unknown, { width, detail, layout }: RenderContext): readonly Line[] {
  const text = `An update of an unknown type: ${jsonText(raw).slice(0, 200)}`;
  return detail === "log" ? [[["dim", text]]] : layout.wrap([["dim", `? ${text}`]], width);
}

/** Returns a line with the number of entries that the state has dropped. */
export function trimmedLines({ messages, toolCalls, others }: EntryOf<"trimmed">): readonly Line[] {
  return [[["dim", `… ${messages + toolCalls + others} older entries are not kept`]]];
}

import type {
  Diff,
  SessionEvent,
  SessionState,
  ToolCallContent,
  ToolCallEntry,
  ToolCallLocation,
  ToolCallPatch,
} from "@turnkit/session";
import { jsonText } from "../output/safe-json.js";
import { oneLine } from "../sanitise.js";
import { sha256 } from "../sha256.js";
import { blockText } from "./content-block.js";
import { gutterLines, type RenderContext } from "./context.js";
import { diffLines } from "./diff.js";
import { displayPath } from "./display-path.js";
import { unfenced } from "./fence.js";
import { type Line, moreLines, type Span, withAddress } from "./line.js";
import type { Page } from "./page.js";
import type { Style } from "./style.js";
import { terminalLines } from "./terminal.js";

type Head = Pick<LoggedCall, "kind" | "title" | "locations"> & { readonly status: string };

const statusLooks: ReadonlyMap<string, readonly [mark: string, style: Style]> = new Map([
  ["pending", ["○", "dim"]],
  ["in_progress", ["◐", "cyan"]],
  ["paused", ["◌", "yellow"]],
  ["completed", ["✓", "green"]],
  ["failed", ["✗", "red"]],
  ["cancelled", ["⊘", "yellow"]],
  ["interrupted", ["⊘", "yellow"]],
]);

export function isEnded({ status }: Pick<ToolCallEntry, "status">): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** Maximum numbers of lines for the parts of a tool call. */
const LIMITS = {
  log: { diff: 2000, text: 40, terminal: 0, command: 0, input: 0 },
  short: { diff: 24, text: 8, terminal: 8, command: 2, input: 0 },
  full: { diff: 2000, text: 2000, terminal: 2000, command: 2000, input: 200 },
} as const;

/** Returns the lines of a tool call on a screen: its status, then its input and output. */
export function toolCallLines(entry: ToolCallEntry, state: SessionState, context: RenderContext): readonly Line[] {
  const { width, detail, layout } = context;
  const title = entry.title ?? entry.name ?? entry.toolCallId;
  // The agent of a closed session reports no end of its calls.
  const status = state.closed && !isEnded(entry) ? "interrupted" : String(entry.status);
  const head = headLine({ ...entry, status, kind: String(entry.kind), title }, context);
  const lines = detail === "full" ? [...layout.wrap(head, width, { rest: ["  "] })] : [layout.clip(head, width)];
  if (LIMITS[detail].input > 0) lines.push(...inputLines(entry, context));
  for (const content of entry.content) lines.push(...contentLines(content, state, context));
  return lines;
}

/**
 * Maximum number of tool calls whose shown parts a log remembers. Beyond it, the call that began first is forgotten.
 */
const MAX_CALLS = 2_000;

export type ToolCallRenderer = ReturnType<typeof createToolCallRenderer>;

/**
 * Creates a log of tool calls, with a line for each new status. Each content is shown once. The log has its own copy of
 * the calls, because the session state may already contain later events.
 */
export function createToolCallRenderer(page: Page, context: RenderContext) {
  const calls = new Map<string, LoggedCall>();

  const find = (id: string): LoggedCall => {
    const known = calls.get(id);
    if (known !== undefined) return known;
    const made: LoggedCall = {
      ...{ title: id, kind: "other", locations: [], status: undefined, content: [] },
      ...{ texts: new Map(), seen: new Set(), chunks: 0 },
    };
    calls.set(id, made);
    const [oldest] = calls.keys();
    if (calls.size > MAX_CALLS && oldest !== undefined) calls.delete(oldest);
    return made;
  };
  const showContent = (call: LoggedCall, content: ToolCallContent, index: number, isDrawn = true) => {
    const print = sha256(jsonText(content));
    if (call.seen.has(print)) return;
    call.seen.add(print);
    if (!isDrawn) return;
    if (content.type === "diff") return page.lines(diffLines(content, context.directory));
    if (content.type !== "content") return; // the terminal renderer shows terminals
    const text = unfenced(blockText(content.content));
    const before = call.texts.get(index) ?? "";
    call.texts.set(index, text);
    const added = text.startsWith(before) ? text.slice(before.length) : text;
    if (added.trim() !== "") page.block(added.replace(/^\n/, ""), { gutter: "  | ", limit: LIMITS.log.text });
  };

  return {
    /** Shows an update of a call. Without `hasContent` only its line is shown, because a question shows the content. */
    update(patch: ToolCallPatch, hasContent = true): void {
      const call = find(patch.toolCallId);
      call.name = patch.name ?? call.name;
      call.rawInput = patch.rawInput ?? call.rawInput;
      call.content = patch.content ?? call.content;
      call.title = patch.title ?? (call.title === patch.toolCallId ? (patch.name ?? call.title) : call.title);
      call.kind = String(patch.kind ?? call.kind);
      call.locations = patch.locations ?? call.locations;
      const status = String(patch.status ?? call.status ?? "pending");
      const content = patch.content ?? [];
      if (status !== call.status || content.length > 0) page.section("tools");
      // Only the first line of a call has its locations.
      const locations = call.status === undefined ? call.locations : [];
      if (status !== call.status) page.line(...headLine({ ...call, status, locations }, context));
      call.status = status;
      for (const [index, item] of content.entries()) showContent(call, item, index, hasContent);
    },
    chunk({ toolCallId, content }: Extract<SessionEvent, { type: "tool_call_content_chunk" }>): void {
      const call = find(toolCallId);
      page.section("tools");
      call.content = [...call.content, content];
      call.chunks -= 1; // negative indexes, so that a chunk is never taken for a longer version of another text
      showContent(call, content, call.chunks);
    },
    describe: (id: string): CoveredCall => find(id),
  };
}

/** Parts of a tool call that a permission covers. */
export type CoveredCall = {
  readonly title?: string | null;
  readonly name?: string | null;
  readonly kind: unknown;
  readonly locations: readonly ToolCallLocation[];
  readonly rawInput?: unknown;
  readonly content: Iterable<ToolCallContent>;
};

type LoggedCall = {
  title: string;
  kind: string;
  name?: string | null | undefined;
  rawInput?: unknown;
  content: readonly ToolCallContent[];
  locations: readonly ToolCallLocation[];
  status: string | undefined;
  /** Texts by content index. If the agent repeats a text, only its new part is shown. */
  readonly texts: Map<number, string>;
  /** Hashes of the shown content, because each update may repeat all content. */
  readonly seen: Set<string>;
  chunks: number;
};

function headLine({ status, kind, title, locations }: Head, { directory, detail, files }: RenderContext): Line {
  const [mark, style] = statusLooks.get(status) ?? (["•", "plain"] as const);
  // Titles often contain the file name already.
  const places = locations
    .slice(0, 9)
    .map((one) => ({ ...one, text: placeText(one, directory) }))
    .filter(({ text }) => !title.includes(text));
  const where = places
    .slice(0, 3)
    .flatMap(({ path, line, text }, index): Span[] => [
      ["dim", index === 0 ? "  " : ", "],
      withAddress("dim", text, files?.address(path, line)),
    ]);
  const isLog = detail === "log";
  return [
    ...([[style, mark], " ", ["bold", kind], isLog ? "  " : " "] as const),
    ...(files?.spans(title) ?? [title]),
    ...where,
    ...(places.length > 3 ? [["dim", ", …"] as const] : []),
    ...(isLog || status !== "completed" ? [[style, `  ${status.replaceAll("_", " ")}`] as const] : []),
  ];
}

export function placeText({ path, line }: ToolCallLocation, directory: string): string {
  return `${displayPath(path, directory)}${line == null ? "" : `:${line}`}`;
}

function contentLines(content: ToolCallContent, state: SessionState, context: RenderContext): readonly Line[] {
  const limits = LIMITS[context.detail];
  switch (content.type) {
    case "diff":
      return wrappedDiff(content as Diff, context);
    case "terminal": {
      const terminal = state.terminals.get((content as Extract<ToolCallContent, { type: "terminal" }>).terminalId);
      return terminal === undefined
        ? []
        : terminalLines(terminal, context, { lines: limits.terminal, commandLines: limits.command });
    }
    case "content":
      return gutterLines(
        unfenced(blockText((content as Extract<ToolCallContent, { type: "content" }>).content)),
        context,
        limits.text,
      );
    case "session": {
      const { sessionId } = content as Extract<ToolCallContent, { type: "session" }>;
      const title = oneLine(state.subagents.get(sessionId)?.title ?? sessionId);
      return [context.layout.clip([["dim", `  ◇ ${title}`]], context.width)];
    }
    default:
      return [[["dim", `  [content of the unknown type "${String(content.type)}"]`]]];
  }
}

const drawn = new WeakMap<Diff, readonly Line[]>();

function wrappedDiff(diff: Diff, { width, directory, detail, layout }: RenderContext): readonly Line[] {
  const all = drawn.get(diff) ?? diffLines(diff, directory);
  drawn.set(diff, all); // comparing two texts takes long, and a running call is drawn with every frame
  const limit = LIMITS[detail].diff;
  const lines = all.slice(0, limit).flatMap((line) => layout.wrap(line, width, { rest: ["    "], at: "width" }));
  return all.length > limit ? [...lines, [["dim", `  ${moreLines(all.length - limit)}`]]] : lines;
}

function inputLines({ rawInput, rawOutput, content }: ToolCallEntry, context: RenderContext): readonly Line[] {
  const part = (name: string, value: unknown): readonly Line[] => {
    const text = typeof value === "string" ? value : jsonText(value, 1);
    if (value == null || text.length <= 2) return [];
    return [[["dim", `  ${name}`]], ...gutterLines(text, context, LIMITS.full.input)];
  };
  // A diff is easier to read than the input of the edit.
  const hasDiff = [...content].some(({ type }) => type === "diff");
  return [...(hasDiff ? [] : part("input", rawInput)), ...(content.length > 0 ? [] : part("output", rawOutput))];
}

import { createHash } from "node:crypto";
import type { SessionEvent, ToolCallContent, ToolCallLocation, ToolCallPatch } from "@turnkit/session";
import { blockText } from "./content-block.js";
import { renderDiff } from "./diff.js";
import { displayPath } from "./display-path.js";
import type { Page, Span } from "./page.js";
import type { Style } from "./style.js";

/** Shows tool calls: a line at first sight and at every change of the status, and what they bring, once. */
export interface ToolCallRenderer {
  update(patch: ToolCallPatch): void;
  chunk(event: Extract<SessionEvent, { type: "tool_call_content_chunk" }>): void;
  /** What a call that was shown already is about. */
  describe(toolCallId: string): { readonly kind: string; readonly title: string };
}

/** How a status looks; an unknown one has no look of its own. */
export const statusLooks: Readonly<Record<string, readonly [mark: string, style: Style]>> = {
  pending: ["○", "dim"],
  in_progress: ["◐", "cyan"],
  paused: ["◌", "yellow"],
  completed: ["✓", "green"],
  failed: ["✗", "red"],
  cancelled: ["⊘", "yellow"],
};
/** Lines of one text of a tool that are shown at most. */
const MAX_LINES = 40;

type Call = {
  title: string;
  kind: string;
  locations: readonly ToolCallLocation[];
  status: string | undefined;
  /** Texts by their place in the content, to show only what an agent that repeats the whole text has added. */
  readonly texts: Map<number, string>;
  /** What was shown already, since every update may repeat the whole content. */
  readonly seen: Set<string>;
  chunks: number;
};

/**
 * Makes a {@link ToolCallRenderer}. It remembers the calls by itself rather than reading the session's state, which is
 * folded at receipt and may be ahead of the event that is being shown.
 */
export function createToolCallRenderer(page: Page, directory: string): ToolCallRenderer {
  const calls = new Map<string, Call>();

  const find = (id: string): Call => {
    const known = calls.get(id);
    if (known !== undefined) return known;
    const made: Call = {
      ...{ title: id, kind: "other", locations: [], status: undefined },
      ...{ texts: new Map(), seen: new Set(), chunks: 0 },
    };
    calls.set(id, made);
    return made;
  };
  const showContent = (call: Call, content: ToolCallContent, index: number) => {
    const print = createHash("sha256").update(JSON.stringify(content)).digest("base64");
    if (call.seen.has(print)) return;
    call.seen.add(print);
    if (content.type === "diff") return renderDiff(page, content, directory);
    if (content.type !== "content") return; // a terminal shows itself, see terminal.ts
    const text = blockText(content.content);
    const before = call.texts.get(index) ?? "";
    call.texts.set(index, text);
    const added = text.startsWith(before) ? text.slice(before.length) : text;
    if (added.trim() !== "") page.block(added.replace(/^\n/, ""), { gutter: "  | ", limit: MAX_LINES });
  };

  return {
    update(patch) {
      const call = find(patch.toolCallId);
      call.title = patch.title ?? (call.title === patch.toolCallId ? (patch.name ?? call.title) : call.title);
      call.kind = String(patch.kind ?? call.kind);
      call.locations = patch.locations ?? call.locations;
      const status = String(patch.status ?? call.status ?? "pending");
      const content = patch.content ?? [];
      if (status !== call.status || content.length > 0) page.section("tools");
      if (status !== call.status) page.line(...statusLine(call, status, directory));
      call.status = status;
      for (const [index, item] of content.entries()) showContent(call, item, index);
    },
    chunk({ toolCallId, content }) {
      const call = find(toolCallId);
      page.section("tools");
      call.chunks -= 1; // own numbers, so that a chunk is never taken for a longer version of another text
      showContent(call, content, call.chunks);
    },
    describe: find,
  };
}

function statusLine(call: Call, status: string, directory: string): Span[] {
  const [mark, style] = statusLooks[status] ?? (["•", "plain"] as const);
  const head: Span[] = [[style, mark], " ", ["bold", call.kind], `  ${call.title}`];
  const places = call.status === undefined ? call.locations.map((place) => placeText(place, directory)) : [];
  // Titles often name the file already.
  const news = places.filter((place) => !call.title.includes(place));
  if (news.length > 0) head.push(["dim", `  ${news.slice(0, 3).join(", ")}${news.length > 3 ? ", …" : ""}`]);
  return [...head, [style, `  ${status.replaceAll("_", " ")}`]];
}

/** A place in a file as people write it. */
export function placeText({ path, line }: ToolCallLocation, directory: string): string {
  return `${displayPath(path, directory)}${line == null ? "" : `:${line}`}`;
}

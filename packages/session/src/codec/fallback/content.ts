import type { ContentBlock } from "../../content.js";
import type { SessionState } from "../../state.js";
import { toolCallKey } from "../../timeline.js";
import type { Diff, DiffChange, ToolCallContent } from "../../tool-call.js";
import { compact } from "../read.js";
import type { Sending } from "./sending.js";
import { showNothing, showTerminal } from "./terminals.js";

type ContentSending = Pick<Sending, "lost" | "terminals" | "clientTerminals" | "linksSessions">;

/**
 * Encodes the content of a tool call for version 1 and seed. There, a diff is a pair of texts, and terminals belong to
 * the client.
 */
export function encodeContent(
  content: Iterable<ToolCallContent>,
  toolCallId: string,
  after: SessionState | undefined,
  sending: ContentSending,
): readonly object[] {
  if (after !== undefined) showNothing(toolCallId, sending.terminals);
  return [...content].flatMap((item) => encodeItem(item, toolCallId, after, sending));
}

/** Encodes the whole content that a tool call has in the state. */
export function wholeContent(
  toolCallId: string,
  after: SessionState,
  sending: ContentSending,
): readonly object[] | undefined {
  const entry = after.timeline.get(toolCallKey(toolCallId));
  return entry?.type === "tool_call" ? encodeContent(entry.content, toolCallId, after, sending) : undefined;
}

/** Encodes one item of the content. A diff of several files becomes several items. */
export function encodeItem(
  item: ToolCallContent,
  toolCallId: string,
  after: SessionState | undefined,
  { lost, terminals, clientTerminals, linksSessions }: ContentSending,
): readonly object[] {
  if (item.type === "session" && !linksSessions) {
    lost("subagent", item.sessionId);
    return [textItem(after?.subagents.get(item.sessionId)?.title ?? `Session ${item.sessionId}`)];
  }
  if (item.type === "diff") {
    if (!isPlain(item)) lost("diff", toolCallId);
    return encodeDiff(item);
  }
  if (item.type !== "terminal") return [item];
  const text = showTerminal(item.terminalId, toolCallId, after, terminals);
  if (clientTerminals && !after?.terminals.has(item.terminalId)) return [item];
  lost("terminal", item.terminalId);
  return text === undefined ? [] : [text];
}

const PLAIN: readonly string[] = ["operation", "path", "oldText", "newText"];

/** Returns `true` if a diff is equal after encoding and decoding. */
function isPlain({ changes, patch }: Diff): boolean {
  const [change, ...others] = changes;
  if (change === undefined || others.length > 0 || patch != null || !isWhole(change)) return false;
  if (Object.entries(change).some(([key, value]) => value !== undefined && !PLAIN.includes(key))) return false;
  return (change.operation === "add") === (typeof change.oldText !== "string");
}

/** Returns `true` if a pair of texts can express a change. A deletion becomes a change to an empty text. */
const isWhole = (change: DiffChange): boolean =>
  (change.operation === "add" || change.operation === "modify") && typeof change.newText === "string";

function encodeDiff({ changes, patch, _meta }: Diff): object[] {
  const items = changes.map((change) => {
    if (isWhole(change)) {
      const { path, oldText, newText } = change;
      return compact({ type: "diff", path, oldText: oldText ?? undefined, newText, _meta: _meta ?? undefined });
    }
    if (change.operation === "delete" && typeof change.oldText === "string") {
      return { type: "diff", path: change.path, oldText: change.oldText, newText: "" };
    }
    return textItem(describe(change));
  });
  const isIncomplete = changes.some((change) => !isWhole(change)) || changes.length === 0;
  return patch && isIncomplete ? [...items, textItem(`\`\`\`diff\n${patch.text}\n\`\`\``)] : items;
}

function describe({ operation, path, oldPath }: DiffChange): string {
  return oldPath === undefined ? `${operation} ${path}`.trim() : `${operation} ${oldPath} → ${path}`;
}

function textItem(text: string): { readonly type: "content"; readonly content: ContentBlock } {
  return { type: "content", content: { type: "text", text } };
}

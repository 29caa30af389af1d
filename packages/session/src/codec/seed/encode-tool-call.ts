import type { Meta } from "../../content.js";
import type { MessageUpsert, WireEvent } from "../../event.js";
import { metadataAbout } from "../../metadata.js";
import type { SessionState } from "../../state.js";
import { toolCallKey } from "../../timeline.js";
import type { StatesAround } from "../codec.js";
import { encodeContent, encodeItem } from "../fallback/content.js";
import type { Sending } from "../fallback/sending.js";
import { isBehind } from "../fallback/terminals.js";
import { compact } from "../read.js";

type Event<T extends string> = WireEvent & { readonly type: T };

/** Writes the change of a tool call. Content and metadata differ from version 2. */
export function encodeToolCall(
  event: Event<"tool_call_update"> & { readonly at?: number; readonly extra?: Meta },
  around: StatesAround,
  sending: Sending,
): object {
  // Local members are not sent (V2-EXT-01).
  const { type, at: _, extra: __, capabilities, content, ...others } = event;
  if (capabilities != null) sending.lost("tool-call-cancel", event.toolCallId);
  return compact({
    sessionUpdate: type,
    ...others,
    content: contentOf(event, around.after, sending),
    _meta: wholeMeta(event, around),
  });
}

function contentOf({ toolCallId, content }: Event<"tool_call_update">, after: SessionState, sending: Sending) {
  if (content !== undefined) return content && encodeContent(content, toolCallId, after, sending);
  return isBehind(toolCallId, after, sending.terminals) ? wholeContent(toolCallId, after, sending) : undefined;
}

function wholeContent(toolCallId: string, after: SessionState, sending: Sending): readonly object[] {
  const entry = after.timeline.get(toolCallKey(toolCallId));
  return entry?.type === "tool_call" ? encodeContent(entry.content, toolCallId, after, sending) : [];
}

/** Writes one more item. The whole content is sent if the item becomes several, or will change. */
export function encodeItemChunk(
  { type, toolCallId, content, _meta }: Event<"tool_call_content_chunk">,
  after: SessionState,
  sending: Sending,
): readonly object[] {
  const items = content.type === "terminal" ? [] : encodeItem(content, toolCallId, after, sending);
  const [only] = items;
  if (only !== undefined && items.length === 1) {
    return [compact({ sessionUpdate: type, toolCallId, content: only, _meta: _meta ?? undefined })];
  }
  return [{ sessionUpdate: "tool_call_update", toolCallId, content: wholeContent(toolCallId, after, sending) }];
}

type Patch = MessageUpsert | (WireEvent & { readonly type: "tool_call_update" | "session_info_update" });

/**
 * Returns whole metadata, because in seed it replaces the old. Removed keys are `null`, which readers of either rule
 * take for absent.
 */
export function wholeMeta(event: Patch, { before, after }: StatesAround): Meta | null | undefined {
  if (event._meta === undefined) return undefined;
  const whole = metadataAbout(after, event);
  if (whole === undefined) return null;
  const gone = Object.keys(metadataAbout(before, event) ?? {}).filter((key) => !Object.hasOwn(whole, key));
  return gone.length === 0 ? whole : { ...whole, ...Object.fromEntries(gone.map((key) => [key, null])) };
}

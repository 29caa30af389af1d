import type { ContentBlock } from "../../content.js";
import type { Entry } from "../../entry.js";
import type { MessageChunk, MessageRole, MessageUpsert } from "../../event.js";
import { same } from "../../patch.js";
import { messageKey } from "../../timeline.js";
import type { StatesAround } from "../codec.js";
import type { Sent, Sending as Shared } from "../fallback/sending.js";
import { compact } from "../read.js";

/**
 * Ids on the wire of messages that are sent with another id, by key in the timeline. Version 1 cannot replace text that
 * was sent, so a rewritten message continues with a new id.
 */
export type Renamed = Sent<{ readonly wireId: string; readonly times: number }>;

/** State of one version 1 encoder. All its parts share it. */
export type Sending = Shared & {
  readonly renamed: Renamed;
  /** Ids of the tool calls that were sent to the peer. */
  readonly toolCalls: Sent<true>;
};

const roleOf: { readonly [T in (MessageChunk | MessageUpsert)["type"]]: MessageRole } = {
  user_message: "user",
  user_message_chunk: "user",
  agent_message: "agent",
  agent_message_chunk: "agent",
  agent_thought: "thought",
  agent_thought_chunk: "thought",
};

/** Returns the id with which a piece of a message is sent. */
export function wireMessageId(type: MessageChunk["type"], messageId: string, renamed: Renamed): string {
  // In nearly all sessions, no message is rewritten.
  return renamed.size === 0 ? messageId : (renamed.get(messageKey(roleOf[type], messageId))?.wireId ?? messageId);
}

/** Encodes a whole message. Each block that the peer does not have yet becomes one piece. */
export function encodeMessage(
  event: MessageUpsert,
  { before, after }: StatesAround,
  { renamed, lost }: Sending,
): readonly object[] {
  const { messageId, content, _meta } = event;
  const type = `${event.type}_chunk` as const;
  const key = messageKey(roleOf[event.type], messageId);
  const entry = before.timeline.get(key);
  const name = renamed.get(key);
  const known = name?.wireId ?? (wasSent(entry) ? messageId : undefined);
  // Version 1 has metadata only for a piece. The first piece of a new message contains the metadata of the message, but
  // a reader treats it as the metadata of the piece.
  if (_meta !== undefined) lost("message-metadata", messageId);
  if (content === undefined) {
    if (_meta === undefined && known === undefined) lost("message-metadata", messageId);
    return [];
  }
  const blocks = content ?? [];
  if (known === undefined) {
    if (blocks.length === 0) lost("message-metadata", messageId);
    return chunks(type, messageId, blocks, _meta ?? undefined);
  }
  const sent = entry?.type === "message" ? entry.content.toArray() : [];
  if (blocks.length >= sent.length && sent.every((block, index) => same(block, blocks[index]))) {
    return chunks(type, known, blocks.slice(sent.length));
  }
  lost("message-rewrite", messageId);
  const times = (name?.times ?? 0) + 1;
  const wireId = `${messageId}~${times === 1 ? "" : times}`;
  renamed.set(key, { wireId, times }, (other) => after.timeline.has(other));
  return chunks(type, wireId, blocks, { "turnkit.supersedes": known });
}

/** Returns `true` if the peer has received content of this message. Entries without content were never sent. */
const wasSent = (entry: Entry | undefined): boolean =>
  entry?.type === "message" && (entry.content.length > 0 || entry.dropped !== undefined);

function chunks(
  type: MessageChunk["type"],
  messageId: string,
  blocks: readonly ContentBlock[],
  meta?: object,
): object[] {
  return blocks.map((content, index) =>
    compact({ sessionUpdate: type, messageId, content, _meta: index === 0 ? meta : undefined }),
  );
}

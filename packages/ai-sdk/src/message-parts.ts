import { type ContentBlock, type MessageEntry, messageText } from "@turnkit/session";
import type { AcpChunk } from "./acp-message.js";

/** Parts of the messages of one response. A message has one part until another kind of block or another entry follows. */
export class MessageParts {
  /** Ends of open parts by the key of their entry. */
  readonly #open = new Map<string, AcpChunk>();
  /** Number of parts by the key of their entry. */
  readonly #begun = new Map<string, number>();

  /** Returns the chunks for the parts of an entry that `before` did not have. */
  chunks(entry: MessageEntry, before?: MessageEntry): AcpChunk[] {
    const { content, key } = entry;
    const known = before ? before.content.length + droppedFrom(before) - droppedFrom(entry) : 0;
    const isLonger = known <= 0 || (known <= content.length && isSame(content.at(known - 1), before?.content.at(-1)));
    if (before && !isLonger) {
      // The agent sent the message again as a whole. Chunks cannot take anything back.
      const text = messageText(entry);
      const earlier = messageText(before);
      if (text.startsWith(earlier)) return this.#text(entry, text.slice(earlier.length));
      return [...this.end([key]), ...this.#text(entry, text)];
    }
    const chunks: AcpChunk[] = [];
    let text = "";
    for (let index = Math.max(known, 0); index < content.length; index++) {
      const block = content.at(index) as ContentBlock;
      if (block.type === "text") text += block.text;
      else {
        chunks.push(...this.#text(entry, text), ...this.end([key]), blockChunk(block, `${idOf(entry)}#${index}`));
        text = "";
      }
    }
    return [...chunks, ...this.#text(entry, text)];
  }

  /** Ends open parts, by default all. A message that then grows gets a further part. */
  end(keys: Iterable<string> = this.#open.keys()): AcpChunk[] {
    return [...keys].flatMap((key) => {
      const end = this.#open.get(key);
      this.#open.delete(key);
      return end ?? [];
    });
  }

  #text(entry: MessageEntry, delta: string): AcpChunk[] {
    const { key, role } = entry;
    if (!delta) return [];
    const type = role === "thought" ? "reasoning" : "text";
    const open = this.#open.get(key);
    const count = (this.#begun.get(key) ?? 0) + (open ? 0 : 1);
    const id = count > 1 ? `${idOf(entry)}/${count}` : idOf(entry);
    this.#begun.set(key, count);
    this.#open.set(key, { type: `${type}-end`, id });
    const chunk: AcpChunk = { type: `${type}-delta`, id, delta };
    return open ? [chunk] : [{ type: `${type}-start`, id }, chunk];
  }
}

const droppedFrom = ({ dropped }: MessageEntry): number => dropped?.items ?? 0;

const idOf = ({ messageId, key }: MessageEntry): string => messageId ?? key;

function isSame(one: ContentBlock | undefined, other: ContentBlock | undefined): boolean {
  return one === other || (one?.type === "text" && other?.type === "text" && one.text === other.text);
}

/** Returns the chunk of a block that is not text. */
export function blockChunk(block: ContentBlock, id: string): AcpChunk {
  if (block.type === "image" || block.type === "audio") {
    return { type: "file", mediaType: block.mimeType, url: `data:${block.mimeType};base64,${block.data}` };
  }
  if (block.type === "resource_link") {
    return { type: "source-url", sourceId: id, url: block.uri, title: block.title ?? block.name };
  }
  return { type: "data-acp-content", id, data: block };
}

import type { WireEvent } from "@turnkit/session";
import { bytesOf, type StatesAround } from "@turnkit/session/codec";
import type { Attachment } from "./attachment.js";
import type { Translation } from "./translation.js";
import type { States } from "./watched-states.js";

/** Event of a session, with the states around it. */
export type PublishedEvent = {
  readonly sessionId: string;
  readonly event: WireEvent;
  readonly around: StatesAround;
  /** Returns all states before the event. */
  readonly before: () => States;
};

/**
 * Attachments of one session, and the translations that they share. Each event is translated once for each translation.
 */
// SHARE-03
export class Audience {
  readonly #attachments = new Set<Attachment>();
  readonly #followers = new Map<Translation, Set<Attachment>>();

  get size(): number {
    return this.#attachments.size;
  }

  get all(): Iterable<Attachment> {
    return this.#attachments;
  }

  add(attachment: Attachment): void {
    this.#attachments.add(attachment);
  }

  /** Ends an attachment. Returns false if the attachment has already ended. */
  remove(attachment: Attachment): boolean {
    this.#leave(attachment);
    attachment.end();
    return this.#attachments.delete(attachment);
  }

  /**
   * Sends later updates to an attachment. Returns the translation that makes the updates: an existing one of the same
   * kind, otherwise `own`. Later attachments can share `own`.
   */
  follow(attachment: Attachment, own: Translation): Translation {
    this.#leave(attachment);
    const shared = [...this.#followers.keys()].find(({ kind, isSpecial }) => kind === own.kind && !isSpecial) ?? own;
    const followers = this.#followers.get(shared) ?? new Set();
    this.#followers.set(shared, followers.add(attachment));
    return shared;
  }

  publish({ sessionId, event, around, before }: PublishedEvent): void {
    const ownId = event.type === "user_message" || event.type === "user_message_chunk" ? event.messageId : undefined;
    let states: States | undefined;
    const statesBefore = () => {
      states ??= before();
      return states;
    };
    let bytes: number | undefined;
    for (const [translation, followers] of this.#followers) {
      const updates = translation.of(sessionId, event, around);
      if (updates.length === 0) continue;
      bytes ??= bytesOf(event);
      for (const attachment of followers) {
        if (ownId !== undefined && attachment.shows(ownId)) continue;
        attachment.deliver(updates, bytes, statesBefore);
      }
    }
  }

  #leave(attachment: Attachment): void {
    const { translation } = attachment;
    const followers = translation && this.#followers.get(translation);
    if (translation === undefined || followers === undefined) return;
    followers.delete(attachment);
    if (followers.size === 0) this.#followers.delete(translation);
  }
}

import type { Message, RequestId } from "@turnkit/transport";
import { parseLine } from "@turnkit/transport/channels";
import { MAX_BODY_BYTES } from "../../wire/limits.js";
import { sessionIdOf } from "../../wire/session-scope.js";
import { insert } from "../cancel-first.js";
import type { Outgoing } from "../outbox.js";

/** Bounds of the messages that the server may not have received yet. */
const most = { messages: 1_000, characters: MAX_BODY_BYTES };

/**
 * Messages that were sent on a WebSocket, and that the server may not have received. After a cut, the server states how
 * many messages it has received; the others are sent again. An answer to a request confirms all messages up to it.
 */
// REM-49
export class Unconfirmed {
  /** Number of messages before the first one of the list. */
  #before = 0;
  #list: Outgoing[] = [];
  #characters = 0;

  push(outgoing: Outgoing): void {
    this.#list.push(outgoing);
    this.#characters += outgoing.text.length;
    while (this.#list.length > most.messages || this.#characters > most.characters) this.#drop(1);
  }

  /** Removes the request with this id, and all messages before it. */
  confirm(id: RequestId): void {
    const at = this.#list.findIndex(({ message }) => "method" in message && "id" in message && message.id === id);
    this.#drop(at + 1);
  }

  /**
   * Returns the messages that the server has not received, `session/cancel` first, and begins a new list without them.
   * Returns `undefined` if some of them are no longer stored, or if the server counts more than were sent.
   */
  take(received: number, waiting: readonly Outgoing[]): readonly Outgoing[] | undefined {
    const first = received - this.#before;
    if (!Number.isInteger(received) || first < 0 || first > this.#list.length) return undefined;
    const again: (Outgoing & { readonly sessionId: string | undefined })[] = [];
    for (const outgoing of [...this.#list.slice(first), ...waiting])
      insert(again, { ...outgoing, sessionId: sessionIdOf(outgoing.message) });
    this.#list = [];
    this.#characters = 0;
    this.#before = received;
    return again;
  }

  #drop(count: number): void {
    for (const { text } of this.#list.splice(0, count)) this.#characters -= text.length;
    this.#before += count;
  }
}

/** Returns a message in the form in which it was first sent. */
export const copyOf = ({ text }: Outgoing): Message => parseLine(text) as Message;

import { dropOldest, RpcError } from "@turnkit/transport";

/** Kinds of work that the user can cancel while the turn continues. */
export type WorkType = "tool_call" | "terminal";

/**
 * Maximum number of entries of one session. A further entry removes the oldest, because an agent may never end its work.
 */
const MAX_ENTRIES = 1_000;

// V2-TOOL-10, V2-TERM-11
/** Tool calls and terminals of a session that the user can cancel while the turn continues. */
export class CancellableWork {
  readonly #entries = new Map<string, () => void>();

  add(type: WorkType, id: string, onCancel: () => void): void {
    this.#entries.set(key(type, id), onCancel);
    dropOldest(this.#entries, MAX_ENTRIES);
  }

  has(type: WorkType, id: string): boolean {
    return this.#entries.has(key(type, id));
  }

  /** Removes work that ended. Returns true if the user could cancel this work. */
  remove(type: WorkType, id: string): boolean {
    return this.#entries.delete(key(type, id));
  }

  /**
   * Calls the `onCancel` function of an entry. A second cancel of the same entry does nothing.
   *
   * @throws RpcError `-32602` for an id without an entry
   */
  cancel(type: WorkType, id: string): void {
    // V2-TOOL-13, V2-TERM-12
    const onCancel = this.#entries.get(key(type, id));
    if (onCancel === undefined) {
      const name = type === "tool_call" ? { toolCallId: id } : { terminalId: id };
      throw RpcError.invalidParams(`there is nothing to cancel of ${id}`, name);
    }
    // The entry stays, so that a repeated cancel succeeds.
    this.add(type, id, () => undefined);
    onCancel();
  }
}

const key = (type: WorkType, id: string): string => `${type}:${id}`;

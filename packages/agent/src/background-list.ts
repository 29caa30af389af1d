import type { BackgroundWork } from "@turnkit/session";
import { jsonCopy } from "@turnkit/session/codec";
import { AcpError } from "@turnkit/transport";
import { checkBackground } from "./check-values.js";
import type { ChildTable } from "./children.js";
import type { SessionOutput } from "./session-output.js";
import { MAX_UPDATE_BYTES, mustFit } from "./update-size.js";

/**
 * Maximum size of the list of background work, in bytes of JSON. Version 2 sends the list and the end of a turn in one
 * update, so 128 KiB stay free for the end.
 */
const MAX_BACKGROUND_BYTES = MAX_UPDATE_BYTES - 128 * 1024;

/** Parts of a list of background work. */
type BackgroundListParts = {
  readonly output: SessionOutput;
  /** Child sessions of the connection, by id. */
  readonly table: ChildTable;
  /** Sends the list to the client. */
  report(): void;
};

/** List of background work of one session or child session. */
export class BackgroundList {
  /** List that the client has. `undefined` if the agent reports none. */
  items: readonly BackgroundWork[] | undefined;
  /** Background work that the agent has listed. */
  #wanted: readonly BackgroundWork[] = [];
  readonly #parts: BackgroundListParts;

  constructor(parts: BackgroundListParts, items?: readonly BackgroundWork[]) {
    this.#parts = parts;
    this.items = items;
  }

  has(childId: string): boolean {
    return this.items?.some((item) => childOf(item) === childId) === true;
  }

  /**
   * Replaces the list, and sends it. The list keeps child sessions that still work. A list that cannot be sent is not kept.
   *
   * @throws AcpError `state` for a child session that was not announced
   * @throws AcpError `too_large`
   * @throws TypeError for an item that is not background work
   */
  // P-SUB-03, P-BG-02
  set(given: readonly BackgroundWork[]): void {
    checkBackground(given);
    const wanted = jsonCopy(given);
    for (const item of wanted) {
      const id = childOf(item);
      if (id === undefined || this.#parts.table.has(id) || this.#parts.output.state.subagents.has(id)) continue;
      throw new AcpError("state", `There is no child session ${id}. Open it before it is listed as background work.`);
    }
    this.#send(this.#withBusy(wanted));
    this.#wanted = wanted;
  }

  /**
   * Sends the list again if it became shorter. This happens if a child session ends its work after the agent removed
   * the session from the list, or if `forgotten` was listed. Never throws.
   */
  relist(forgotten?: string): void {
    if (forgotten !== undefined) this.#wanted = this.#wanted.filter((item) => childOf(item) !== forgotten);
    const items = this.#withBusy(this.#wanted);
    if (items.length >= (this.items?.length ?? 0)) return;
    try {
      this.#send(items);
    } catch (error) {
      this.#parts.output.onFault("The list of background work could not be sent.", error);
    }
  }

  /** Empties the list without sending it. Returns true if the client has a list that is not empty. */
  clear(): boolean {
    const hasItems = (this.items?.length ?? 0) > 0;
    this.#wanted = [];
    this.items &&= [];
    return hasItems;
  }

  #withBusy(wanted: readonly BackgroundWork[]): readonly BackgroundWork[] {
    const isWanted = (id: string) => wanted.some((item) => childOf(item) === id);
    const kept = (this.items ?? []).filter((item) => {
      const id = childOf(item);
      return id !== undefined && !isWanted(id) && this.#parts.table.get(id)?.isBusy === true;
    });
    return [...wanted, ...kept];
  }

  #send(items: readonly BackgroundWork[]): void {
    const before = this.items;
    this.items = items;
    try {
      mustFit({ type: "state_update", state: "idle", background: items }, undefined, MAX_BACKGROUND_BYTES);
      this.#parts.report();
    } catch (error) {
      // Later snapshots contain the list, so a list that cannot be sent is not kept.
      this.items = before;
      throw error;
    }
  }
}

const childOf = (item: BackgroundWork): string | undefined =>
  item.type === "subagent" && "sessionId" in item ? item.sessionId : undefined;

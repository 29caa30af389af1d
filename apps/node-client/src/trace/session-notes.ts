import { foreignKey, foreignText, membersOf } from "../output/foreign-value.js";

/** Maximum number of child sessions and keys that a log's notes name. */
const MAX_KNOWN = 10_000;
/** Maximum number of ancestors that a note names. */
const MAX_DEPTH = 16;

/**
 * Notes about the sessions of a log: the parent of a session, an earlier prompt with the same key, and the end of a
 * history.
 */
export class SessionNotes {
  readonly #children = new Map<string, { readonly parent: string; readonly title: unknown }>();
  readonly #keys = new Map<string, number>();

  /** Returns the note about a call in brackets, or an empty text. */
  noteOf(method: string, params: Readonly<Record<string, unknown>>, ms: number): string {
    const id = foreignKey(params.sessionId);
    const update = membersOf(params.update);
    const kind = method === "session/update" ? update.sessionUpdate : undefined;
    if (kind === "subagent_update") {
      const child = foreignKey(update.sessionId);
      this.#learn(child, id, update.title);
      return ` [${this.#name(child)}]`;
    }
    const about = this.#children.has(id) ? [`in ${this.#name(id)}`] : [];
    if (kind === "replay_complete") about.push(`end of the history of ${foreignText(id)}`);
    const before = method === "session/prompt" ? this.#earlier(id, params.idempotencyKey, ms) : undefined;
    if (before !== undefined) about.push(`again, as at ${(before / 1000).toFixed(3)}`);
    return about.length > 0 ? ` [${about.join("; ")}]` : "";
  }

  #learn(child: string, parent: string, title: unknown): void {
    const known = this.#children.get(child);
    if (known === undefined && this.#children.size >= MAX_KNOWN) return;
    this.#children.set(child, { parent: known?.parent ?? parent, title: title ?? known?.title });
  }

  #name(id: string): string {
    const { title } = this.#children.get(id) ?? {};
    const parents: string[] = [];
    let at = this.#children.get(id);
    while (at !== undefined && parents.length < MAX_DEPTH) {
      parents.push(`, a child of ${foreignText(at.parent)}`);
      at = this.#children.get(at.parent);
    }
    const name = typeof title === "string" ? ` ${JSON.stringify(foreignText(title))}` : "";
    return `${foreignText(id)}${name}${parents.join("")}`;
  }

  /** Returns the time of the first prompt with a key. */
  #earlier(id: string, key: unknown, ms: number): number | undefined {
    if (typeof key !== "string") return undefined;
    const name = JSON.stringify([id, key]);
    const before = this.#keys.get(name);
    if (before === undefined && this.#keys.size < MAX_KNOWN) this.#keys.set(name, ms);
    return before;
  }
}

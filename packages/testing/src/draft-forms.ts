import { checkOptions } from "@turnkit/transport";
import type { Frame } from "./frame.js";
import { keyOf, type Side, type TranscriptEntry } from "./transcript-entry.js";

/** Form of version 2 as in SDK 2.4.0, which the Preview of November 2026 replaced. */
export type DraftForm = {
  /** Name of the form. It never changes. */
  readonly form: keyof typeof RULES;
  /** Id of the rule of the Preview. */
  readonly requirement: string;
  /**
   * `older draft` is not an error, because the Preview has the same version number. It is an `error` if an agent claims the
   * Preview, and replays without a marker or ignores a key.
   */
  readonly verdict: "older draft" | "error";
  readonly by: Side;
  /** Sentence about the form, with the ids. */
  readonly what: string;
  /** Message that has the form. */
  readonly entry: TranscriptEntry;
};

/** Options of {@link draftForms}. */
export type DraftFormOptions = {
  /**
   * True if the agent claims to speak the Preview.
   * @defaultValue `false`
   */
  readonly claimsPreview?: boolean;
};

/**
 * Returns the forms of SDK 2.4.0 in a conversation of version 2. The entries are the entries of a transcript. To check
 * the keys of prompts after a reconnection, pass the entries of both connections one after the other.
 */
// P-CONF-04
export function draftForms(entries: readonly TranscriptEntry[], options: DraftFormOptions = {}): readonly DraftForm[] {
  checkOptions("draftForms", options, { claimsPreview: "boolean" });
  const search = new Search(options.claimsPreview ?? false);
  for (const entry of entries) search.read(entry);
  return search.end();
}

/** Rules that the forms break. */
const RULES = {
  "replay-without-marker": "P-REPLAY-01",
  "key-ignored": "P-IDEM-04",
  "file-plan": "P-PLAN-07",
  "state-of-parent-only": "P-SUB-14",
  "null-params": "P-ERR-01",
  "two-scopes": "P-ELICIT-01",
} as const;

/** Forms that an agent of the Preview must not have. */
const BROKEN: readonly DraftForm["form"][] = ["replay-without-marker", "key-ignored"];

class Search {
  readonly #found: DraftForm[] = [];
  readonly #asked = new Map<string, Frame>();
  /** Sessions whose replay has no marker yet. */
  readonly #unmarked = new Set<unknown>();
  /** Ids of messages by session and key. */
  readonly #keyed = new Map<string, unknown>();
  /** Children whose state their parents reported, with the first report. */
  readonly #mirrored = new Map<unknown, TranscriptEntry>();
  /** Sessions that reported their own state. */
  readonly #reported = new Set<unknown>();
  readonly #claimsPreview: boolean;

  constructor(claimsPreview: boolean) {
    this.#claimsPreview = claimsPreview;
  }

  read(entry: TranscriptEntry): void {
    const { by, kind } = entry;
    const frame = entry.frame as Frame;
    if (kind === "request" || kind === "notification") this.#call(entry, frame);
    if (kind !== "result" && kind !== "error") return;
    const key = keyOf(by === "agent" ? "client" : "agent", frame.id);
    const asked = this.#asked.get(key);
    this.#asked.delete(key);
    if (asked && by === "agent" && kind === "result") this.#answer(entry, asked);
  }

  end(): readonly DraftForm[] {
    for (const [id, entry] of this.#mirrored) {
      if (!this.#reported.has(id))
        this.#add(entry, "state-of-parent-only", `The child session ${id} does not report its own state.`);
    }
    return this.#found;
  }

  #call(entry: TranscriptEntry, frame: Frame): void {
    const { id, method } = frame;
    if (frame.params === null) this.#add(entry, "null-params", `The params of ${method} are null.`);
    const params: Frame = frame.params ?? {};
    if (entry.kind === "request") this.#asked.set(keyOf(entry.by, id), { method, params });
    if (method === "session/update") this.#update(entry, params);
    if (method === "session/resume" && params.replayFrom != null) this.#unmarked.add(params.sessionId);
    if (method === "elicitation/create" && params.sessionId != null && params.requestId != null)
      this.#add(entry, "two-scopes", "An elicitation is about a session and about a request.");
  }

  #update(entry: TranscriptEntry, { sessionId, update }: Frame): void {
    const { sessionUpdate, plan, state, sessionId: child } = (update ?? {}) as Frame;
    if (sessionUpdate === "replay_complete") this.#unmarked.delete(sessionId);
    if (sessionUpdate === "state_update") this.#reported.add(sessionId);
    if (sessionUpdate === "plan_update" && plan?.type === "file")
      this.#add(entry, "file-plan", `The plan ${plan.planId} is a file.`);
    if (sessionUpdate === "subagent_update" && state != null && !this.#mirrored.has(child))
      this.#mirrored.set(child, entry);
  }

  #answer(entry: TranscriptEntry, { method, params }: Frame): void {
    const { sessionId, idempotencyKey, replayFrom } = params;
    if (method === "session/resume" && replayFrom != null && this.#unmarked.delete(sessionId))
      this.#add(entry, "replay-without-marker", `The replay of the session ${sessionId} ends without a marker.`);
    if (method !== "session/prompt" || typeof idempotencyKey !== "string") return;
    const key = JSON.stringify([sessionId, idempotencyKey]);
    const id = (entry.frame as Frame).result?.messageId;
    const first = this.#keyed.get(key) ?? id;
    this.#keyed.set(key, first);
    if (first === id) return;
    this.#add(
      entry,
      "key-ignored",
      `The prompt with the key ${idempotencyKey} is the message ${first}, and again ${id}.`,
    );
  }

  #add(entry: TranscriptEntry, form: DraftForm["form"], what: string): void {
    const verdict = this.#claimsPreview && BROKEN.includes(form) ? "error" : "older draft";
    this.#found.push({ form, requirement: RULES[form], verdict, by: entry.by, what, entry });
  }
}

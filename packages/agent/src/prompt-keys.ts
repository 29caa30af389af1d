import type { ContentBlock, SessionEvent } from "@turnkit/session";
import { dropOldest, RpcError } from "@turnkit/transport";
import { Deferred } from "./deferred.js";
import type { PromptReceipt } from "./driver/driver.js";
import type { TurnEnd } from "./turn-end.js";

/** Key of a prompt, with a hash of the prompt's content. */
export type PromptKey = NonNullable<SessionEvent["promptKey"]>;

/** User message that was inserted with a key. */
export type KeyedMessage = {
  readonly messageId: string;
  readonly hash: string;
  /** True if the client of this connection has the message. */
  readonly isSent: boolean;
};

/** Maximum number of keys of a session. A further key removes the oldest. */
// P-IDEM-11
const MAX_KEYS = 10_000;

/** Keys of the prompts of one session id on one connection. A restored session takes over the keys of the open session. */
export class PromptKeys {
  readonly sessionId: string;
  // Created on the first use, because sessions of older clients have no keys.
  #inserted: Map<string, KeyedMessage> | undefined;
  #pending: Map<string, { readonly hash: string; readonly attempts: Attempts }> | undefined;

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  /**
   * Returns the message that was inserted with a key. With `original`, the message may have another content.
   *
   * @throws RpcError `-32602` for a key of a prompt with another content
   */
  // P-IDEM-10
  message({ key, hash }: PromptKey, onReuse: KeyReuse): KeyedMessage | undefined {
    const message = this.#inserted?.get(key);
    if (message !== undefined && message.hash !== hash && onReuse === "error") throw this.#reused(key);
    return message;
  }

  /**
   * Returns a further attempt to send a prompt that is not inserted yet.
   *
   * @param enter reserves a place for a waiting call, and returns a function that frees the place
   * @throws RpcError `-32602` for a key of a prompt with another content
   * @throws the error of `enter`
   */
  // P-IDEM-08
  attempt({ key, hash }: PromptKey, onReuse: KeyReuse, enter: () => () => void): PromptReceipt | undefined {
    const pending = this.#pending?.get(key);
    // One write may contain the withdrawal of a prompt, and then a new prompt with the same key.
    if (pending === undefined || pending.attempts.isWithdrawn) return undefined;
    if (pending.hash !== hash && onReuse === "error") throw this.#reused(key);
    return pending.attempts.open(enter());
  }

  /** Remembers a prompt until it is inserted or has failed, and returns its first attempt. */
  // P-IDEM-07
  begin({ key, hash }: PromptKey, prompt: WithdrawablePrompt): PromptReceipt {
    this.#pending ??= new Map();
    const pending = { hash, attempts: new Attempts(prompt) };
    this.#pending.set(key, pending);
    void prompt.inserted.then(() => {
      if (this.#pending?.get(key) === pending) this.#pending.delete(key);
    });
    return pending.attempts.open();
  }

  /** Adds the key of an inserted message. */
  add({ key, hash }: PromptKey, messageId: string, isSent = true): void {
    this.#inserted ??= new Map();
    remember(this.#inserted, key, { messageId, hash, isSent });
  }

  /**
   * Adds the keys of a log. `isSent` is true if the client has their messages. With `isSent` false, keys that this
   * connection already has are not changed.
   */
  restore(keys: ReadonlyMap<string, KeyedMessage>, isSent: boolean): void {
    for (const [key, { messageId, hash }] of keys) {
      if (isSent || this.#inserted?.has(key) !== true) this.add({ key, hash }, messageId, isSent);
    }
  }

  #reused(idempotencyKey: string): RpcError {
    const data = { sessionId: this.sessionId, idempotencyKey, reason: "key_reused" };
    return RpcError.invalidParams("the idempotency key belongs to another prompt of this session", data);
  }
}

/** Handling of a key that arrives again with another content. */
export type KeyReuse = "error" | "original";

/** Adds a key as the newest, and removes the oldest key above {@link MAX_KEYS}. */
export function remember<T>(keys: Map<string, T>, key: string, value: T): void {
  keys.delete(key);
  keys.set(key, value);
  dropOldest(keys, MAX_KEYS);
}

/** Returns a receipt for a prompt whose message was inserted before. The answer waits until the client has the message. */
// P-IDEM-09
export function receiptOfInserted(messageId: string, sent?: Promise<void>): PromptReceipt {
  const ended = Promise.resolve<TurnEnd>({ stopReason: "end_turn" });
  const nothing = (): void => undefined;
  const controls = { cancel: nothing, withdraw: nothing, proceed: nothing, release: nothing };
  return { inserted: sent?.then(() => messageId) ?? Promise.resolve(messageId), ended, ...controls };
}

/** Prompt that may end before it joins the conversation. */
type WithdrawablePrompt = PromptReceipt & { readonly isWithdrawn: boolean };

/** Attempts to send one prompt. The prompt is withdrawn with the last attempt. */
// P-IDEM-08
class Attempts {
  readonly #prompt: WithdrawablePrompt;
  #open = 0;

  constructor(prompt: WithdrawablePrompt) {
    this.#prompt = prompt;
  }

  get isWithdrawn(): boolean {
    return this.#prompt.isWithdrawn;
  }

  /** @param leave frees the place of this attempt in the quota. The first attempt uses the place of the prompt */
  open(leave: () => void = () => undefined): PromptReceipt {
    const prompt = this.#prompt;
    const inserted = new Deferred<string | undefined>();
    const ended = new Deferred<TurnEnd>();
    let isWithdrawn = false;
    this.#open += 1;
    void prompt.inserted.then((messageId) => {
      leave();
      inserted.resolve(messageId);
    });
    void prompt.ended.then((end) => ended.resolve(end));
    return {
      inserted: inserted.promise,
      ended: ended.promise,
      cancel: () => prompt.cancel(),
      withdraw: () => {
        if (isWithdrawn || inserted.isSettled) return;
        if (this.#open === 1) return prompt.withdraw();
        isWithdrawn = true;
        this.#open -= 1;
        leave();
        inserted.resolve(undefined);
        ended.resolve({ stopReason: "cancelled" });
      },
      proceed: () => {
        if (!isWithdrawn) prompt.proceed();
      },
      release: () => {
        if (!isWithdrawn) prompt.release();
      },
    };
  }
}

/** Returns a hash of the content of a prompt. The order of members does not matter. The hash detects a key that is used again by mistake, but resists no attacker. */
export function promptHash(prompt: readonly ContentBlock[]): string {
  const json = JSON.stringify(prompt, (_, value: unknown) => sorted(value));
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  const mixed = [high ^ (low >>> 16), low ^ (high >>> 13)];
  return `${json.length.toString(36)}-${mixed.map((part) => (part >>> 0).toString(36)).join("-")}`;
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

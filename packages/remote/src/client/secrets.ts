import type { CloseReason } from "@turnkit/transport";
import { dropOldest, textOf } from "@turnkit/transport";

/** Text in place of a secret. */
const REDACTED = "[redacted]";
/** Shortest value that is a secret, in characters. Shorter ones would also remove parts of ordinary words. */
const SHORTEST = 4;
/** Minimum length of the start of a secret that is removed too, because a peer may have cut the text. */
const START = 8;
/** Maximum number of secrets, because a function gives a new token for each request. The oldest are removed first. */
const MOST = 64;

/** Values that this side has sent in headers: token, cookies, and headers of the options. Texts of a peer may repeat them. */
export class Secrets {
  /** Secrets in all of their forms. */
  readonly #forms = new Set<string>();

  /**
   * Remembers a value. The scheme of an `Authorization` header is not a secret: for `Bearer abc`, the secret is `abc`.
   */
  add(value: string): void {
    const secret = value.trim().replace(/^(?:basic|bearer|digest|token) +/i, "");
    if (secret.length < SHORTEST) return;
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encoded(secret)]) {
      this.#forms.delete(form);
      this.#forms.add(form);
      dropOldest(this.#forms, MOST);
    }
  }

  /** Returns a text without the secrets, and without their starts of at least 8 characters. */
  clean(text: string): string {
    // A long secret may contain a short one, and two secrets may begin alike.
    const forms = [...this.#forms].sort((a, b) => b.length - a.length);
    let clean = forms.reduce((rest, form) => rest.replaceAll(form, REDACTED), text);
    for (const form of forms) if (form.length > START) clean = withoutStarts(clean, form);
    return clean;
  }

  /** Returns the first `most` characters of a text without the secrets. */
  start(text: string, most: number): string {
    const longest = Math.max(0, ...[...this.#forms].map(({ length }) => length));
    return this.clean(text.slice(0, most + longest)).slice(0, most);
  }

  /** Returns a reason without the secrets. */
  cleanReason(reason: CloseReason): CloseReason {
    const { message, cause } = reason;
    return { ...reason, message: this.clean(message), ...(cause !== undefined && { cause: this.cleanError(cause) }) };
  }

  /** Returns an error unchanged if it contains no secret. Otherwise returns an error with a clean message. */
  cleanError(error: unknown): unknown {
    if (this.#isClean(error, 0)) return error;
    const { name, code } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown };
    const clean = new Error(this.clean(textOf(error)));
    if (typeof name === "string") clean.name = this.clean(name);
    return typeof code === "string" ? Object.assign(clean, { code: this.clean(code) }) : clean;
  }

  #isClean(error: unknown, depth: number): boolean {
    if (depth > 8) return false;
    if (!(error instanceof Error)) return this.clean(textOf(error)) === textOf(error);
    const text = `${error.name} ${error.message} ${error.stack}`;
    return this.clean(text) === text && (error.cause === undefined || this.#isClean(error.cause, depth + 1));
  }
}

/** Returns a text without the starts of a secret. */
function withoutStarts(text: string, secret: string): string {
  const start = secret.slice(0, START);
  let clean = "";
  let from = 0;
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, from)) {
    let length = start.length;
    while (length < secret.length && text[at + length] === secret[length]) length += 1;
    clean += `${text.slice(from, at)}${REDACTED}`;
    from = at + length;
  }
  return from === 0 ? text : clean + text.slice(from);
}

function encoded(secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    // Half of a surrogate pair has no code.
    return secret;
  }
}

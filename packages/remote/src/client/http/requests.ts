import { textOf } from "@turnkit/transport";
import { mediaType } from "../../wire/headers.js";
import type { CookieStore } from "../cookies.js";
import type { RemoteOptions } from "../remote-options.js";
import type { Secrets } from "../secrets.js";
import { readText } from "./read-text.js";
import { isCarriable } from "./session-header.js";

/** Maximum size of the body of a refusal that is read, in characters. */
const MAX_REFUSAL = 8 * 1024;

type Extra = Readonly<Record<string, string | undefined>>;

/** Sender of the HTTP requests of one connection: address, headers, token and cookies. */
export class Requests {
  /** Headers of all further requests, for example the id of the connection. */
  fixed: Extra = {};
  readonly #url: URL;
  readonly #options: RemoteOptions;
  readonly #secrets: Secrets;

  constructor(url: URL, options: RemoteOptions, secrets: Secrets) {
    this.#url = url;
    this.#options = options;
    this.#secrets = secrets;
  }

  post(body: string, headers: Extra, signal: AbortSignal): Promise<Response> {
    return this.#send({ method: "POST", body, signal }, { "Content-Type": mediaType.json, ...headers });
  }

  get(headers: Extra, signal: AbortSignal): Promise<Response> {
    return this.#send({ method: "GET", signal }, { Accept: mediaType.events, ...headers });
  }

  delete(signal: AbortSignal): Promise<Response> {
    return this.#send({ method: "DELETE", signal, keepalive: true }, {});
  }

  /** Reads a refusal, and ends its body. Servers may repeat headers of the request in it. */
  async refusal(response: Response): Promise<Refusal> {
    // The body could not be read, so the status alone is used.
    const body = await readText(response, MAX_REFUSAL).catch(() => "");
    return { status: response.status, body: this.clean(body.slice(0, MAX_REFUSAL)) };
  }

  /** Returns a text of the server without the secrets of this side. */
  clean(text: string): string {
    return this.#secrets.clean(text);
  }

  async #send(init: RequestInit, extra: Extra): Promise<Response> {
    const { cookies, fetch = globalThis.fetch } = this.#options;
    const headers = await requestHeaders(this.#options, this.#secrets, { ...this.fixed, ...extra });
    const cookie = readCookies(cookies, this.#url, this.#secrets);
    // A browser ignores this header and sends its own cookies.
    if (cookie !== undefined && !headers.has("Cookie")) headers.set("Cookie", cookie);
    // A redirect could carry token and ids to another server.
    const asked = fetch(this.#url, { ...init, headers, redirect: "error" });
    const response = await asked.catch((cause: unknown) => {
      throw new Error(this.clean(networkText(cause)), { cause: this.#secrets.cleanError(cause) });
    });
    const stored = response.headers.getSetCookie?.() ?? [];
    if (stored.length > 0) cookies?.write(this.#url, stored);
    return response;
  }
}

/** Returns the message of an error of `fetch`. Node gives the fault only as the cause. */
function networkText(error: unknown): string {
  const { cause } = (error ?? {}) as { readonly cause?: { readonly code?: unknown; readonly message?: unknown } };
  const fault = cause?.code ?? cause?.message;
  return withAdvice(typeof fault === "string" && fault !== "" ? `${textOf(error)} (${fault})` : textOf(error));
}

const ADVICE = [
  [/wrong.version.number/i, "the server has no TLS there, so check the scheme and the port"],
  [/ECONNREFUSED/, "nothing listens there, so check the host and the port"],
  [/Unexpected server response: 401/, "the server wants a valid login, so check the token"],
] as const;

/** Adds to the message of a network error what it means, if the message alone does not say it. */
export function withAdvice(message: string): string {
  const advice = ADVICE.find(([fault]) => fault.test(message))?.[1];
  return advice === undefined ? message : `${message}; ${advice}`;
}

/** Returns the cookies for a request, and remembers their values as secrets. */
export function readCookies(cookies: CookieStore | undefined, url: URL, secrets: Secrets): string | undefined {
  const all = cookies?.read(url);
  for (const pair of all?.split("; ") ?? []) secrets.add(pair.slice(pair.indexOf("=") + 1));
  return all;
}

/**
 * Returns the headers of the options, with the token and `extra`.
 *
 * @throws TypeError for a token or a header that cannot be sent; its message does not contain the value
 */
export async function requestHeaders(
  { headers, token }: RemoteOptions,
  secrets: Secrets,
  extra: Extra,
): Promise<Headers> {
  const all = ownHeaders(headers);
  for (const [name, value] of all) if (isSecret(name, value)) secrets.add(value);
  const bearer = await tokenOf(token, secrets);
  if (bearer !== undefined) all.set("Authorization", `Bearer ${bearer}`);
  for (const [name, value] of Object.entries(extra)) if (value !== undefined) all.set(name, value);
  return all;
}

function ownHeaders(headers: RemoteOptions["headers"]): Headers {
  try {
    return new Headers(headers);
  } catch {
    // The message of the runtime contains the value.
    const [name] = Object.entries(headers ?? {}).find(([, value]) => !isCarriable(String(value).trim())) ?? [];
    const what =
      name === undefined ? "a header of the options has a name that" : `the header ${shown(name)} has a value that`;
    throw new TypeError(`${what} cannot be sent: remove line breaks, NUL and characters beyond Latin-1`);
  }
}

const shown = (name: string): string => JSON.stringify(name.slice(0, 60));

/** Returns `true` for a header that is a secret by its name, or by a value that looks like a key. */
function isSecret(name: string, value: string): boolean {
  if (/auth|cookie|credential|key|passw|secret|session|signature|token/i.test(name)) return true;
  return value.length >= 16 && /^\S+$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);
}

/**
 * Returns the current token, or `undefined` if there is none. From then on, the token counts as a secret.
 *
 * @throws TypeError for a token that cannot be sent
 */
export async function tokenOf(token: RemoteOptions["token"], secrets: Secrets): Promise<string | undefined> {
  const present = typeof token === "function" ? await token() : token;
  if (present === undefined) return undefined;
  const text = String(present).trim();
  secrets.add(text);
  if (isCarriable(text)) return text;
  throw new TypeError("the token cannot be sent: remove line breaks, NUL and characters beyond Latin-1");
}

/** A refusal by the server: the status of HTTP, and at most 8 KiB of the body. */
export type Refusal = { readonly status: number; readonly body: string };

/** Returns the text of a refusal in an error message: the status, and the start of a plain body. */
export function refusalText({ status, body }: Refusal): string {
  const words = withoutStop(body.trim().slice(0, 200));
  return words === "" || /^[<{[]/.test(words) ? `HTTP ${status}` : `HTTP ${status}: ${words}`;
}

/** Returns the message of an error as a part of a sentence. */
export const faultText = (cause: unknown): string => withoutStop(textOf(cause));

const withoutStop = (sentence: string): string => sentence.replace(/\.$/, "");

/** Statuses after which the whole connection is over. */
// REM-33
export const isConnectionOver = (status: number): boolean => [401, 403, 404, 410].includes(status);

/** Statuses of a connection that a server had, and has no longer, for example after its restart. */
export const isGone = (status: number): boolean => status === 404 || status === 410;

/** Statuses that a proxy or a busy server may send temporarily. */
export const isPassing = (status: number): boolean => [408, 425, 429, 500, 502, 503, 504].includes(status);

/** Returns the reason in the body of an answer 409. */
export function conflictReason({ body }: Refusal): string | undefined {
  try {
    const { reason } = JSON.parse(body) as { readonly reason?: unknown };
    return typeof reason === "string" ? reason.slice(0, 100) : undefined;
  } catch {
    return undefined;
  }
}

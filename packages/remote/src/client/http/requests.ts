import { textOf } from "@turnkit/transport";
import { headerName, mediaType } from "../../wire/headers.js";
import { type CookieStore, createCookieStore } from "../cookies.js";
import type { RemoteOptions } from "../remote-options.js";

/** Maximum size of the body of a refusal that is read, in bytes. */
const MAX_REFUSAL = 8 * 1024;

type Extra = Readonly<Record<string, string | undefined>>;

/** Sender of the HTTP requests of one connection: address, headers, token and cookies. */
export class Requests {
  /** Headers of all further requests, for example the id of the connection. */
  fixed: Extra = {};
  readonly #url: URL;
  readonly #options: RemoteOptions;
  readonly #cookies: CookieStore;

  constructor(url: URL, options: RemoteOptions) {
    this.#url = url;
    this.#options = options;
    this.#cookies = options.cookies ?? createCookieStore();
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

  async #send(init: RequestInit, extra: Extra): Promise<Response> {
    const headers = await requestHeaders(this.#options, { ...this.fixed, ...extra });
    const cookie = this.#cookies.read(this.#url);
    // A browser ignores this header and sends its own cookies.
    if (cookie !== undefined && !headers.has("Cookie")) headers.set("Cookie", cookie);
    const { fetch = globalThis.fetch } = this.#options;
    // A redirect could carry token and ids to another server.
    const asked = fetch(this.#url, { ...init, headers, redirect: "error" });
    const response = await asked.catch((cause: unknown) => {
      throw new Error(networkText(cause), { cause });
    });
    const stored = response.headers.getSetCookie?.() ?? [];
    if (stored.length > 0) this.#cookies.write(this.#url, stored);
    return response;
  }
}

/** Returns the message of an error of `fetch`. Node gives the fault only as the cause. */
function networkText(error: unknown): string {
  const { cause } = (error ?? {}) as { readonly cause?: { readonly code?: unknown; readonly message?: unknown } };
  const fault = cause?.code ?? cause?.message;
  return typeof fault === "string" && fault !== "" ? `${textOf(error)} (${fault})` : textOf(error);
}

/** Returns the headers of the options, with the token and `extra`. */
export async function requestHeaders({ headers, token }: RemoteOptions, extra: Extra): Promise<Headers> {
  const all = new Headers(headers);
  const bearer = await tokenOf(token);
  if (bearer !== undefined) all.set("Authorization", `Bearer ${bearer}`);
  for (const [name, value] of Object.entries(extra)) if (value !== undefined) all.set(name, value);
  return all;
}

/** Returns the present token, or `undefined` without one. */
export async function tokenOf(token: RemoteOptions["token"]): Promise<string | undefined> {
  return typeof token === "function" ? token() : token;
}

/** A refusal by the server: the status of HTTP, and at most 8 KiB of the body. */
export type Refusal = { readonly status: number; readonly body: string };

/** Reads a refusal, and ends its body. */
export async function readRefusal(response: Response): Promise<Refusal> {
  let body = "";
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  try {
    for (let size = 0; reader !== undefined && size < MAX_REFUSAL; ) {
      const { done, value } = await reader.read();
      if (done) break;
      body += decoder.decode(value.subarray(0, MAX_REFUSAL - size), { stream: true });
      size += value.length;
    }
  } catch {
    // The status says enough.
  }
  reader?.cancel().catch(() => {});
  return { status: response.status, body };
}

/** Returns the text of a refusal in an error message: the status, and the start of a plain body. */
export function refusalText({ status, body }: Refusal): string {
  const words = body.trim().slice(0, 200);
  return words === "" || /^[<{[]/.test(words) ? `HTTP ${status}` : `HTTP ${status}: ${words}`;
}

/** Statuses after which the whole connection is over. */
// REM-33
export const isConnectionOver = (status: number): boolean => [401, 403, 404, 410].includes(status);

/** Statuses that a proxy or a busy server gives for a while. */
export const isPassing = (status: number): boolean => [408, 425, 429, 500, 502, 503, 504].includes(status);

/** Returns the reason that the body of an answer 409 states. */
export function conflictReason({ body }: Refusal): string | undefined {
  try {
    const { reason } = JSON.parse(body) as { readonly reason?: unknown };
    return typeof reason === "string" ? reason.slice(0, 100) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the headers of a request about a session. */
export const sessionHeader = (sessionId: string | undefined): Extra => ({ [headerName.sessionId]: sessionId });

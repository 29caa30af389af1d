import { hostForm } from "../server/host-form.js";

/** The parts of a request that form its URL. */
export type RequestLine = {
  readonly scheme: "http" | "https";
  /** Header `Host`, or the pseudo header `:authority`. */
  readonly host: string;
  /** Target of HTTP/1.1, or the pseudo header `:path`. */
  readonly target: string;
};

/**
 * Returns the URL of a request, or `undefined` for a request that may mean two servers: its host is not valid, or its
 * target contains another host.
 */
export function urlOf({ scheme, host, target }: RequestLine): string | undefined {
  if (!hostForm.test(host.toLowerCase())) return undefined;
  const origin = `${scheme}://${host}`;
  const url = parse(target.startsWith("/") ? origin + target : target);
  return url !== undefined && url.origin === parse(origin)?.origin && url.username === "" ? url.href : undefined;
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

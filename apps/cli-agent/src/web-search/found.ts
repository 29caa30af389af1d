import { listOf, membersOf } from "../members.js";
import type { SearchPart, WebLink } from "../model.js";
import { plainLine } from "../plain-line.js";

/** Name of the tool call that shows a search of the web. By this name, a restore finds the searches. */
export const WEB_SEARCH = "web_search";

/** Bounds of the shown texts, because pages of the web control them. */
const MAX_LINKS = 20;
const MAX_QUERIES = 5;
const MAX_TEXT = 200;
const MAX_URL = 2_000;

/** Search of the web, or a page that the provider opened. Texts have no control characters and are within bounds. */
export type WebSearch = {
  readonly queries: readonly string[];
  /** Address of the page, if the provider opened one. */
  readonly page?: string;
  readonly links: readonly { readonly url: string; readonly title: string }[];
};

/**
 * Reads the input of a search, or its output, in the form of any provider. Members of an unknown form are left out.
 *
 * - Anthropic: `{ query }`, and a list of `{ url, title }`
 * - OpenAI: `{ action: { type, query, queries, url }, sources: [{ url }] }`
 * - Google: `{ queries }`
 */
export function readFound(data: unknown): WebSearch {
  const { action, query, queries, sources } = membersOf(data);
  const done = membersOf(action);
  const asked = [done.queries, queries].flatMap(listOf);
  return {
    queries: readQueries(asked.length > 0 ? asked : [done.query, query]),
    page: urlOf(done.url),
    links: readLinks(Array.isArray(data) ? data : listOf(sources)),
  };
}

/** Reads links. Only addresses of the web remain, each once. */
export function readLinks(all: readonly unknown[]): WebSearch["links"] {
  const links = new Map<string, string>();
  for (const link of all.slice(0, MAX_LINKS * 5)) {
    const { url: address, title }: Partial<WebLink> = membersOf(link);
    const url = urlOf(address);
    if (url === undefined || (!links.has(url) && links.size >= MAX_LINKS)) continue;
    links.set(url, textOf(title) || links.get(url) || new URL(url).host);
  }
  return [...links].map(([url, title]) => ({ url, title }));
}

/** Reads queries. Empty queries are left out. */
export function readQueries(all: readonly unknown[]): readonly string[] {
  return [...new Set(all.slice(0, MAX_QUERIES).map(textOf))].filter((query) => query !== "");
}

export function join(before: WebSearch, after: WebSearch): WebSearch {
  return {
    queries: after.queries.length > 0 ? after.queries : before.queries,
    page: after.page ?? before.page,
    links: readLinks([...before.links, ...after.links]),
  };
}

/** Returns the result of a search as a text, for a model of another provider and for summaries. */
export function searchNote(part: Extract<SearchPart, { type: "search-result" }>): string {
  return noteOf(readFound(part.output), part.isError);
}

export function noteOf({ queries, page, links }: WebSearch, isError: boolean): string {
  const what = page ?? queries.map((query) => JSON.stringify(query)).join(", ");
  const found = links.map(({ url, title }) => `${title}: ${url}`).join("\n");
  return `[The web was searched${what && ` (${what})`}${isError ? ", and the search failed" : ""}.${found && `\n${found}`}]`;
}

function textOf(value: unknown): string {
  if (typeof value !== "string") return "";
  return plainLine(value, MAX_TEXT, " ").replace(/\s+/g, " ").trim();
}

function urlOf(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > MAX_URL || !URL.canParse(value)) return undefined;
  const { protocol, href } = new URL(value);
  return /^https?:$/.test(protocol) && href.length <= MAX_URL ? href : undefined;
}

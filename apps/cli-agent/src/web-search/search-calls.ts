import type { ToolCall, Turn } from "@turnkit/agent";
import type { ModelPart, SearchPart } from "../model.js";
import { join, noteOf, readFound, readLinks, readQueries, WEB_SEARCH, type WebSearch } from "./found.js";

const MAX_SHOWN = 50;

type Sources = Extract<ModelPart, { type: "sources" }>;
type Shown = { readonly call: ToolCall; readonly found: WebSearch; readonly state: "searching" | "found" | "ended" };

export type SearchCalls = ReturnType<typeof createSearchCalls>;

/** Creates the tool calls that show the searches of a provider: kind `search`, or `fetch` for an opened page. */
export function createSearchCalls(turn: Pick<Turn, "toolCall">) {
  const shown = new Map<string, Shown>();
  let newest: string | undefined;
  /** Number of shown searches for which the provider has sent no parts. */
  let apart = 0;
  const start = (id: string, found: WebSearch): Shown | undefined => {
    if (shown.size >= MAX_SHOWN) return undefined;
    const call = turn.toolCall({ name: WEB_SEARCH, status: "in_progress", ...fieldsOf(found) });
    newest = id;
    const entry: Shown = { call, found, state: "searching" };
    shown.set(id, entry);
    return entry;
  };
  const add = async (id: string, added: WebSearch, isError = false) => {
    const known = shown.get(id) ?? start(id, added);
    if (known === undefined || known.state === "ended") return;
    const found = join(known.found, added);
    shown.set(id, { ...known, found, state: isError ? "ended" : "found" });
    const content = found.links.map(({ url, title }) => ({
      type: "content" as const,
      content: { type: "resource_link" as const, uri: url, name: title },
    }));
    const fields = { ...fieldsOf(found), content, rawOutput: { text: noteOf(found, isError) } };
    await known.call.update({ ...fields, ...(isError && { status: "failed" }) });
  };
  const settle = async () => {
    for (const [id, entry] of shown) {
      if (entry.state !== "found") continue;
      shown.set(id, { ...entry, state: "ended" });
      await entry.call.finish();
    }
  };
  return {
    async show(part: SearchPart | Sources): Promise<void> {
      if (part.type === "search-call") start(part.toolCallId, readFound(part.input));
      else if (part.type === "search-result") await add(part.toolCallId, readFound(part.output), part.isError);
      else {
        const found = { queries: readQueries(part.queries ?? []), links: readLinks(part.links) };
        // A source without a search, such as a cited file, is not shown.
        const isApart = found.queries.length > 0 && (newest === undefined || apart > 0);
        if (isApart) await add(`apart ${++apart}`, found);
        else if (newest !== undefined) await add(newest, { ...found, queries: [] });
      }
    },

    /** Completes the searches that have a result. Providers report pages up to the end of an answer. */
    settle,

    /** Ends all searches. Searches without a result get this status. */
    async end(status: "cancelled" | "failed"): Promise<void> {
      await settle();
      for (const { call, state } of shown.values()) if (state === "searching") await call.update({ status });
      shown.clear();
    },
  };
}

function fieldsOf({ queries, page }: WebSearch) {
  if (page !== undefined) return { title: `Look at ${page.slice(0, 200)}`, kind: "fetch" } as const;
  const asked = queries.map((query) => `“${query}”`).join(", ");
  return { title: `Search the web${asked && ` for ${asked}`}`, kind: "search", rawInput: { queries } } as const;
}

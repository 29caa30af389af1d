import type { Failure, FinishReason, Part, ReceivedRequest, Usage } from "../step.js";

/** A part that goes on the wire; ends and cuts are the server's affair. */
export type SpokenPart = Exclude<Part, { type: "finish" | "cut" }>;

/** End of an answer. */
export type Ending = { readonly reason: FinishReason; readonly usage: Usage };

/** One event of a stream: a name where the format has names, and what is sent as JSON, or as it is if it is a string. */
export type ServerSentEvent = { readonly event?: string; readonly data: unknown };

/** Writes one answer. Its methods are called in the order `start`, `part`…, `end`. */
export interface StreamWriter {
  start(): ServerSentEvent[];
  part(part: SpokenPart): ServerSentEvent[];
  end(ending: Ending): ServerSentEvent[];
}

/** Parts of a request's body that the stand-in needs. */
export type Understood = Pick<ReceivedRequest, "model" | "streams" | "tools" | "results" | "prompt">;

/** A wire format of model providers. */
export interface Wire {
  readonly name: string;
  /** Returns true if a POST to this path is of this format. */
  matches(path: string): boolean;
  read(body: Readonly<Record<string, any>>, path: string): Understood;
  stream(model: string): StreamWriter;
  /** The answer to a request that does not want a stream. */
  whole(model: string, parts: readonly SpokenPart[], ending: Ending): unknown;
  error(failure: Failure): unknown;
}

/** Cuts text behind each blank, so that every piece but the last ends with one. */
export const words = (text: string): string[] => text.match(/\S*\s+|\S+$/g) ?? [];

/** Cuts the JSON of a tool's input into pieces that no parser takes alone. */
export const fragments = (input: unknown): string[] => JSON.stringify(input).match(/[\s\S]{1,24}/g) ?? [];

/** The text of a message's content, which is a string or a list of blocks with a `text`. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block) => (typeof block?.text === "string" ? block.text : "")).join("");
}

/** Everything after the last item for which `isOther` holds. */
export function tail<Item>(items: readonly Item[], isOther: (item: Item) => boolean): Item[] {
  return items.slice(items.findLastIndex(isOther) + 1);
}

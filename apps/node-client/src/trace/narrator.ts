import type { WireEntry } from "@turnkit/transport/trace";
import { foreignKey, foreignText, idKey, membersOf } from "../output/foreign-value.js";
import { jsonText } from "../output/safe-json.js";
import { SessionNotes } from "./session-notes.js";

export type Narration = {
  readonly ms: number;
  readonly way: "sent" | "received" | "invalid line" | "closed";
  readonly what: string;
  readonly text: string;
  readonly isError: boolean;
  /** Key of the entry. Consecutive entries with the same key share one line. */
  readonly runsOn?: string;
};

/** Maximum number of open requests. If a side died, the log may contain many requests without an answer. */
const MAX_OPEN = 10_000;

/**
 * Creates a function that describes entries in their order. The function stores the requests, because the description
 * of an answer contains its method. The messages may be malformed.
 */
export function createNarrator(): (entry: WireEntry) => Narration {
  const open = new Map<string, { readonly method: string; readonly ms: number }>();
  const notes = new SessionNotes();

  const describeMessage = (way: "sent" | "received", ms: number, message: unknown): Narration => {
    if (typeof message !== "object" || message === null || Array.isArray(message)) {
      return { ms, way, what: "no message", text: jsonText(message), isError: true };
    }
    const { id, method, params, result, error } = membersOf(message);
    if (typeof method === "string") {
      const isRequest = "id" in message;
      if (isRequest && open.size < MAX_OPEN) open.set(`${way} ${idKey(id)}`, { method, ms });
      const call = describeCall(method, params);
      const note = notes.noteOf(method, membersOf(params), ms);
      return { ms, way, isError: false, ...call, what: `${call.what}${note}` };
    }
    if (method !== undefined)
      return { ms, way, what: "a message whose method is not a text", text: brief(message), isError: true };
    const key = `${way === "sent" ? "received" : "sent"} ${idKey(id)}`;
    const question = open.get(key);
    open.delete(key);
    const name = id === undefined ? "no id" : `id ${typeof id === "string" ? JSON.stringify(id) : foreignText(id)}`;
    const what = question === undefined ? `an answer to no question (${name})` : `${question.method} answered`;
    const took = question === undefined ? "" : `after ${ms - question.ms} ms`;
    const outcome = error == null ? brief(result) : `error ${describeError(error)}`;
    const text = [took, outcome].filter(Boolean).join("  ");
    return { ms, way, what, text, isError: error != null || question === undefined };
  };

  return (entry) => {
    const { ms } = entry;
    if ("sent" in entry) return describeMessage("sent", ms, entry.sent);
    if ("received" in entry) return describeMessage("received", ms, entry.received);
    if ("invalidLine" in entry)
      return { ms, way: "invalid line", what: "no JSON", text: entry.invalidLine, isError: true };
    if ("leftOut" in entry)
      return { ms, way: "closed", what: "a message is missing", text: entry.leftOut, isError: true };
    if ("full" in entry) return { ms, way: "closed", what: "the log was full here", text: "", isError: true };
    const { kind, message, stderr } = entry.closed;
    const text = stderr === undefined ? message : `${message} ${foreignKey(stderr)}`;
    return { ms, way: "closed", what: "closed", text, isError: kind !== "local" };
  };
}

function describeError(error: unknown): string {
  const { code, message } = membersOf(error);
  return typeof code === "number" && typeof message === "string" ? `${code}: ${message}` : brief(error);
}

/** Describes a request or a notification by its method and the important parts of its params. */
function describeCall(method: string, params: unknown): Pick<Narration, "what" | "text" | "runsOn"> {
  const { update, sessionId } = membersOf(params);
  if (method !== "session/update" || typeof update !== "object" || update === null || Array.isArray(update)) {
    return { what: method, text: brief(params) };
  }
  const { sessionUpdate: kind, content, ...rest } = membersOf(update);
  const what = `${method} ${foreignText(kind)}`;
  const { text } = membersOf(content);
  if (typeof text !== "string") return { what, text: brief({ ...rest, ...(content !== undefined && { content }) }) };
  return { what, text, runsOn: `${foreignKey(sessionId)} ${what} ${foreignKey(rest.messageId)}` };
}

/** Returns the simple values of an object as text, and the sizes of its other members. */
function brief(value: unknown): string {
  if (typeof value !== "object" || value === null) return value === undefined ? "" : jsonText(value);
  return Object.entries(value)
    .map(([name, member]) => `${name}: ${briefMember(member)}`)
    .join(", ");
}

function briefMember(value: unknown): string {
  if (Array.isArray(value)) {
    const texts = value.map((item) => membersOf(item).text).filter((text) => typeof text === "string");
    return texts.length > 0 ? jsonText(texts.join(" ")) : `[${value.length}]`;
  }
  if (typeof value !== "object" || value === null) return jsonText(value);
  const names = Object.keys(value);
  return names.length > 6 ? `{${names.slice(0, 6).join(", ")}, …}` : `{${names.join(", ")}}`;
}

/** JSON object of a message. Its members may have any type until a check has validated them. */
export type Frame = { readonly [member: string]: unknown };

/** Side that wrote an entry. */
export type Side = "agent" | "client";

/** One line of a conversation, with its time and its kind. */
export type Entry = {
  /** Place in the conversation, from 0. */
  readonly index: number;
  /** Milliseconds since the start of the conversation. */
  readonly ms: number;
  readonly by: Side;
  /** `other` is a line that is not a message: no JSON, no object, or an object without method, result and error. */
  readonly kind: "request" | "notification" | "result" | "error" | "other";
  /** Method of a call. For an answer, the method of its request; `undefined` for an answer without a request. */
  readonly method?: string;
  /** Request of an answer. */
  readonly request?: Entry;
  /** Message, if the line is JSON. */
  readonly frame?: unknown;
  /** Text of a line that is not JSON. */
  readonly line?: string;
  /** `true` if the bytes of the line are not UTF-8. */
  readonly broken?: true;
  /** `true` for a line of the runner that is wrong on purpose. Such a line is not validated. */
  readonly deliberate?: true;
};

/** Line before it has a place in a conversation. */
export type Line = Pick<Entry, "by" | "frame" | "line" | "broken" | "deliberate">;

/** Returns true for a JSON object. */
export function isObject(value: unknown): value is Frame {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the members of an object, or `{}` for any other value. */
export function membersOf(value: unknown): Frame {
  return isObject(value) ? value : {};
}

/** Returns the members of an entry's message. */
export function frameOf(entry: Entry | undefined): Frame {
  return membersOf(entry?.frame);
}

/** Returns the params of a call. */
export function paramsOf(entry: Entry | undefined): Frame {
  return membersOf(frameOf(entry).params);
}

/** Returns the result of an answer. */
export function resultOf(entry: Entry | undefined): Frame {
  return membersOf(frameOf(entry).result);
}

/** Returns the error of an answer. */
export function errorOf(entry: Entry | undefined): Frame {
  return membersOf(frameOf(entry).error);
}

/** Returns the update of a `session/update`, or `undefined` for another entry. */
export function updateOf(entry: Entry): Frame | undefined {
  return entry.kind === "notification" && entry.method === "session/update"
    ? membersOf(paramsOf(entry).update)
    : undefined;
}

/** Returns the kind of an update, such as `agent_message_chunk`. */
export function updateKind(entry: Entry): string | undefined {
  const kind = updateOf(entry)?.sessionUpdate;
  return typeof kind === "string" ? kind : undefined;
}

/** Returns the items of a list that are objects, or an empty list for any other value. */
export function objectsIn(value: unknown): readonly Frame[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns a short name of an entry for people, such as `session/update plan` or `the error of session/new`. */
export function labelOf(entry: Entry): string {
  if (entry.kind === "other") return entry.line === undefined ? "no message" : "a line that is not JSON";
  const kind = updateKind(entry);
  if (kind !== undefined) return `${entry.method} ${kind}`;
  if (entry.kind === "request" || entry.kind === "notification") return entry.method ?? entry.kind;
  return `the ${entry.kind} of ${entry.method ?? "a request that nobody sent"}`;
}

const SHOWN = 240;

/** Returns a value as text of bounded length. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}

/** Returns a text unchanged, and any other value as JSON. `String` would throw for some objects. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}

/** Message on the wire. */
// biome-ignore lint/suspicious/noExplicitAny: tests read frames of every shape, and check their members
export type Frame = Record<string, any>;

/** Returns true for a request or notification. */
export function isCall(frame: Frame): boolean {
  return typeof frame.method === "string";
}

/** Returns true for a request. */
export function isRequest(frame: Frame): boolean {
  return isCall(frame) && "id" in frame;
}

/** Returns true for an answer to the request with that id. */
export function isAnswerTo(frame: Frame, id: unknown): boolean {
  return !isCall(frame) && "id" in frame && frame.id === id;
}

/** Returns a label of a frame, such as `session/update agent_message_chunk` or `result #3`. */
export function nameOf(frame: unknown): string {
  if (typeof frame !== "object" || frame === null || Array.isArray(frame)) return "no message";
  const { method, id, params } = frame as Frame;
  if (typeof method === "string") {
    const update: unknown = params?.update?.sessionUpdate;
    return typeof update === "string" ? `${method} ${update}` : method;
  }
  if ("error" in frame) return `error #${String(id)}`;
  return "result" in frame ? `result #${String(id)}` : "no message";
}

const shownCharacters = 300;

/** Returns a value as text of bounded length, for an error message. */
export function show(value: unknown): string {
  const text = JSON.stringify(value, replace) ?? String(value);
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}…`;
}

function replace(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return `[function ${value.name || "of no name"}]`;
  return value instanceof RegExp ? String(value) : value;
}

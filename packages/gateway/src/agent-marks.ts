import type { ErrorObject, Meta, SessionEvent } from "@turnkit/session";
import { AUTHOR } from "@turnkit/session/codec";
import { ENDED_BY, ENDING, LEAVING, PROMPT, QUESTION, RETRY } from "./between-gateways.js";

/** Member of `_meta` of a tool call: the name of the principal that answered its question. */
export const ANSWERED_BY = "turnkit.answeredBy";

/**
 * Members of `_meta` that only a gateway may set. Otherwise, an agent could act as a gateway, or in the name of a
 * person.
 */
const MARKS = [AUTHOR, ANSWERED_BY, ENDING, ENDED_BY, PROMPT, QUESTION, RETRY];

/** Returns an event of an agent without the marks of gateways. */
export function withoutMarks(event: SessionEvent): SessionEvent {
  const clean = unmarked(event as SessionEvent & { readonly _meta?: Meta | null });
  if (clean.type === "permission_asked" && clean.subject?.type === "tool_call" && "toolCall" in clean.subject)
    return { ...clean, subject: { ...clean.subject, toolCall: unmarked(clean.subject.toolCall) } };
  if (clean.type !== "state_update" || clean.error == null) return clean;
  return { ...clean, error: withoutLeaving(clean.error) } as SessionEvent;
}

/** Returns the error of an agent without the mark of an owner that is closing. */
export function withoutLeaving(error: ErrorObject): ErrorObject {
  const { data } = error;
  if (typeof data !== "object" || data === null || !Object.hasOwn(data, LEAVING)) return error;
  const { [LEAVING]: _, ...rest } = data as { readonly [LEAVING]?: unknown };
  return { ...error, data: rest };
}

/** Returns an object without the marks in its `_meta`. */
function unmarked<T extends { readonly _meta?: Meta | null }>(object: T): T {
  const { _meta } = object;
  if (_meta == null || !MARKS.some((mark) => Object.hasOwn(_meta, mark))) return object;
  return { ...object, _meta: Object.fromEntries(Object.entries(_meta).filter(([name]) => !MARKS.includes(name))) };
}

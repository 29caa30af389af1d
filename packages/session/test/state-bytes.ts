import { bytesOf } from "../src/bytes.js";
import { createSessionState } from "../src/create-session-state.js";
import { sequenceOf } from "../src/persistent-list.js";
import type { SessionState } from "../src/state.js";
import { Vector } from "../src/vector.js";

/** Returns the bytes of a state, counted anew. The reducer keeps {@link SessionState.bytes} equal to them. */
export function stateBytes(state: SessionState): number {
  const fresh = createSessionState();
  let bytes = 0;
  for (const [member, value] of Object.entries(state)) {
    if (member === "bytes" || member === "limits" || member === "anomalies") continue;
    const values = value instanceof Vector ? [...value].filter(({ type }) => type !== "trimmed") : [value];
    for (const each of values) bytes += bytesOf(recounted(each));
    bytes -= bytesOf(fresh[member as keyof SessionState]);
  }
  return bytes;
}

/** The same, with lists that know nothing of what was counted before. */
function recounted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [
    key,
    member instanceof Vector ? sequenceOf(member) : member,
  ]);
  return Object.fromEntries(members);
}

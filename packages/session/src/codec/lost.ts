import type { OnLoss } from "../call.js";
import type { DialectName } from "./codec.js";
import type { Loss } from "./losses.js";

/** Told what an event or a call loses. */
export type Lost = (id: Loss["id"], entity?: string) => void;

/** Who tells `onLoss`, if anybody, what one call loses. */
export function lostIn(to: DialectName, event: string, onLoss: OnLoss | undefined): Lost {
  return (id, entity) => onLoss?.(entity === undefined ? { id, to, event } : { id, to, event, entity });
}

import type { Calls } from "../call.js";
import type { PermissionOption } from "../permission.js";
import { compact, meta, part, text, type Wire } from "./read.js";
import { record } from "./shape.js";

type Answer = Calls["askPermission"]["result"];

/** Title of a question without one. */
export const UNTITLED = "The agent asks for permission";

/** An option that has what it needs. */
export const readOption = /* @__PURE__ */ record<PermissionOption>({
  required: { optionId: text, name: text, kind: text },
});

/** Writes the answer to a permission question. */
export function writeOutcome({ outcome }: Answer): object {
  return outcome.outcome === "selected"
    ? { outcome: compact({ outcome: "selected", optionId: outcome.optionId, _meta: outcome._meta }) }
    : { outcome: compact({ outcome: "cancelled", _meta: outcome._meta }) };
}

/** Reads an outcome. Everything but a choice counts as cancelled, never as an approval. */
// V1-PERM-07, V2-PERM-09
export function readOutcome(wire: object): Answer {
  const outcome = part((wire ?? {}) as Wire, "outcome");
  return outcome.outcome === "selected" && typeof outcome.optionId === "string"
    ? { outcome: compact({ outcome: "selected", optionId: outcome.optionId, _meta: meta(outcome._meta) }) }
    : { outcome: compact({ outcome: "cancelled", _meta: meta(outcome._meta) }) };
}

import type { CallCodec, Calls } from "../call.js";
import type { ElicitationQuestion, ElicitationScope } from "../elicitation.js";
import { asIs } from "./calls.js";
import { compact, isObject, meta, part, required, text, textOrNull, type Wire, without } from "./read.js";

/** `elicitation/create`, equal in the dialects that have it. */
export const elicit: CallCodec<Calls["elicit"]> = {
  method: "elicitation/create",
  encodeParams: ({ scope, ...question }) => compact({ ...question, ...scope }),
  decodeParams: (wire) => ({ ...question(wire as Wire), scope: scopeOf(wire as Wire) }),
  encodeResult: asIs,
  decodeResult: (wire) => {
    const { action, content, _meta } = wire as Wire;
    if (action === "accept") {
      return compact({ action, content: isObject(content) ? content : undefined, _meta: meta(_meta) });
    }
    // An unknown action is no answer that could be acted on (V2-ELI-05).
    return compact({ action: action === "decline" ? action : "cancel", _meta: meta(_meta) });
  },
};

function question(wire: Wire): ElicitationQuestion {
  const { mode } = wire;
  const base = compact({ message: required(wire.message), _meta: meta(wire._meta) });
  const { elicitationId, url } = wire;
  if (mode === "url" && typeof elicitationId === "string" && typeof url === "string") {
    return { ...base, mode, elicitationId, url };
  }
  const form = part(wire, "requestedSchema");
  if (mode === "form") {
    // Version 1 may leave both out (V1-ELIC-05).
    return {
      ...base,
      mode,
      requestedSchema: { ...form, type: "object", properties: part(form, "properties") as never },
    };
  }
  const others = without(wire, ["sessionId", "toolCallId", "requestId"]);
  return { ...others, ...base, mode: text(mode) ?? "" } as ElicitationQuestion;
}

/** Reads the scope of a question. The session counts where both are given. */
// V1-ELIC-04
function scopeOf({ sessionId, toolCallId, requestId }: Wire): ElicitationScope {
  if (typeof sessionId === "string") return compact({ sessionId, toolCallId: textOrNull(toolCallId) });
  return { requestId: typeof requestId === "string" || typeof requestId === "number" ? requestId : null };
}

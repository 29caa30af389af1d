import type { Answering, Asking, Calls } from "../call.js";
import type { ElicitationQuestion, ElicitationScope } from "../elicitation.js";
import { compact, isObject, meta, part, required, text, textOrNull, type Wire, without } from "./read.js";

/** `elicitation/create`, the same where it exists, as an agent makes it. */
export const askElicit: Asking<Calls["elicit"]> = {
  method: "elicitation/create",
  encodeParams: ({ scope, ...question }) => compact({ ...question, ...scope }),
  decodeResult: (wire) => {
    const { action, content, _meta } = wire as Wire;
    if (action === "accept") {
      return compact({ action, content: isObject(content) ? content : undefined, _meta: meta(_meta) });
    }
    // What is not known is no answer that could be acted on (V2-ELI-05).
    return compact({ action: action === "decline" ? action : "cancel", _meta: meta(_meta) });
  },
};

/** {@link askElicit}, as a client answers it. */
export const answerElicit: Answering<Calls["elicit"]> = {
  method: "elicitation/create",
  decodeParams: (wire) => ({ ...question(wire as Wire), scope: scopeOf(wire as Wire) }),
  encodeResult: (answer) => answer,
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

/** Where both are said, the session counts (V1-ELIC-04). */
function scopeOf({ sessionId, toolCallId, requestId }: Wire): ElicitationScope {
  if (typeof sessionId === "string") return compact({ sessionId, toolCallId: textOrNull(toolCallId) });
  return { requestId: typeof requestId === "string" || typeof requestId === "number" ? requestId : null };
}

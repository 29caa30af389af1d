import { type Check, counted } from "../check.js";
import { received, saidNothing, wireOf } from "../wire.js";

export const nullId: Check = {
  id: "null-id",
  title: "its requests have ids",
  look(evidence) {
    if (saidNothing(evidence)) return "untested";
    const methods = received(evidence)
      .map(wireOf)
      .filter(({ id, method }) => id === null && typeof method === "string")
      .map(({ method }) => String(method));
    if (methods.length === 0) return undefined;
    return {
      severity: "problem",
      seen: counted(methods, "request with the id null"),
      advice: "Give every request an id of its own, a number or a text: null cannot tell two answers apart.",
    };
  },
};

import type { Check } from "../check.js";
import { answerTo, wireOf } from "../wire.js";

export const protocolVersion: Check = {
  id: "protocol-version",
  title: "says which version of the protocol it speaks",
  look(evidence) {
    const answer = answerTo("initialize", evidence);
    if (answer === undefined || wireOf(answer).error !== undefined) return "untested";
    const { protocolVersion: version } = (wireOf(answer).result ?? {}) as { readonly protocolVersion?: unknown };
    if (Number.isInteger(version)) return undefined;
    return {
      severity: "problem",
      seen:
        version === undefined
          ? "the answer to initialize has no protocolVersion"
          : `protocolVersion: ${JSON.stringify(version)}`,
      advice:
        "Answer initialize with an integer: the client's version if you speak it, else the newest that you speak.",
    };
  },
};

import { type Check, counted } from "../check.js";

export const knownUpdates: Check = {
  id: "known-updates",
  title: "sends updates that clients know",
  look({ newSession, unknownUpdates }) {
    if (newSession?.status !== "done") return "untested";
    if (unknownUpdates.length === 0) return undefined;
    return {
      severity: "problem",
      seen: counted(unknownUpdates, "unknown update"),
      advice:
        "Clients drop what they do not know. Put extensions into _meta, or into notifications of your own (_name).",
    };
  },
};

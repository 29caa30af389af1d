import { type Check, counted } from "../check.js";
import { saidNothing } from "../wire.js";

export const validMessages: Check = {
  id: "valid-messages",
  title: "its messages fit the protocol's schema",
  look(evidence) {
    if (saidNothing(evidence)) return "untested";
    const { diagnostics } = evidence;
    const faults = diagnostics
      .filter(({ code }) => code === "invalid_message" || code === "dropped")
      .map(({ message }) => message);
    if (faults.length === 0) return undefined;
    return {
      severity: "problem",
      seen: counted(faults, "message that had to be dropped or refused", "messages that had to be dropped or refused"),
      advice: "Check what you send against the protocol's schema; turnkit trace show --full shows the message.",
    };
  },
};

import { type Check, counted } from "../check.js";

export const validMessages: Check = {
  id: "valid-messages",
  title: "its messages fit the protocol's schema",
  look({ diagnostics }) {
    const faults = diagnostics
      .filter(({ code }) => code === "invalid_message" || code === "dropped")
      .map(({ message }) => message);
    if (faults.length === 0) return undefined;
    return {
      severity: "problem",
      seen: counted(faults, "message that had to be dropped or refused").replace(
        "message that had to be dropped or refuseds",
        "messages that had to be dropped or refused",
      ),
      advice: "Check what you send against the protocol's schema; turnkit trace show --full shows the message.",
    };
  },
};

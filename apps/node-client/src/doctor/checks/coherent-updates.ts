import { type Check, counted } from "../check.js";

export const coherentUpdates: Check = {
  id: "coherent-updates",
  title: "its updates make sense together",
  look({ newSession, anomalies }) {
    if (newSession?.status !== "done") return "untested";
    if (anomalies.length === 0) return undefined;
    return {
      severity: "hint",
      seen: counted(anomalies, "oddity", "oddities"),
      advice: "Announce things before you change them, and end them once.",
    };
  },
};

import type { Check } from "../check.js";
import { seconds } from "../evidence.js";

/** In milliseconds; clients send a signal after about that time. */
const GRACE = 2000;

export const exit: Check = {
  id: "exit",
  title: "ends when its stdin ends",
  look({ exit: outcome }) {
    if (outcome === undefined) return "untested";
    const advice =
      "Treat the end of stdin as the end of the connection: stop what runs, and exit. Else editors leave you behind.";
    if (outcome.status !== "done")
      return { severity: "problem", seen: `it still ran after ${seconds(outcome.ms)}`, advice };
    const { kind, signal, exitCode, message, stderr } = outcome.value;
    if (kind === "exit") {
      const seen = `it went away by itself: ${[message, stderr].filter(Boolean).join("\n")}`;
      return { severity: "problem", seen, advice: "Stay until stdin ends, whatever a turn runs into." };
    }
    if (signal == null && outcome.ms < GRACE) {
      if (exitCode === 0 || exitCode == null) return undefined;
      return {
        severity: "hint",
        seen: `exit code ${exitCode} after the end of stdin`,
        advice: "An orderly end is exit code 0.",
      };
    }
    return { severity: "problem", seen: `no exit within ${seconds(GRACE)} after the end of stdin`, advice };
  },
};

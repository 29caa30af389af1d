import { type Check, counted } from "../check.js";
import { saidNothing } from "../wire.js";

export const stdoutNoise: Check = {
  id: "stdout-noise",
  title: "writes nothing but messages to stdout",
  look(evidence) {
    const { noise } = evidence;
    if (noise.length === 0) return saidNothing(evidence) ? "untested" : undefined;
    return {
      severity: "problem",
      seen: counted(
        noise.map((line) => JSON.stringify(line)),
        "line on stdout that is no JSON",
        "lines on stdout that are no JSON",
      ),
      advice: "Send logs to stderr, those of libraries too: some clients break off at such a line.",
    };
  },
};

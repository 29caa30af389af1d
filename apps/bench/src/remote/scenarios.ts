import type { Bar, Measure, Scenario } from "../scenario.js";
import type { Profile } from "./remote.js";
import type { RemoteName } from "./remotes.js";

type Measures = typeof import("./measure.js");

const profiles = ["SSE", "WebSocket"] as const;

/** Returns a cell for each implementation and profile. */
function of(measure: (measures: Measures, name: RemoteName, profile: Profile) => Measure) {
  const names: readonly RemoteName[] = ["turnkit", "SDK 2.4.0"];
  return Object.fromEntries(
    profiles.flatMap((profile) =>
      names.map((name) => [`${name}, ${profile}`, async () => measure(await import("./measure.js"), name, profile)]),
    ),
  );
}

/** Returns a bar of turnkit for each profile. */
const bars = (bar: Omit<Bar, "implementation">, isAgainst: boolean): readonly Bar[] =>
  profiles.map((profile) => ({
    ...bar,
    implementation: `turnkit, ${profile}`,
    ...(isAgainst && { against: `SDK 2.4.0, ${profile}` }),
  }));

/**
 * Scenarios with both sides over loopback, and the server in its own process. turnkit resumes, and the SDK does not.
 */
export const remoteScenarios: readonly Scenario[] = [
  {
    name: "remote chunks",
    what: "Chunks of 60 B from a server to a listener of the client over loopback. The warm-up has the same number, at most 20 000.",
    figures: { rate: { unit: "updates/s", better: "more" } },
    sizes: [50_000],
    quickSizes: [20_000],
    implementations: of((m, name, profile) => m.measureRemoteRate(name, profile)),
    bars: bars({ figure: "rate", atLeast: 4 }, true),
    rounds: 3,
  },
  {
    name: "remote first byte",
    what: "Time from the agent's call to the listener of the client, for one update in each prompt. The warm-up has the same number of prompts.",
    figures: {
      p50: { unit: "ms", better: "less", digits: 2 },
      p99: { unit: "ms", better: "less", digits: 2 },
    },
    sizes: [1_000],
    quickSizes: [300],
    implementations: of((m, name, profile) => m.measureFirstByte(name, profile)),
    bars: bars({ figure: "p50", atMost: 2 }, false),
    rounds: 3,
  },
  {
    name: "remote connections",
    what: "Memory that connections with one session each add to the server.",
    figures: { growth: { unit: "MiB", better: "less", digits: 1 } },
    sizes: [1_000],
    quickSizes: [200],
    implementations: of((m, name, profile) => m.measureRemoteConnections(name, profile)),
    // 150 MB.
    bars: bars({ figure: "growth", atMost: 143 }, false),
    rounds: 3,
  },
];

import type { Bar, Measure, Scenario } from "../scenario.js";
import type { Profile } from "./remote.js";
import type { RemoteName } from "./remotes.js";

type Measures = typeof import("./measure.js");

const profiles = ["SSE", "WebSocket"] as const;

/** A cell for each implementation and profile. */
function of(measure: (measures: Measures, name: RemoteName, profile: Profile) => Measure) {
  const names: readonly RemoteName[] = ["turnkit", "SDK 2.4.0"];
  return Object.fromEntries(
    profiles.flatMap((profile) =>
      names.map((name) => [`${name}, ${profile}`, async () => measure(await import("./measure.js"), name, profile)]),
    ),
  );
}

/** A bar of turnkit for each profile. */
const bars = (bar: Omit<Bar, "implementation">, isAgainst: boolean): readonly Bar[] =>
  profiles.map((profile) => ({
    ...bar,
    implementation: `turnkit, ${profile}`,
    ...(isAgainst && { against: `SDK 2.4.0, ${profile}` }),
  }));

/** Both sides over loopback, the server in a process of its own. turnkit resumes, and the SDK does not. */
export const remoteScenarios: readonly Scenario[] = [
  {
    name: "remote chunks",
    what: "Chunks of 60 B from a server to a listener of the client over loopback, after as many to warm up, 20 000 at most.",
    figures: { rate: { unit: "updates/s", better: "more" } },
    sizes: [50_000],
    quickSizes: [20_000],
    implementations: of((m, name, profile) => m.measureRemoteRate(name, profile)),
    bars: bars({ figure: "rate", atLeast: 4 }, true),
    rounds: 3,
  },
  {
    name: "remote first byte",
    what: "Time from the agent's call to the listener of the client, for one update in each prompt, after as many to warm up.",
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
    what: "Growth of the server's memory by connections with one session each.",
    figures: { growth: { unit: "MiB", better: "less", digits: 1 } },
    sizes: [1_000],
    quickSizes: [200],
    implementations: of((m, name, profile) => m.measureRemoteConnections(name, profile)),
    // 150 MB.
    bars: bars({ figure: "growth", atMost: 143 }, false),
    rounds: 3,
  },
];

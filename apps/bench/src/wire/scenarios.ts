import type { Measure, Scenario } from "../scenario.js";
import type { PartyName } from "./parties.js";

const everywhere: readonly PartyName[] = ["turnkit v1", "turnkit v2", "SDK 2.4.0 v1", "SDK 2.4.0 v2"];
const rate = { unit: "updates/s", better: "more" } as const;
const microseconds = { unit: "µs", better: "less" } as const;
const kibibytes = { unit: "KiB", better: "less", digits: 1 } as const;
const mebibytes = { unit: "MiB", better: "less" } as const;

type Measures = typeof import("./measure.js");

/** A cell for each of the names. */
function of(names: readonly PartyName[], measure: (measures: Measures, name: PartyName) => Measure) {
  return Object.fromEntries(names.map((name) => [name, async () => measure(await import("./measure.js"), name)]));
}

export const wireScenarios: readonly Scenario[] = [
  {
    name: "stdio chunks",
    what: "Chunks of 60 B from an agent process to a listener of the client.",
    figures: { rate },
    sizes: [200_000],
    quickSizes: [20_000],
    implementations: of([...everywhere, "vscode-jsonrpc 8", "raw pipe"], (m, name) =>
      m.measureRate(name, "stdio", "chunk"),
    ),
  },
  {
    name: "stdio tool updates",
    what: "Tool updates of 4 KiB with quotes, line ends and letters beyond ASCII.",
    figures: { rate },
    sizes: [5_000],
    quickSizes: [1_000],
    implementations: of([...everywhere, "raw pipe"], (m, name) => m.measureRate(name, "stdio", "tool")),
  },
  {
    name: "stdio large message",
    what: "One message of 16 MiB.",
    figures: { rate: { unit: "messages/s", better: "more", digits: 2 } },
    sizes: [1],
    implementations: of([...everywhere, "raw pipe"], (m, name) => m.measureRate(name, "stdio", "large")),
  },
  {
    name: "memory chunks",
    what: "Chunks of 60 B between two ends in one process.",
    figures: { rate },
    sizes: [200_000],
    quickSizes: [20_000],
    implementations: of(everywhere, (m, name) => m.measureRate(name, "memory", "chunk")),
  },
  {
    name: "stdio round trip",
    what: "Prompts without an update, one after the other.",
    figures: { p50: microseconds, p99: microseconds },
    sizes: [5_000],
    quickSizes: [1_000],
    implementations: of([...everywhere, "vscode-jsonrpc 8", "raw pipe"], (m, name) =>
      m.measureRoundTrips(name, "stdio"),
    ),
  },
  {
    name: "memory round trip",
    what: "The same between two ends in one process.",
    figures: { p50: microseconds, p99: microseconds },
    sizes: [5_000],
    quickSizes: [1_000],
    implementations: of(everywhere, (m, name) => m.measureRoundTrips(name, "memory")),
  },
  {
    name: "sessions",
    what: "Sessions on one connection in memory, each with a turn of 100 updates, all turns at once.",
    figures: { rate, memory: { ...kibibytes, unit: "KiB a session" } },
    sizes: [1_000],
    quickSizes: [100],
    implementations: of(everywhere, (m, name) => m.measureSessions(name, "memory")),
  },
  {
    name: "sessions growth",
    what: "The same with more and more sessions.",
    figures: { rate, memory: { ...kibibytes, unit: "KiB a session" } },
    sizes: [100, 1_000, 10_000],
    quickSizes: [100, 1_000],
    implementations: of(["turnkit v1", "turnkit v2"], (m, name) => m.measureSessions(name, "memory")),
    rounds: 3,
  },
  {
    name: "slow consumer",
    what: "Chunks into a listener that takes a turn of the event loop for each: peak memory of both processes, and what is lost.",
    figures: {
      client: mebibytes,
      agent: mebibytes,
      missing: { unit: "missing at the end", better: "less" },
      outOfOrder: { unit: "(1: out of order)", better: "less" },
    },
    sizes: [500_000],
    quickSizes: [50_000],
    implementations: of(["turnkit v1", "turnkit v2", "SDK 2.4.0 v1"], (m, name) => m.measureSlowConsumer(name)),
    rounds: 1,
  },
  {
    name: "idle connections",
    what: "Memory of each connection with one session, both ends in this process.",
    figures: { rss: kibibytes, heap: kibibytes },
    sizes: [1_000],
    quickSizes: [200],
    implementations: of(everywhere, (m, name) => m.measureIdle(name)),
    rounds: 3,
  },
];

import type { Bar, Measure, Scenario } from "../scenario.js";
import type { PartyName } from "./parties.js";

const everywhere: readonly PartyName[] = ["turnkit v1", "turnkit v2", "SDK 2.4.0 v1", "SDK 2.4.0 v2"];
const sdk = "SDK 2.4.0 v1";
const against = [sdk, "SDK 2.4.0 v2"] as const;
const againstRaw = [...against, "raw pipe"] as const;
const rate = { unit: "updates/s", better: "more" } as const;
const microseconds = { unit: "µs", better: "less" } as const;
const kibibytes = { unit: "KiB", better: "less", digits: 1 } as const;
const mebibytes = { unit: "MiB", better: "less" } as const;

type Measures = typeof import("./measure.js");

/** Returns a cell for each of the names. */
function of(names: readonly PartyName[], measure: (measures: Measures, name: PartyName) => Measure) {
  return Object.fromEntries(names.map((name) => [name, async () => measure(await import("./measure.js"), name)]));
}

/** Returns a bar of turnkit for each version, against the same version of the official SDK. */
const bars = (figure: string, goal: Pick<Bar, "atLeast" | "atMost">): readonly Bar[] =>
  (["v1", "v2"] as const).map((version) => ({
    ...{ implementation: `turnkit ${version}`, figure, against: `SDK 2.4.0 ${version}` },
    ...goal,
  }));

export const wireScenarios: readonly Scenario[] = [
  {
    name: "stdio chunks",
    what: "Chunks of 60 B from an agent process to a listener of the client. The warm-up has the same number, at most 20 000.",
    figures: { rate },
    sizes: [200_000],
    quickSizes: [50_000],
    implementations: of([...everywhere, "vscode-jsonrpc 8", "raw pipe"], (m, name) =>
      m.measureRate(name, "stdio", "chunk"),
    ),
    against: againstRaw,
    bars: [
      { implementation: "turnkit v1", figure: "rate", against: sdk, atLeast: 6 },
      { implementation: "turnkit v1", figure: "rate", against: "raw pipe", atLeast: 0.45 },
      { implementation: "turnkit v2", figure: "rate", against: "SDK 2.4.0 v2", atLeast: 7 },
    ],
  },
  {
    name: "stdio tool updates",
    what: "Tool updates of 4 KiB with quotes, line ends and letters beyond ASCII. The warm-up has the same number, at most 20 000.",
    figures: { rate },
    sizes: [5_000],
    quickSizes: [1_000],
    implementations: of([...everywhere, "raw pipe"], (m, name) => m.measureRate(name, "stdio", "tool")),
    against: againstRaw,
    bars: bars("rate", { atLeast: 8 }),
  },
  {
    name: "stdio large message",
    what: "One message of 16 MiB.",
    figures: { rate: { unit: "messages/s", better: "more", digits: 2 } },
    sizes: [1],
    implementations: of([...everywhere, "raw pipe"], (m, name) => m.measureRate(name, "stdio", "large")),
    against: againstRaw,
    rounds: 3,
  },
  {
    name: "memory chunks",
    what: "Chunks of 60 B between two sides in one process. The warm-up has the same number, at most 20 000.",
    figures: { rate },
    sizes: [200_000],
    quickSizes: [50_000],
    implementations: of(everywhere, (m, name) => m.measureRate(name, "memory", "chunk")),
    against,
    bars: bars("rate", { atLeast: 6 }),
    rounds: 3,
  },
  {
    name: "whole way",
    what: "Chunks of 60 B from the handler of an agent process to the state of the client, which is read after each chunk. The SDK has no state, and calls a listener.",
    figures: { rate },
    sizes: [200_000],
    quickSizes: [50_000],
    implementations: of(["turnkit v1", "turnkit v2", sdk], (m, name) => m.measureWholeWay(name)),
    against: [sdk],
    bars: [{ implementation: "turnkit v1", figure: "rate", against: sdk, atLeast: 4 }],
    rounds: 3,
  },
  {
    name: "stdio round trip",
    what: "Prompts without an update, one after the other. The warm-up has the same number, at most 20 000.",
    figures: { p50: microseconds, p99: microseconds },
    sizes: [5_000],
    quickSizes: [1_000],
    implementations: of([...everywhere, "vscode-jsonrpc 8", "raw pipe"], (m, name) =>
      m.measureRoundTrips(name, "stdio"),
    ),
    against: againstRaw,
    bars: [...bars("p50", { atMost: 0.65 }), ...bars("p99", { atMost: 1 })],
  },
  {
    name: "memory round trip",
    what: "The same between two sides in one process.",
    figures: { p50: microseconds, p99: microseconds },
    sizes: [5_000],
    quickSizes: [1_000],
    implementations: of(everywhere, (m, name) => m.measureRoundTrips(name, "memory")),
    against,
    bars: [...bars("p50", { atMost: 0.35 }), ...bars("p99", { atMost: 1 })],
  },
  {
    name: "cold",
    what: "The first 250 chunks of 60 B from a new agent process to a new client, then the first 50 prompts without an update. There is no warm-up.",
    figures: {
      updates: { unit: "ms for 250 updates", better: "less", digits: 1 },
      prompts: { unit: "ms for 50 prompts", better: "less", digits: 1 },
    },
    sizes: [250],
    implementations: of([...everywhere, "raw pipe"], (m, name) => m.measureCold(name)),
    against: againstRaw,
  },
  {
    name: "sessions",
    what: "Sessions on one connection in memory, each with a turn of 100 updates, all turns at the same time. The warm-up is 20 000 updates in another session.",
    figures: { rate, session: { ...kibibytes, unit: "KiB a session" } },
    sizes: [1_000],
    quickSizes: [200],
    implementations: of(everywhere, (m, name) => m.measureSessions(name, "memory")),
    against,
    bars: bars("rate", { atLeast: 5 }),
    rounds: 3,
  },
  {
    name: "sessions growth",
    what: "The same with growing numbers of sessions. The exponent is the growth of time and memory (1 is linear).",
    figures: { time: { unit: "ms", better: "less" }, memory: mebibytes },
    sizes: [100, 1_000, 10_000],
    quickSizes: [100, 1_000],
    implementations: of(["turnkit v1", "turnkit v2"], (m, name) => m.measureSessions(name, "memory")),
    rounds: 2,
  },
  {
    name: "slow consumer",
    what: "Chunks to a listener that takes a turn of the event loop for each chunk. States have a bound of 8 MiB. The figures are the peak memory of both processes, and the lost chunks. The raw pipe keeps as much text in an array, and has no slow listener.",
    figures: {
      client: mebibytes,
      agent: mebibytes,
      missing: { unit: "missing at the end", better: "less" },
      outOfOrder: { unit: "(1: out of order)", better: "less" },
    },
    sizes: [500_000],
    quickSizes: [50_000],
    implementations: {
      ...of(["turnkit v1", "turnkit v2", sdk], (m, name) => m.measureSlowConsumer(name)),
      "raw pipe": async () => (await import("./raw-window.js")).measureRawWindow,
    },
    bars: (["turnkit v1", "turnkit v2"] as const).flatMap((implementation): readonly Bar[] => [
      // 90 MB.
      { implementation, figure: "client", atMost: 85.8 },
      { implementation, figure: "agent", atMost: 85.8 },
      { implementation, figure: "missing", atMost: 0 },
      { implementation, figure: "outOfOrder", atMost: 0 },
    ]),
    rounds: 1,
  },
  {
    name: "idle connections",
    what: "Memory of each connection with one session, with both sides in this process.",
    figures: { rss: kibibytes, heap: kibibytes },
    sizes: [1_000],
    quickSizes: [200],
    implementations: of(everywhere, (m, name) => m.measureIdle(name)),
    against,
    rounds: 3,
  },
];

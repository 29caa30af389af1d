import { spawnSync } from "node:child_process";
import type { Scenario } from "../scenario.js";

/** False if this machine has no NATS server. The engine on JetStream is then not measured. */
const hasNats = spawnSync("nats-server", ["--version"]).error === undefined;

const jetStreamScenarios: readonly Scenario[] = [
  {
    name: "JetStream, one session",
    what: "Chunks of 60 B of one session, stored in groups by the engine on JetStream, on a server of this machine.",
    figures: { rate: { unit: "events/s", better: "more" } },
    sizes: [200_000],
    quickSizes: [20_000],
    implementations: { turnkit: async () => (await import("./measure-jetstream.js")).measureOneSession },
    bars: [{ implementation: "turnkit", figure: "rate", atLeast: 100_000 }],
    rounds: 3,
  },
  {
    name: "JetStream, 200 sessions",
    what: "Chunks of 60 B of 200 sessions, each stored before the next of its session.",
    figures: { rate: { unit: "appends/s", better: "more" } },
    sizes: [40_000],
    quickSizes: [4_000],
    implementations: { turnkit: async () => (await import("./measure-jetstream.js")).measureSessions(200) },
    bars: [{ implementation: "turnkit", figure: "rate", atLeast: 15_000 }],
    rounds: 3,
  },
  {
    name: "JetStream, latency",
    what: "Time from a piece of the agent to its update at a client. Each piece waits for the previous one.",
    figures: { p50: { unit: "ms", better: "less", digits: 2 } },
    sizes: [4_000],
    quickSizes: [400],
    implementations: {
      "no storage": async () => (await import("./measure-two-gateways.js")).measureLatency("no storage"),
      owner: async () => (await import("./measure-two-gateways.js")).measureLatency("owner"),
      "other gateway": async () => (await import("./measure-two-gateways.js")).measureLatency("other"),
    },
    against: ["no storage"],
    bars: [{ implementation: "other gateway", figure: "p50", atMost: 3 }],
    rounds: 3,
  },
  {
    name: "JetStream, growth",
    what: "Cost of a live session in the last nine tenths of the sessions, as a multiple of the cost in the first tenth.",
    figures: { time: { unit: "×", better: "less", digits: 2 }, memory: { unit: "×", better: "less", digits: 2 } },
    sizes: [1_000],
    quickSizes: [200],
    implementations: { turnkit: async () => (await import("./measure-two-gateways.js")).measureGrowth },
    bars: [
      { implementation: "turnkit", figure: "time", atMost: 1.25 },
      { implementation: "turnkit", figure: "memory", atMost: 1.25 },
    ],
    rounds: 3,
  },
];

/** Scenarios of a gateway whose clients only count their messages. */
export const gatewayScenarios: readonly Scenario[] = [
  {
    name: "gateway fan-out",
    what: "Chunks of 60 B of one session to 1 000 attachments of version 2. The warm-up has a quarter of this number.",
    figures: { rate: { unit: "deliveries/s", better: "more" } },
    sizes: [4_000],
    quickSizes: [500],
    implementations: { turnkit: async () => (await import("./measure.js")).measureFanOut(1_000) },
    bars: [{ implementation: "turnkit", figure: "rate", atLeast: 1_000_000 }],
    rounds: 3,
  },
  {
    name: "gateway pace",
    what: "Chunks of 60 B of an agent to two attachments. In one row, the second attachment never reads.",
    figures: { rate: { unit: "updates/s", better: "more" } },
    sizes: [100_000],
    quickSizes: [10_000],
    implementations: {
      "both read": async () => (await import("./measure.js")).measurePace(false),
      "one is stuck": async () => (await import("./measure.js")).measurePace(true),
    },
    bars: [{ implementation: "one is stuck", figure: "rate", against: "both read", atLeast: 0.95 }],
    rounds: 5,
  },
  {
    name: "gateway attachment",
    what: "Memory of an additional attachment that gets no messages, with its connection.",
    figures: { memory: { unit: "KiB", better: "less", digits: 1 } },
    sizes: [1_000],
    quickSizes: [200],
    implementations: { turnkit: async () => (await import("./measure.js")).measureIdle },
    bars: [{ implementation: "turnkit", figure: "memory", atMost: 30 }],
    rounds: 3,
  },
  ...(hasNats ? jetStreamScenarios : []),
];

import type { Scenario } from "../scenario.js";

const time = { unit: "ms", better: "less", digits: 1 } as const;

export const foldScenarios: readonly Scenario[] = [
  {
    name: "fold",
    what: "Chunks of 60 B, with four updates of a tool call after every 50 chunks. There is a new state after every update.",
    figures: { time, first: { ...time, unit: "ms in a new process" } },
    sizes: [20_000],
    quickSizes: [5_000],
    implementations: {
      turnkit: async () => (await import("./turnkit.js")).measure,
      "acpx 0.19.1": async () => (await import("./acpx.js")).measure,
      "use-acp 0.2.6": async () => (await import("./use-acp.js")).measure,
    },
    against: ["turnkit"],
    bars: [
      { implementation: "turnkit", figure: "time", atMost: 20 },
      { implementation: "acpx 0.19.1", figure: "time", against: "turnkit", atLeast: 25 },
      { implementation: "use-acp 0.2.6", figure: "time", against: "turnkit", atLeast: 100 },
    ],
    // The fastest implementation needs so little time that one garbage collection takes half of it.
    rounds: 11,
  },
  {
    name: "fold of a chat",
    what: "The same fold into the messages of a chat library. It runs only once, because it takes half a minute.",
    figures: { time, first: { ...time, unit: "ms in a new process" } },
    sizes: [20_000],
    quickSizes: [5_000],
    implementations: {
      turnkit: async () => (await import("./turnkit.js")).measure,
      "AI SDK 7": async () => (await import("./ai-sdk.js")).measure,
    },
    against: ["turnkit"],
    rounds: 1,
  },
  {
    name: "fold growth",
    what: "The same fold with growing numbers of chunks. The exponent is the growth of the time (1 is linear).",
    figures: { time },
    sizes: [10_000, 100_000, 1_000_000],
    quickSizes: [10_000, 100_000],
    implementations: {
      "one long message": async () => (await import("./shapes.js")).measureShape("one long message"),
      "an entry per 50 chunks": async () => (await import("./shapes.js")).measureShape("an entry per 50 chunks"),
      "100 messages in turn": async () => (await import("./shapes.js")).measureShape("100 messages in turn"),
    },
    rounds: 3,
  },
  {
    name: "fold of children",
    what: "Chunks of 60 B of one session, idle or at work, or of 100 working child sessions by turns. There is a new tree after every chunk. The client is measured too.",
    figures: { time, client: { ...time, unit: "ms in a client" } },
    sizes: [20_000],
    quickSizes: [5_000],
    implementations: {
      "idle session": async () => (await import("./children.js")).measureChildren("idle session"),
      "session at work": async () => (await import("./children.js")).measureChildren("session at work"),
      "100 child sessions": async () => (await import("./children.js")).measureChildren(100),
    },
    against: ["session at work", "idle session"],
    bars: [
      { implementation: "100 child sessions", figure: "time", against: "session at work", atMost: 1.3 },
      { implementation: "100 child sessions", figure: "client", against: "session at work", atMost: 1.3 },
      { implementation: "100 child sessions", figure: "time", against: "idle session", atMost: 1.3 },
      { implementation: "100 child sessions", figure: "client", against: "idle session", atMost: 1.3 },
    ],
    rounds: 11,
  },
  {
    name: "state memory",
    what: "Memory that the state of chunks of 60 B keeps alive, as a multiple of the bytes of text.",
    figures: {
      retained: { unit: "× payload", better: "less", digits: 2 },
      entries: { unit: "entries", better: "more" },
    },
    sizes: [200_000],
    quickSizes: [20_000],
    implementations: { turnkit: async () => (await import("./memory.js")).measureRetained },
  },
  {
    name: "tool output",
    what: "Output in pieces of 4 KiB; the size is in MB. The state has its default bound of 64 MiB.",
    figures: {
      time,
      most: { unit: "MB heap at most", better: "less", digits: 1 },
      kept: { unit: "MB of text kept", better: "more", digits: 1 },
    },
    sizes: [10, 100],
    quickSizes: [10],
    implementations: {
      "a terminal": async () => (await import("./memory.js")).measureOutput("a terminal"),
      "a tool call": async () => (await import("./memory.js")).measureOutput("a tool call"),
    },
  },
];

import type { Bar, Scenario } from "../scenario.js";

const milliseconds = { unit: "ms", better: "less", digits: 1 } as const;

const imports =
  (...modules: readonly string[]) =>
  async () =>
    (await import("./import-time.js")).measureImport(...modules);
const bundle = (source: string) => async () => (await import("./bundle-size.js")).measureBundle(source);
const onePrompt = (client: "turnkit" | "acpx") => async () => {
  const one = await import("./one-prompt.js");
  return one.measureOnePrompt(one[client]);
};

const sdk = "@agentclientprotocol/sdk";

/** Returns the bars of one figure for several implementations. */
const bars = (figure: string, most: Readonly<Record<string, number>>): readonly Bar[] =>
  Object.entries(most).map(([implementation, atMost]) => ({ implementation, figure, atMost }));

export const startScenarios: readonly Scenario[] = [
  {
    name: "import",
    what: "Import of a package in a process that has loaded nothing else.",
    figures: { time: milliseconds },
    sizes: [1],
    implementations: {
      "@turnkit/client": imports("@turnkit/client"),
      "@turnkit/agent": imports("@turnkit/agent"),
      "@turnkit/session": imports("@turnkit/session"),
      "@turnkit/transport": imports("@turnkit/transport"),
      "SDK 2.4.0 v1": imports(sdk),
      "SDK 2.4.0 v1 and v2": imports(sdk, `${sdk}/experimental/v2`),
    },
    against: ["SDK 2.4.0 v1 and v2"],
    bars: [
      ...bars("time", { "@turnkit/client": 40, "@turnkit/session": 5, "@turnkit/transport": 8 }),
      { implementation: "@turnkit/client", figure: "time", against: "SDK 2.4.0 v1 and v2", atMost: 0.33 },
    ],
  },
  {
    name: "agent start",
    what: "Time from the start of turnkit-agent to its answer to `initialize`, and from the start to the end of a Node process without work.",
    figures: { time: milliseconds },
    sizes: [1],
    implementations: {
      "turnkit-agent": async () => (await import("./first-answer.js")).measureFirstAnswer,
      "empty Node": async () => (await import("./first-answer.js")).measureEmptyNode,
    },
    against: ["empty Node"],
    bars: [
      { implementation: "turnkit-agent", figure: "time", atMost: 250 },
      { implementation: "turnkit-agent", figure: "time", against: "empty Node", atMost: 2 },
    ],
  },
  {
    name: "one prompt",
    what: "One prompt with turnkit-agent and a model that answers at once, from the start of the client to its end.",
    figures: { time: milliseconds },
    sizes: [1],
    implementations: {
      turnkit: onePrompt("turnkit"),
      "acpx 0.19.1": onePrompt("acpx"),
    },
    against: ["acpx 0.19.1"],
    bars: [{ implementation: "turnkit", figure: "time", against: "acpx 0.19.1", atMost: 0.6 }],
    rounds: 7,
  },
  {
    name: "bundle",
    what: "Size of a minified bundle with all dependencies, in kB of gzip.",
    figures: { gzip: { unit: "kB", better: "less", digits: 1 } },
    sizes: [1],
    implementations: {
      "client, all dialects": bundle(`export { connect } from "@turnkit/client"`),
      "client, version 1 alone": bundle(`export { connectWith, v1Dialect } from "@turnkit/client"`),
      "agent, all dialects": bundle(`export { createAgent } from "@turnkit/agent"`),
      "agent, version 1 alone": bundle(`export { createAgentWith, v1Dialect } from "@turnkit/agent"`),
      "session, everything": bundle(`export * from "@turnkit/session"`),
      "session, reducer": bundle(`export { reduce, createSessionState } from "@turnkit/session"`),
      "session, reducer + version 1": bundle(`export { reduce, createSessionState, decodeV1 } from "@turnkit/session"`),
      "session, reducer + all": bundle(
        `export { reduce, createSessionState, decodeV1, decodeV2 } from "@turnkit/session"`,
      ),
      "transport root": bundle(`export * from "@turnkit/transport"`),
      "one constant": bundle(`export { rpcErrorCode } from "@turnkit/client"`),
      "SDK 2.4.0, one constant": bundle(`export { PROTOCOL_VERSION } from "${sdk}"`),
      "SDK 2.4.0 v1": bundle(`export * from "${sdk}"`),
      "SDK 2.4.0 v1 and v2": bundle(`export * as one from "${sdk}"; export * as two from "${sdk}/experimental/v2"`),
    },
    bars: bars("gzip", {
      ...{ "client, all dialects": 34, "client, version 1 alone": 25 },
      ...{ "agent, all dialects": 34, "agent, version 1 alone": 25 },
      ...{ "session, reducer + version 1": 6, "session, reducer + all": 8, "session, everything": 15 },
      ...{ "transport root": 6, "one constant": 0.5 },
    }),
    rounds: 1,
  },
];

import { expect, test } from "vitest";
import { checkRegistryEntry, chooseAgentChecks, runAgentChecks, runClientChecks } from "../src/index.js";
import { commandAgent, commandClient } from "../src/node/index.js";

type Row = readonly [name: string, call: (options: object) => unknown, options: Readonly<Record<string, unknown>>];

const open = () => Promise.reject(new Error("never opened"));

const ROWS: readonly Row[] = [
  [
    "runAgentChecks",
    (of) => runAgentChecks(open, of),
    { timeoutMs: "30s", seed: "1", jobs: "4", suite: "fast", profile: true, cwd: 5, onResult: true },
  ],
  [
    "runClientChecks",
    (of) => runClientChecks(open, of),
    { timeoutMs: "30s", seed: "1", jobs: "4", suite: "fast", onResult: true },
  ],
  ["chooseAgentChecks", chooseAgentChecks, { suite: "fast" }],
  ["checkRegistryEntry", (of) => checkRegistryEntry({ manifest: {} }, of), { onResult: true }],
  ["checkRegistryEntry", (of) => checkRegistryEntry({ manifest: {}, ...of }), { open: true, timeoutMs: "30s" }],
  ["commandAgent", (of) => commandAgent(["node"], of), { cwd: 5 }],
  ["commandClient", (of) => commandClient("node {agent}", { folder: "/", ...of }), { folder: 5, restore: 5 }],
];

test.each(
  ROWS.flatMap(([name, call, all]) => Object.entries(all).map(([option, got]) => [name, option, got, call] as const)),
)("defect N63: %s refuses %s of another type: %o", async (name, option, got, call) => {
  const error: unknown = await (async () => call({ [option]: got }))().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message).toMatch(new RegExp(`${name} ${option} got .+: pass .+\\.$`));
});

test("defect N63: an unknown protocol would choose no check, and every agent would pass", () => {
  for (const protocol of ["v1", 3, "1"]) {
    expect(() => chooseAgentChecks({ protocol: protocol as never })).toThrow(/protocol got .+: pass 1, 2 or "seed"/);
  }
});

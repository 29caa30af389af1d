import { expect, test } from "vitest";
import { createGateway, createMemoryEngine } from "../src/index.js";
import { createJetStreamEngine } from "../src/jetstream/index.js";

type Row = readonly [name: string, call: (options: object) => unknown, options: Readonly<Record<string, unknown>>];

const gateway = (options: object) => createGateway({ agent: () => undefined, ...options } as never);

const ROWS: readonly Row[] = [
  [
    "createGateway",
    gateway,
    { agent: {}, log: {}, answers: true, unattendedMs: "5s", unattended: {}, idleMs: "5s", onDiagnostic: "print" },
  ],
  [
    "createGateway limits",
    (limits) => gateway({ limits }),
    { attachmentUpdates: "5", attachmentBytes: "5", attachments: -1, sessions: true, stateBytes: "64mb" },
  ],
  ["createMemoryEngine", (of) => createMemoryEngine(of), { ttlMs: "15s" }],
  [
    "createJetStreamEngine",
    (of) => createJetStreamEngine({ request: () => undefined } as never, of),
    {
      ...{ tenant: 5, name: 5, streamCount: "1", replicas: "3", ttlMs: "15s", pageSize: "5", snapshotEvents: "5" },
      ...{ maxAgeMs: "7d", maxStreamBytes: "1gb" },
    },
  ],
];

test.each(
  ROWS.flatMap(([name, call, all]) => Object.entries(all).map(([option, got]) => [name, option, got, call] as const)),
)("defect N63: %s refuses %s of another type: %o", async (name, option, got, call) => {
  const error: unknown = await (async () => call({ [option]: got }))().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message).toMatch(new RegExp(`${name} ${option} got .+: pass .+\\.$`));
});

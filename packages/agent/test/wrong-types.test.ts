import { createMemoryPair } from "@turnkit/transport/channels";
import { expect, test } from "vitest";
import { compactEvents, createAgent, createMemoryLog } from "../src/index.js";
import { createFileLog, createLocalFiles, createLocalTerminals } from "../src/node/index.js";
import { info } from "./raw-client.js";

type Row = readonly [name: string, call: (options: object) => unknown, options: Readonly<Record<string, unknown>>];

const agent = (handlers: object) => createAgent({ info, prompt: () => undefined, ...handlers } as never);
const serve = (options: object) => agent({}).serve(createMemoryPair()[0], options as never);
const session = { terminal: () => undefined };

const ROWS: readonly Row[] = [
  ["createAgent", agent, { dataVersion: "1", whilePrompting: "wait", onKeyReuse: true, login: "yes", fallback: 5 }],
  ["promptCapabilities", (of) => agent({ promptCapabilities: of }), { image: "yes", audio: 1, embeddedContext: "no" }],
  ["mcpCapabilities", (of) => agent({ mcpCapabilities: of }), { http: "yes", sse: 1 }],
  [
    "sessionCapabilities",
    (of) => agent({ sessionCapabilities: of }),
    { additionalDirectories: "yes", systemPrompt: true },
  ],
  ["serve", serve, { cancelGraceMs: "5s", batches: true, onDiagnostic: "print", onLoss: 1 }],
  [
    "limits",
    (limits) => serve({ limits }),
    { waitingMessages: "5", stateBytes: "64mb", openSessions: "5", waitingCalls: -1, terminalBytes: Number.NaN },
  ],
  ["createMemoryLog", (of) => createMemoryLog(of), { pageSize: "5", compactAbove: "5", maxSessions: true }],
  [
    "createFileLog",
    (of) => createFileLog("/log", of),
    { pageSize: "5", maxRecordBytes: "5", compactBytes: 0, onRepair: 1 },
  ],
  ["createLocalFiles", (of) => createLocalFiles([], of), { hardLinks: true }],
  ["createLocalTerminals", (of) => createLocalTerminals(session as never, of), { maxOutputBytes: "5", graceMs: "2s" }],
  ["createSessionState", (of) => compactEvents([], of), { stateBytes: "5", entryBytes: "5", terminalBytes: "5" }],
  ["stateEvents", (of) => compactEvents([], of), { maxEventBytes: "5" }],
];

test.each(
  ROWS.flatMap(([name, call, all]) => Object.entries(all).map(([option, got]) => [name, option, got, call] as const)),
)("defect N63: %s refuses %s of another type: %o", async (name, option, got, call) => {
  const error: unknown = await (async () => call({ [option]: got }))().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message).toMatch(new RegExp(`${name} ${option} got .+: pass .+\\.$`));
});

test("defect N63: the version of the data as text is refused: no stored data would ever fit", () => {
  expect(() => agent({ dataVersion: "1" })).toThrow('createAgent dataVersion got "1": pass a number.');
});

import { expect, test } from "vitest";
import { stateEvents } from "../src/codec/index.js";
import { createSessionState, createSessionStore } from "../src/index.js";
import { watchSessions } from "../src/watch/index.js";

type Row = readonly [name: string, call: (options: object) => unknown, options: Readonly<Record<string, unknown>>];

const ROWS: readonly Row[] = [
  ["createSessionState", createSessionState, { stateBytes: "64mb", entryBytes: -1, terminalBytes: Number.NaN }],
  ["createSessionStore", (of) => createSessionStore(undefined, of), { notify: "raf", metaMode: "merge" }],
  ["stateEvents", (of) => stateEvents(createSessionState(), of), { maxEventBytes: "5" }],
  ["watchSessions", watchSessions, { maxSessions: "5", dialect: "v3", onSession: true, onEvent: true, onError: true }],
];

test.each(
  ROWS.flatMap(([name, call, all]) => Object.entries(all).map(([option, got]) => [name, option, got, call] as const)),
)("defect N63: %s refuses %s of another type: %o", (name, option, got, call) => {
  const wrong = () => call({ [option]: got });
  expect(wrong).toThrow(TypeError);
  expect(wrong).toThrow(new RegExp(`${name} ${option} got .+: pass .+\\.$`));
});

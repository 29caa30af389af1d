import { createMemoryPair } from "@turnkit/transport/channels";
import { expect, test } from "vitest";
import {
  createFaultyBytes,
  createFaultyChannel,
  createRandom,
  createRawPeer,
  createTranscript,
  draftForms,
} from "./index.js";

type Row = readonly [name: string, call: (options: object) => unknown, options: Readonly<Record<string, unknown>>];

const [end] = createMemoryPair();

const ROWS: readonly Row[] = [
  ["createRawPeer", (of) => createRawPeer(end, of), { patienceMs: "2s", limit: "5" }],
  ["createTranscript", createTranscript, { patienceMs: "2s", limit: "5" }],
  ["draftForms", (of) => draftForms([], of), { claimsPreview: "yes" }],
  [
    "createFaultyChannel",
    (of) => createFaultyChannel(end, { seed: 1, ...of }),
    { delay: "0.5", cut: Number.NaN, cutAfter: "5", direction: "out", longestDelay: true },
  ],
  ["createFaultyBytes", (of) => createFaultyBytes({ seed: 1, ...of }), { split: "5", garble: "0.5", cutAfter: "5" }],
];

test.each(
  ROWS.flatMap(([name, call, all]) => Object.entries(all).map(([option, got]) => [name, option, got, call] as const)),
)("defect N63: %s refuses %s of another type: %o", (name, option, got, call) => {
  const wrong = () => call({ [option]: got });
  expect(wrong).toThrow(TypeError);
  expect(wrong).toThrow(new RegExp(`${name} ${option} got .+: pass .+\\.$`));
});

test("defect N63: a seed as text gave the random numbers of the seed 0 or another one", () => {
  expect(() => createRandom("seed" as never)).toThrow('createRandom got "seed": pass a number, such as 1.');
  expect(() => createFaultyBytes({ seed: "1" as never })).toThrow("createRandom got");
});

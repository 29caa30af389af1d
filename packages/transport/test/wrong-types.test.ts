import { afterEach, expect, it, test, vi } from "vitest";
import { createByteStreamChannel, createMemoryPair, pipeChannels } from "../src/channels/index.js";
import { checkOptions, createConnection, type OptionTypes } from "../src/index.js";
import { childEnvironment, createStdioChannel, runInForeground, spawnChannel } from "../src/node/index.js";
import { createWirePlayer, recordChannel, tapChannel } from "../src/trace/index.js";

afterEach(() => void vi.restoreAllMocks());

type Call = (options: any) => unknown;
const end = () => createMemoryPair()[0];
const streams = () => new TransformStream<Uint8Array, Uint8Array>();
const stdio = () => ({ input: process.stdin, output: process.stdout });

const CALLS: readonly (readonly [name: string, call: Call, options: object])[] = [
  [
    "createConnection",
    (options) => createConnection(end(), options),
    { route: true, invalidLines: "print", batches: true, nullIds: true, validateOutgoing: {}, onDiagnostic: "print" },
  ],
  [
    "createByteStreamChannel limits",
    (options) => createByteStreamChannel(streams(), options),
    { frame: "1", unsent: -1, highWater: Number.NaN, message: true },
  ],
  ["createStdioChannel", (options) => createStdioChannel({ ...stdio(), ...options }), { flushMs: "5" }],
  [
    "spawnChannel",
    (options) => spawnChannel(["node"], options),
    { cwd: 5, stderrBytes: "1", graceMs: "2s", onStderr: true },
  ],
  ["runInForeground", (options) => runInForeground(["node"], options), { cwd: 5, graceMs: "2s" }],
  ["tapChannel", (options) => tapChannel(end(), () => undefined, options), { secrets: true }],
  ["recordChannel", (options) => recordChannel(end(), () => undefined, options), { limit: "1", redact: true, now: 5 }],
  ["createWirePlayer", (options) => createWirePlayer([], options), { plays: "both", fits: true, window: "1" }],
  [
    "pipeChannels",
    (options) => pipeChannels(end(), end(), options),
    { request: 1, response: 1, notification: 1, onError: 1 },
  ],
];

test.each(
  CALLS.flatMap(([name, call, all]) => Object.entries(all).map(([option, got]) => [name, option, got, call] as const)),
)("defect N63: %s refuses %s of another type: %o", async (name, option, got, call) => {
  const error: unknown = await (async () => call({ [option]: got } as never))().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  const shown = typeof got === "string" ? JSON.stringify(got) : typeof got === "object" ? "an object" : String(got);
  expect((error as Error).message).toContain(`${name} ${option} got ${shown}`);
  expect((error as Error).message).toMatch(/: pass .+\.$/);
});

it("defect N63: the sentence has the unit, the values, or the form", () => {
  const types = { ttlMs: "number", maxBytes: "number", most: "number", on: "boolean", as: ["a", "b", "c"] } as const;
  const check = (options: object) => () => checkOptions("serve", options, types);
  expect(check({ ttlMs: "5" })).toThrow('serve ttlMs got "5": pass a number of milliseconds.');
  expect(check({ maxBytes: "5" })).toThrow("pass a number of bytes.");
  expect(check({ most: "5" })).toThrow("pass a number.");
  expect(check({ most: -1 })).toThrow("serve most got -1: pass a number from 0.");
  expect(check({ ttlMs: Number.NaN })).toThrow("serve ttlMs got NaN: pass a number of milliseconds from 0.");
  expect(check({ on: "yes" })).toThrow('serve on got "yes": pass true or false.');
  expect(check({ as: "d" })).toThrow('serve as got "d": pass a, b or c.');
  expect(check({ ttlMs: Number.POSITIVE_INFINITY, maxBytes: undefined, on: false, as: "a" })).not.toThrow();
});

it("a table without the type of an option does not compile", () => {
  type Options = {
    readonly ttlMs?: number;
    readonly on?: boolean;
    readonly tell?: () => void;
    readonly list?: string[];
  };
  const right: OptionTypes<Options> = { ttlMs: "number", on: "boolean", tell: "function", list: "any" };
  // @ts-expect-error: a number cannot be any value
  const loose: OptionTypes<Options> = { ...right, ttlMs: "any" };
  // @ts-expect-error: the list is missing
  const short: OptionTypes<Options> = { ttlMs: "number", on: "boolean", tell: "function" };
  expect([loose, short]).toHaveLength(2);
});

it("a misspelled option of a recorder or a player is printed with the nearest name", () => {
  const print = vi.spyOn(console, "error").mockImplementation(() => undefined);
  recordChannel(end(), () => undefined, { limits: 5 } as never);
  createWirePlayer([], { windows: 5 } as never);
  const said = print.mock.calls.join("\n");
  for (const name of ["limits of recordChannel", "windows of createWirePlayer"]) {
    expect(said).toContain(`The option ${name} is not used`);
  }
});

it("an environment keeps its own sentence", () => {
  expect(() => childEnvironment({ names: "KEY" } as never)).toThrow("pass a list of names");
});

it.each([function* () {}, async function* () {}])("defect N141: a generator as a function is refused", (generator) => {
  const message =
    "serve onEnd got a generator function: pass a function without `*`, because nothing runs the body of a";
  expect(() => checkOptions("serve", { onEnd: generator }, { onEnd: "function" })).toThrow(message);
  expect(() => checkOptions("serve", { onEnd: async () => 1 }, { onEnd: "function" })).not.toThrow();
});

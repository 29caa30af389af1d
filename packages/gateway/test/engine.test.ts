import { compactEvents, type SessionLog } from "@turnkit/agent";
import {
  type EngineSubject,
  engineCases,
  installManualClock,
  isExpectationError,
  sessionLogCases,
} from "@turnkit/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { createMemoryEngine, type Engine, type Ownership } from "../src/index.js";

const inMemory = (): EngineSubject => {
  const clock = installManualClock();
  onTestFinished(() => clock.uninstall());
  const engine = createMemoryEngine({ ttlMs: 9_000 });
  return { engine, other: engine, pass: (ms) => clock.advance(ms) };
};

describe("an engine in memory", () => {
  test.each(engineCases())("SHARE-01 $title", async ({ run }) => run(inMemory()));

  test.each(sessionLogCases({ compact: compactEvents }))("is a log that $title", async ({ run }) => {
    const engine = createMemoryEngine();
    await run({ log: engine, other: engine, pageSize: 100 });
  });
});

type Fault = (engine: Engine) => Partial<Engine>;

const withOwner =
  (change: (owner: Ownership, engine: Engine) => Partial<Ownership>): Fault =>
  (engine) => ({
    async open(id, info) {
      const owner = await engine.open(id, info);
      const sound: Ownership = {
        lost: owner.lost,
        append: (event) => owner.append(event),
        commit: () => owner.commit(),
        renew: () => owner.renew(),
        onCommand: (handler) => owner.onCommand(handler),
        [Symbol.asyncDispose]: () => owner[Symbol.asyncDispose](),
      };
      return { ...sound, ...change(owner, engine) };
    },
  });

/** Engines with one fault each, and the case that finds it. */
const faults: readonly [string, Fault][] = [
  ["keeps an owner that renews", withOwner(() => ({ renew: async () => undefined }))],
  [
    "gives a session to another owner after",
    withOwner(() => ({ commit: async () => undefined, append: () => undefined })),
  ],
  ["stores nothing after the time", withOwner(() => ({ commit: async () => undefined, append: () => undefined }))],
  ["gives a session at once", withOwner(() => ({ lost: Promise.resolve() }))],
  ["deletes a session", () => ({ delete: async () => undefined })],
  [
    "brings a command to the owner",
    (engine) => ({ command: async (_, command) => command && engine.command("s", {}) }),
  ],
  ["brings a command to nobody but", () => ({ command: async () => ({}) })],
  ["says that a command failed", () => ({ command: async () => ({}) })],
];

test.each(faults)("an engine that breaks a promise fails its case: %s", async (title, fault) => {
  const { engine: sound, pass } = inMemory();
  const engine = { ...(sound as unknown as SessionLog), ...sound, ...fault(sound as Engine) } as Engine;
  const found = engineCases().find((one) => one.title.startsWith(title));
  const error = await found?.run({ engine, other: engine, pass }).then(
    () => undefined,
    (problem: unknown) => problem,
  );
  expect([found?.title.startsWith(title), isExpectationError(error) || error instanceof Error]).toEqual([true, true]);
});

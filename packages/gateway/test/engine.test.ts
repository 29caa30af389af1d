import { compactEvents, type SessionLog } from "@turnkit/agent";
import {
  type EngineSubject,
  engineCases,
  installManualClock,
  isExpectationError,
  sessionLogCases,
} from "@turnkit/testing";
import type { Receiver } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Channel, createMemoryEngine, type Engine, type Ownership } from "../src/index.js";

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
        onConnect: (handler) => owner.onConnect(handler),
        [Symbol.asyncDispose]: () => owner[Symbol.asyncDispose](),
      };
      return { ...sound, ...change(owner, engine) };
    },
  });

/** A channel that sends messages in the wrong order. */
function reversed(channel: Channel): Channel {
  const waiting: Parameters<Channel["send"]>[0][] = [];
  const send: Channel["send"] = (message) => {
    waiting.unshift(message);
    if (waiting.length > 1) for (const one of waiting.splice(0)) channel.send(one);
    return undefined;
  };
  return Object.assign(channel, { send: send.bind(undefined) });
}

/** A channel whose messages do not arrive. */
function deaf(channel: Channel): Channel {
  const start = channel.start.bind(channel);
  return Object.assign(channel, {
    start: (receiver: Receiver) => start({ ...receiver, message: () => undefined }),
  });
}

/** Engines with one fault each, and the case that finds it. */
const faults: readonly [string, Fault][] = [
  ["keeps an owner that renews", withOwner(() => ({ renew: async () => undefined }))],
  [
    "gives a session to another owner after",
    withOwner(() => ({ commit: async () => undefined, append: () => undefined })),
  ],
  ["stores nothing after the time", withOwner(() => ({ commit: async () => undefined, append: () => undefined }))],
  ["gives a session immediately", withOwner(() => ({ lost: Promise.resolve() }))],
  ["deletes a session", () => ({ delete: async () => undefined })],
  ["brings messages of any size", ({ connect }) => ({ connect: async (id) => reversed(await connect(id)) })],
  ["opens a channel to nobody but", () => ({ connect: async () => createMemoryPair()[0] })],
  ["says that a channel was refused", () => ({ connect: async () => createMemoryPair()[0] })],
  ["closes the channels of an owner that ends", ({ connect }) => ({ connect: async (id) => deaf(await connect(id)) })],
  [
    "closes one channel on both sides",
    ({ connect }) => {
      const first = new Map<string, Promise<Channel>>();
      const connectOnce: Engine["connect"] = (id) => {
        const known = first.get(id) ?? connect(id);
        first.set(id, known);
        return known;
      };
      return { connect: connectOnce };
    },
  ],
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

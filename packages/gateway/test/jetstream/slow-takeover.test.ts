import { expect, test } from "vitest";
import type { Subjects, Values } from "../../src/jetstream/store.js";
import { StoredEngine } from "../../src/jetstream/stored-engine.js";
import { ModelServer } from "./model-server.js";
import { modelStore } from "./model-store.js";
import { Process, World } from "./model-world.js";

const TTL = 2_000;
/** Time in which the stream has no leader, in milliseconds: longer than an ownership. */
const AWAY = 12_000;

/**
 * Engine of a process whose streams have no leader for a time. With `silence`, the servers do not answer after the claim of a
 * session. The owners are in another stream, which has one. Requests to other
 * processes are never answered, as if the machine of the owner had no power.
 */
function engineIn(world: World, server: ModelServer, away = AWAY, silence?: { until: number }): StoredEngine {
  const process = new Process(world);
  const faults = () => ({ lostRequest: 0, lostAnswer: 0, slow: 0, slowMs: 0 });
  const store = modelStore({ world, server, process, number: 1, faults });
  const later = async <T>(work: () => Promise<T>): Promise<T> => {
    if (world.time < away) throw new Error("timeout");
    return work();
  };
  const subjects: Subjects = {
    ...store.subjects,
    append: (subject, data, place) => later(() => store.subjects.append(subject, data, place)),
    last: (subject) => later(() => store.subjects.last(subject)),
  };
  const heard = async <T>(work: () => Promise<T>): Promise<T> => {
    if (world.time < (silence?.until ?? 0)) throw new Error("timeout");
    return work();
  };
  const values = (all: Values): Values => ({
    ...all,
    get: (key) => heard(() => all.get(key)),
    put: (key, ...value) => heard(() => all.put(key, ...value)),
  });
  const owners = values(store.owners);
  /** After the claim of a session, the servers do not answer for three times the time of an ownership. */
  const claiming: Values = {
    ...owners,
    async put(...args) {
      const revision = await owners.put(...args);
      if (silence?.until === 0) silence.until = world.time + TTL * 3;
      return revision;
    },
  };
  const manifests = values(store.manifests);
  const layout = { name: "acp", tenant: "t-all", streams: 1, hash: async () => "00000000" };
  const messenger = {
    maxBytes: 1_000,
    send: () => undefined,
    listen: () => () => undefined,
    ask: (_subject: string, _data: Uint8Array, timeoutMs: number) =>
      new Promise<never>((_, reject) => process.later(timeoutMs, () => reject(new Error("timeout")))),
  };
  let names = 0;
  return new StoredEngine(async () => ({ ...store, owners: claiming, manifests, subjects, layout, messenger }), {
    ...{ ttlMs: TTL, pageSize: 10, snapshotEvents: 100, mayBeCut: false, clock: process.clock },
    newName: () => `owner-${names++}`,
  });
}

/** Lets the time of the world pass until `work` has settled. */
async function settledIn<T>(world: World, work: PromiseLike<T>): Promise<PromiseSettledResult<T>> {
  let result: PromiseSettledResult<T> | undefined;
  void Promise.allSettled([work]).then(([one]) => {
    result = one;
  });
  await new Promise((resolve) => setImmediate(resolve));
  await world.run(() => result !== undefined);
  return result as PromiseSettledResult<T>;
}

test("NATS-09 an owner keeps its ownership while the stream of the session has no leader, as after the death of a broker", async () => {
  const world = new World(1);
  const engine = engineIn(world, new ModelServer());
  let isOver = false;
  const opening = engine.open("one", { sessionId: "one", cwd: "/work" }).finally(() => {
    isOver = true;
  });
  opening.catch(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  await world.run(() => isOver);
  const owner = await opening;
  expect(world.time).toBeGreaterThan(AWAY);
  expect(owner.maxEventBytes).toBeGreaterThan(0);
});

test("NATS-05 defect G42: an engine that loses a session while it opens it says so, and does not ask the servers for ever", async () => {
  const world = new World(1);
  const server = new ModelServer();
  const first = await settledIn(world, engineIn(world, server, 0).open("one", { sessionId: "one", cwd: "/work" }));
  if (first.status === "fulfilled") await settledIn(world, first.value[Symbol.asyncDispose]());
  const silence = { until: 0 };
  const opened = await settledIn(world, engineIn(world, server, 0, silence).open("one"));
  expect(opened).toMatchObject({ reason: { problem: "locked" } });
  expect(world.time).toBeLessThan(silence.until + TTL);
});

test("NATS-09 defect G32: a call to an owner whose machine has lost its power ends when the ownership does", async () => {
  const world = new World(1);
  const server = new ModelServer();
  const settled = <T>(work: Promise<T>) => settledIn(world, work);
  await settled(engineIn(world, server, 0).open("one", { sessionId: "one", cwd: "/work" }));
  const owned = world.time;
  const other = engineIn(world, server, 0);
  expect(await settled(other.open("one"))).toMatchObject({ reason: { problem: "locked" } });
  await settled(new Promise<void>((resolve) => world.after(TTL * 0.8, resolve)));
  expect(await settled(other.connect("one"))).toMatchObject({ reason: { problem: "failed" } });
  expect(world.time - owned).toBeLessThan(TTL * 1.15);
  await settled(other.open("one"));
  expect(world.time - owned).toBeLessThan(TTL * 1.2);
});

import { expect, test } from "vitest";
import type { Subjects } from "../../src/jetstream/store.js";
import { StoredEngine } from "../../src/jetstream/stored-engine.js";
import { ModelServer } from "./model-server.js";
import { modelStore } from "./model-store.js";
import { Process, World } from "./model-world.js";

const TTL = 2_000;
/** Time in which the stream has no leader, in milliseconds: longer than an ownership. */
const AWAY = 12_000;

/** Engine of a process whose streams have no leader at first. The owners are in another stream, which has one. */
function engineIn(world: World, server: ModelServer): StoredEngine {
  const process = new Process(world);
  const faults = () => ({ lostRequest: 0, lostAnswer: 0, slow: 0, slowMs: 0 });
  const store = modelStore({ world, server, process, number: 1, faults });
  const later = async <T>(work: () => Promise<T>): Promise<T> => {
    if (world.time < AWAY) throw new Error("timeout");
    return work();
  };
  const subjects: Subjects = {
    ...store.subjects,
    append: (subject, data, place) => later(() => store.subjects.append(subject, data, place)),
    last: (subject) => later(() => store.subjects.last(subject)),
  };
  const layout = { name: "acp", tenant: "t-all", streams: 1, hash: async () => "00000000" };
  const messenger = {
    maxBytes: 1_000,
    send: () => undefined,
    listen: () => () => undefined,
    ask: () => new Promise<never>(() => undefined),
  };
  let names = 0;
  return new StoredEngine(async () => ({ ...store, subjects, layout, messenger }), {
    ...{ ttlMs: TTL, pageSize: 10, snapshotEvents: 100, mayBeCut: false, clock: process.clock },
    newName: () => `owner-${names++}`,
  });
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

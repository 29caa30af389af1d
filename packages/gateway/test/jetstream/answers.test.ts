import { expect, test } from "vitest";
import { Answers } from "../../src/jetstream/answers.js";
import { FinalFault, RefusedFault, type Store } from "../../src/jetstream/store.js";

function watched(patienceMs: number) {
  const received: boolean[] = [];
  const state = { now: 0, answer: async (): Promise<number> => 1 };
  const clock = { now: () => state.now, after: () => () => undefined };
  const answers = new Answers({ clock, patienceMs, changed: (answer) => received.push(answer) });
  const store = { subjects: { append: () => state.answer() }, owners: { put: () => state.answer() } };
  const { subjects, owners } = answers.watch(store as unknown as Store);
  const append = () => subjects.append("s", new Uint8Array(), { id: "1", after: 0 }).catch(() => undefined);
  return { received, state, append, renew: () => owners.put("k", "v", 1).catch(() => undefined) };
}

const failing = (error: Error) => () => Promise.reject(error);

test("NATS-12 defect G51: servers that are connected and give no answers are noticed, and their next answer too", async () => {
  const { received, state, append, renew } = watched(1_000);
  await renew();
  state.answer = failing(new Error("timeout"));
  await append();
  state.now = 999;
  await renew();
  expect(received).toEqual([]);
  state.now = 1_000;
  await renew();
  await append();
  expect(received).toEqual([false]);
  // A refusal is an answer.
  state.answer = failing(new RefusedFault("wrong last sequence"));
  await append();
  expect(received).toEqual([false, true]);
});

test("defect G51: one request that takes too long is enough, and a connection that was closed says nothing", async () => {
  const { received, state, append, renew } = watched(1_000);
  state.answer = failing(new FinalFault("closed"));
  await append();
  state.now = 5_000;
  await append();
  expect(received).toEqual([]);
  state.answer = async () => {
    state.now += 1_000;
    throw new Error("timeout");
  };
  await renew();
  expect(received).toEqual([false]);
});

import type { InboundCall, Room } from "@turnkit/transport";
import { expect, test } from "vitest";
import { gate } from "../../test/raw-agent.js";
import { LargeAnswers } from "./large-answers.js";

/** Drives requests as a connection does: the answer of each leaves when its work has settled. */
function requests(most: number, roomAfter: (name: string) => Room = () => undefined) {
  const answers = new LargeAnswers(most);
  const log: string[] = [];
  const run = async (name: string, work: () => unknown, signal = new AbortController().signal): Promise<void> => {
    const after: ((room: Room) => void)[] = [];
    const call = { afterResponse: (then: (room: Room) => void) => after.push(then) } as unknown as InboundCall;
    const begin = () => {
      log.push(`${name} begins`);
      return work();
    };
    const outcome = await answers.run(call, { signal }, begin).then(
      () => "answered",
      () => "failed",
    );
    log.push(`${name} ${outcome}`);
    for (const then of after) then(outcome === "answered" ? roomAfter(name) : undefined);
  };
  return { answers, log, run };
}

const turns = async () => {
  for (let turn = 0; turn < 50; turn++) await undefined;
};

test("requests begin in order, a few at a time; none fails", async () => {
  const { log, run } = requests(2);
  const gates = ["a", "b", "c", "d"].map((name) => ({ name, ...gate() }));
  for (const { name, promise } of gates) void run(name, () => promise);
  await turns();
  expect(log).toEqual(["a begins", "b begins"]);
  for (const { open } of gates.toReversed()) {
    open();
    await turns();
  }
  expect(log).toEqual([
    ...["a begins", "b begins", "b answered", "c begins", "c answered", "d begins", "d answered"],
    "a answered",
  ]);
});

test("no request begins, and no answer is sent, while an earlier answer is unsent", async () => {
  const room = gate();
  const { log, run } = requests(2, (name) => (name === "a" ? room.promise : undefined));
  for (const name of ["a", "b", "c"]) void run(name, () => name);
  await turns();
  expect(log).toEqual(["a begins", "b begins", "a answered"]);
  room.open();
  await turns();
  expect(log.slice(3)).toEqual(["b answered", "c begins", "c answered"]);
});

test("a request that fails gives its place back, one that is withdrawn never begins", async () => {
  const { log, run } = requests(1);
  const first = gate();
  const withdrawn = new AbortController();
  void run("a", () => first.promise.then(() => Promise.reject(new Error("no"))));
  void run("b", () => "b", withdrawn.signal);
  void run("c", () => "c");
  withdrawn.abort();
  await turns();
  expect(log).toEqual(["a begins", "b failed"]);
  first.open();
  await turns();
  expect(log.slice(2)).toEqual(["a failed", "c begins", "c answered"]);
});

test("a release waits until the requests before it have begun, and for no answer", async () => {
  const { answers, log, run } = requests(1);
  const first = gate();
  void run("a", () => first.promise);
  void run("b", () => new Promise(() => {}));
  void answers.begun(new AbortController()).then(() => log.push("released"));
  await turns();
  expect(log).toEqual(["a begins"]);
  first.open();
  await turns();
  expect(log).toEqual(["a begins", "a answered", "b begins", "released"]);
});

import { describe, expect, it } from "vitest";
import { createMemoryPair } from "../src/channels/index.js";
import { type Connection, createConnection, type Lane } from "../src/index.js";
import { random } from "./random.js";

const BUDGET = 8;

type Watch = { waiting: number; most: number; received: string[]; sent: number; acting: number };

/**
 * One side of a talk in which both sides send many notes while their listeners call each other. The handlers send many
 * notes before they answer: every way in which waiting for each other could stop the pipe.
 */
function side(connection: Connection, roll: (below: number) => number, watch: Watch): (depth: number) => Promise<void> {
  const lanes: Lane[] = [connection.openLane(), connection.openLane()];

  const flood = (count: number, depth: number) => {
    let room: Promise<void> | undefined;
    for (let note = 0; note < count; note += 1) {
      const lane = roll(lanes.length);
      room = connection.notify("note", { lane, depth, n: watch.sent }) ?? room;
      watch.sent += 1;
    }
    return room;
  };

  const act = async (depth: number): Promise<void> => {
    for (let turn = roll(3); turn >= 0; turn -= 1) {
      const kind = roll(4);
      if (kind === 0) await flood(roll(20), depth);
      else if (kind === 1) await connection.request("ask", { depth: depth - 1, count: roll(20) });
      else if (kind === 2) await Promise.resolve();
      else void flood(roll(5), depth);
    }
  };

  connection.route = (method) => ({
    receive(params: { lane: number; depth: number; n: number; count: number }) {
      if (method === "ask") {
        return Promise.resolve(flood(params.count, params.depth)).then(() => ({}));
      }
      watch.waiting += 1;
      watch.most = Math.max(watch.most, watch.waiting);
      lanes[params.lane]?.notify(10, () => {
        watch.waiting -= 1;
        watch.received.push(`${params.lane}:${params.n}`);
        if (params.depth === 0 || roll(25) > 0) return undefined;
        watch.acting += 1;
        return act(params.depth - 1).finally(() => {
          watch.acting -= 1;
        });
      });
      return undefined;
    },
  });
  return async (depth) => {
    await act(depth);
    await flood(30, depth);
    await connection.request("ask", { depth, count: 30 });
  };
}

async function schedule(seed: number): Promise<Watch[]> {
  const roll = random(seed);
  const limits = { waitingMessages: BUDGET };
  const connections = createMemoryPair().map((channel) => createConnection(channel, { limits })) as [
    Connection,
    Connection,
  ];
  const watches = connections.map((): Watch => ({ waiting: 0, most: 0, received: [], sent: 0, acting: 0 }));
  const starts = connections.map((connection, index) => side(connection, roll, watches[index] as Watch));
  await Promise.all(starts.map((start) => start(3)));
  const [one, other] = watches as [Watch, Watch];
  while (one.received.length < other.sent || other.received.length < one.sent || one.acting + other.acting > 0) {
    await Promise.all(connections.map((connection) => connection.request("ask", { depth: 0, count: 0 })));
  }
  await connections[0].close();
  await Promise.all(connections.map(({ closed }) => closed));
  return watches;
}

describe("both sides flooding and asking each other at the budget", () => {
  it("never deadlocks, never exceeds the budget, loses nothing and keeps the order of each lane", async () => {
    for (let seed = 1; seed <= 1_000; seed += 1) {
      const [one, other] = (await schedule(seed)) as [Watch, Watch];
      for (const [here, there] of [
        [one, other],
        [other, one],
      ] as const) {
        expect(here.most, `seed ${seed}`).toBeLessThanOrEqual(BUDGET + 1);
        expect(here.received.length, `seed ${seed}`).toBe(there.sent);
        for (const lane of ["0", "1"]) {
          const numbers = here.received
            .filter((received) => received.startsWith(lane))
            .map((received) => Number(received.slice(2)));
          expect(numbers, `seed ${seed}`).toEqual([...numbers].sort((a, b) => a - b));
        }
      }
    }
  }, 60_000);
});

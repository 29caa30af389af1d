import { PassThrough } from "node:stream";
import { type Connection, createConnection } from "@turnkit/transport";
import { createStdioChannel } from "@turnkit/transport/node";
import { describe, expect, it } from "vitest";

const NOTES = 3_000;
const limits = { waitingMessages: 8 };
const filler = "x".repeat(1_000);

/** Two connections over pipes that hold little, so that both sides soon have no room to write. */
function narrowPair(): [Connection, Connection] {
  const [there, back] = [new PassThrough(), new PassThrough()];
  const channelLimits = { highWater: 4_096 };
  return [
    createConnection(createStdioChannel({ input: back, output: there, limits: channelLimits }), { limits }),
    createConnection(createStdioChannel({ input: there, output: back, limits: channelLimits }), { limits }),
  ];
}

/** Floods the other side, waiting for room each time, while every tenth note makes a listener ask the other side. */
async function talk(connection: Connection, received: number[]): Promise<void> {
  const lane = connection.openLane();
  connection.route = (method) => ({
    receive({ n }: { n: number }) {
      if (method === "ask") return Promise.resolve(connection.notify("aside", { n: -1, filler })).then(() => ({}));
      lane.notify(1_000, async () => {
        if (n >= 0) received.push(n);
        if (n % 10 === 0) await connection.request("ask", { n });
        else if (n % 10 === 5) await connection.notify("aside", { n: -1, filler });
      });
      return undefined;
    },
  });
  for (let n = 0; n < NOTES; n += 1) await connection.notify("note", { n, filler });
}

describe("both sides without room to write", () => {
  it("do not deadlock, lose nothing and keep the order, also when listeners ask at the budget", async () => {
    const [one, other] = narrowPair();
    const received: [number[], number[]] = [[], []];
    await Promise.all([talk(one, received[0]), talk(other, received[1])]);
    while (received[0].length < NOTES || received[1].length < NOTES) await one.request("ask", { n: 0 });
    const all = Array.from({ length: NOTES }, (_, n) => n);
    expect(received).toEqual([all, all]);
    await Promise.all([one.close(), other.close()]);
  });
});

import { createAgent } from "@turnkit/agent";
import { connect, type Session } from "@turnkit/client";
import { connectPair, createBytePair, createFaultyChannel, createRandom } from "@turnkit/testing";
import { createMemoryPair } from "@turnkit/transport/channels";
import { expect, test } from "vitest";

const info = { name: "under-test", version: "1.0.0" };

/** An agent that counts, in pieces of its message. */
const counting = createAgent({
  info,
  newSession() {},
  async prompt(turn) {
    for (let n = 1; n <= 20; n++) await turn.say(`${n} `);
  },
});

const counted = Array.from({ length: 20 }, (_, n) => `${n + 1} `).join("");

/** Collects the events of a session in the order of delivery. */
function listening() {
  const pieces: string[] = [];
  const listener = (event: { readonly type: string; readonly content?: any }) => {
    if (event.type === "agent_message_chunk") pieces.push(event.content.text);
  };
  return { pieces, listener };
}

const seeds = Array.from({ length: 20 }, (_, seed) => [seed] as const);

test.each(seeds)("late messages, and sessions that overtake each other, change nothing (seed %i)", async (seed) => {
  const faults = { seed, delay: 0.1, reorder: 0.2, longestDelay: 3 };
  await using pair = await connectPair({
    agent: (channel) => counting.serve(createFaultyChannel(channel, faults)),
    client: (channel) => connect(createFaultyChannel(channel, { ...faults, seed: ~seed }), { info }),
  });
  const heard = [listening(), listening(), listening()];
  const sessions: Session[] = [];
  for (const { listener } of heard) sessions.push(await pair.client.newSession({ cwd: "/work" }, listener));
  const ends = await Promise.all(sessions.map((session) => session.prompt("Count").ended));
  expect(ends.map(({ stopReason }) => stopReason)).toEqual(["end_turn", "end_turn", "end_turn"]);
  expect(heard.map(({ pieces }) => pieces.join(""))).toEqual([counted, counted, counted]);
});

test.each(seeds)("bytes that come in pieces change nothing (seed %i)", async (seed) => {
  const split = { seed, split: 1 + createRandom(seed).below(60) };
  await using pair = await connectPair({
    channels: createBytePair({ toFirst: split, toSecond: split }),
    agent: (channel) => counting.serve(channel),
    client: (channel) => connect(channel, { info }),
  });
  const { pieces, listener } = listening();
  const session = await pair.client.newSession({ cwd: "/work" }, listener);
  await session.prompt("Count").ended;
  expect(pieces.join("")).toBe(counted);
});

test.each(seeds)("a line that garbles and then breaks leaves nobody waiting (seed %i)", async (seed) => {
  const plan = { seed, garble: 0.03, duplicate: 0.02, delay: 0.1, longestDelay: 3 };
  const [agentEnd, clientEnd] = createMemoryPair();
  const faulty = createFaultyChannel(clientEnd, plan);
  const served = counting.serve(agentEnd);
  const talk = async () => {
    const client = await connect(faulty, { info });
    for (;;) await (await client.newSession({ cwd: "/work" })).prompt("Count").ended;
  };
  const talking = talk().catch((error: unknown) => error);
  for (let turns = 0; turns < 20 + seed; turns++) await new Promise(setImmediate);
  faulty.cut();
  expect(await talking).toBeInstanceOf(Error);
  await Promise.all([served.closed, faulty.closed]);
});

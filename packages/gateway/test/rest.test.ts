import { createAgent, createMemoryLog } from "@turnkit/agent";
import { installManualClock } from "@turnkit/testing";
import type { Channel } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { expect, it, onTestFinished } from "vitest";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";
import { createLatch, type Latch } from "./latch.js";
import { RawClient } from "./raw-client.js";

function manualClock() {
  const clock = installManualClock();
  onTestFinished(() => clock.uninstall());
  return clock;
}

it("SHARE-09 defect G2: without a log of the program, sessions outlive the rest of their agent", async () => {
  const clock = manualClock();
  const { gateway, agents } = gatewayOf({}, { idleMs: 1_000 });
  const client = await clientOf(gateway);
  const session = await client.newSession({ cwd: "/work" });
  await session.prompt("one").ended;
  await client.close();
  // First the session leaves the agent, then the agent is closed.
  for (const ms of [1_000, 1_000, 1_000]) await clock.advance(ms);
  const again = await attach(await clientOf(gateway), session.id);
  expect(agents).toHaveLength(2);
  expect([...again.state.timeline]).toHaveLength(1);
});

it("SHARE-09 defect G2: a client that leaves before its session is open leaves nothing open", async () => {
  const clock = manualClock();
  const latch = createLatch();
  const closed: string[] = [];
  const { gateway } = gatewayOf(
    { newSession: () => latch.opened, closeSession: ({ id }) => void closed.push(id) },
    { idleMs: 1_000 },
  );
  await clientOf(gateway);
  const client = await clientOf(gateway);
  client.newSession({ cwd: "/work" }).catch(() => undefined);
  await clock.advance(0);
  await client.close();
  latch.open();
  await clock.advance(0);
  await clock.advance(1_000);
  await expect.poll(() => closed).toHaveLength(1);
});

it("SHARE-09 defect G38: a session does not rest while it is opened, however long that takes", async () => {
  const clock = manualClock();
  const log = createMemoryLog();
  const first = gatewayOf({}, { log: () => log });
  const { id } = await (await clientOf(first.gateway)).newSession({ cwd: "/work" });
  await first.gateway.close();
  const latch = createLatch();
  const slow: typeof log = {
    ...log,
    async open(...args) {
      await latch.opened;
      return log.open(...args);
    },
  };
  const { gateway } = gatewayOf({}, { log: () => slow, idleMs: 1_000 });
  const attached = attach(await clientOf(gateway), id);
  await clock.advance(2_000);
  latch.open();
  expect((await attached).id).toBe(id);
});

it("SHARE-09 defect G2: a stored session to which nobody could attach is put back", async () => {
  const clock = manualClock();
  const log = createMemoryLog();
  const first = gatewayOf({}, { log: () => log });
  const { id } = await (await clientOf(first.gateway)).newSession({ cwd: "/work" });
  await first.gateway.close();
  const { gateway } = gatewayOf({}, { log: () => log, idleMs: 1_000 });
  const raw = new RawClient(gateway.open({ id: "someone", group: "all" }));
  await raw.initialize(2);
  const { error } = await raw.request("session/resume", { sessionId: id, cwd: "/other" });
  expect(error).toMatchObject({ code: -32602 });
  await clock.advance(1_000);
  const writer = await log.open(id);
  await writer[Symbol.asyncDispose]();
});

it("SHARE-09 defect G2: a client that leaves before a stored session is open does not keep it open", async () => {
  const clock = manualClock();
  const log = createMemoryLog();
  const first = gatewayOf({}, { log: () => log });
  const { id } = await (await clientOf(first.gateway)).newSession({ cwd: "/work" });
  await first.gateway.close();
  const latch = createLatch();
  const slow: typeof log = {
    ...log,
    async open(sessionId, info) {
      await latch.opened;
      return log.open(sessionId, info);
    },
  };
  const { gateway } = gatewayOf({}, { log: () => slow, idleMs: 1_000 });
  const raw = new RawClient(gateway.open({ id: "someone", group: "all" }));
  await raw.initialize(2);
  void raw.request("session/resume", { sessionId: id, cwd: "/work" });
  await clock.advance(0);
  await raw.close();
  latch.open();
  await clock.advance(1_000);
  const writer = await log.open(id);
  await writer[Symbol.asyncDispose]();
});

/** Returns a channel whose end takes until the latch is open. */
function slowToEnd(channel: Channel, latch: Latch): Channel {
  return {
    start: (receiver) => channel.start(receiver),
    send: (message) => channel.send(message),
    pause: () => channel.pause(),
    resume: () => channel.resume(),
    async close(reason) {
      await channel.close(reason);
      await latch.opened;
    },
    closed: channel.closed.then(async (reason) => {
      await latch.opened;
      return reason;
    }),
  };
}

/** Gateway whose first agent ends when the latch is open. `ended` counts the agents that have ended. */
function slowGateway() {
  const latch = createLatch();
  const agent = createAgent({ info: { name: "agent", version: "1.0.0" }, prompt: () => undefined });
  const count = { started: 0, ended: 0 };
  const options = {
    idleMs: 1_000,
    agent() {
      count.started += 1;
      const [ours, theirs] = createMemoryPair();
      agent.serve(theirs);
      const channel = count.started === 1 ? slowToEnd(ours, latch) : ours;
      void channel.closed.then(() => {
        count.ended += 1;
      });
      return channel;
    },
  };
  return { latch, count, ...gatewayOf({}, options) };
}

it("SHARE-09 defect G2: a client that comes while the agent is being ended gets another one, and keeps it", async () => {
  const clock = manualClock();
  const { latch, count, gateway } = slowGateway();
  await (await clientOf(gateway)).close();
  await clock.advance(0);
  await clock.advance(1_000);
  const later = await clientOf(gateway);
  await later.newSession({ cwd: "/work" });
  latch.open();
  await clock.advance(0);
  await later.newSession({ cwd: "/work" });
  expect(count.started).toBe(2);
});

it("SHARE-09 defect G43: a client that comes and leaves while the agent is being ended does not split its group", async () => {
  const clock = manualClock();
  const { latch, count, gateway } = slowGateway();
  for (let times = 0; times < 2; times += 1) {
    await (await clientOf(gateway)).close();
    await clock.advance(0);
    if (times === 0) await clock.advance(1_000);
  }
  latch.open();
  await clock.advance(0);
  const one = await (await clientOf(gateway)).newSession({ cwd: "/work" });
  await clock.advance(1_000);
  expect((await attach(await clientOf(gateway), one.id)).id).toBe(one.id);
  await gateway.close();
  expect(count.ended).toBe(count.started);
});

it("SHARE-09 defect G43: the end of a gateway waits for an agent that is being ended", async () => {
  const clock = manualClock();
  const { latch, count, gateway } = slowGateway();
  await (await clientOf(gateway)).close();
  await clock.advance(0);
  await clock.advance(1_000);
  const closing = gateway.close().then(() => count.ended);
  await clock.advance(0);
  latch.open();
  expect(await closing).toBe(1);
});

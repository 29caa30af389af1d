import { createMemoryLog } from "@turnkit/agent";
import type { Channel, Message } from "@turnkit/transport";
import { expect, it } from "vitest";
import { createMemoryEngine, type Engine } from "../src/index.js";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";
import { createLatch } from "./latch.js";
import { type Frame, RawClient } from "./raw-client.js";
import { gatewaysOf, manualClock, TTL, text, worker } from "./takeover-gateways.js";

/** Passes each message to an owner through `pass`, which returns false for a message that is lost. */
function filtered(
  engine: Engine,
  pass: (message: Message, send: () => void) => boolean,
): { readonly open: () => number } {
  const { connect } = engine;
  let open = 0;
  Object.assign(engine, {
    connect: async (id: string): Promise<Channel> => {
      const channel = await connect(id);
      open += 1;
      void channel.closed.then(() => {
        open -= 1;
      });
      const send = (message: Message) =>
        pass(message, () => channel.send(message)) ? channel.send(message) : undefined;
      return new Proxy(channel, {
        get(target, name: keyof Channel) {
          const member = target[name];
          return name === "send" ? send : typeof member === "function" ? member.bind(target) : member;
        },
      });
    },
  });
  return { open: () => open };
}

/** Lets the time pass until `work` has settled. */
async function until<T>(clock: ReturnType<typeof manualClock>, work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  work.then(over, over);
  while (!isOver) await clock.advance(TTL / 20);
  return work;
}

/** Cancels a prompt that the owner has got, or not, and that dies before the cancel. */
async function cancelledAt(moment: "before" | "after", version: 1 | 2) {
  const clock = manualClock();
  const { ran, begun, handlers } = worker();
  const { here, there, shared, kill } = gatewaysOf(handlers);
  let isSilent = false;
  filtered(shared, () => !isSilent);
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  const bob = new RawClient(there.gateway.open({ id: "Bob", group: "all" }));
  await bob.initialize(version);
  const method = version === 1 ? "session/load" : "session/resume";
  await bob.request(method, { sessionId: ann.id, cwd: "/work", mcpServers: [] });
  isSilent = moment === "before";
  const answer = bob.request("session/prompt", {
    sessionId: ann.id,
    prompt: text(moment === "after" ? "Work" : "two"),
  });
  await clock.advance(5);
  if (moment === "after") await begun.opened;
  await clock.advance(5);
  isSilent = true;
  bob.notify("session/cancel", { sessionId: ann.id });
  await clock.advance(5);
  await kill();
  isSilent = false;
  await clock.advance(TTL * 2);
  return { ran, bob, answer: await answer };
}

it("NATS-06 defect G36: a prompt that was cancelled before the death of its owner is not run by the next owner", async () => {
  const { ran, answer } = await cancelledAt("before", 1);
  expect(answer.result).toEqual({ stopReason: "cancelled" });
  expect(ran).toEqual([]);
});

it("NATS-09 defect G36: a turn that was cancelled before the death of its owner ends as cancelled (v1)", async () => {
  expect((await cancelledAt("after", 1)).answer.result).toEqual({ stopReason: "cancelled" });
});

it("NATS-09 defect G36: a turn that was cancelled before the death of its owner ends as cancelled (v2)", async () => {
  const { bob } = await cancelledAt("after", 2);
  const end = { sessionUpdate: "state_update", state: "idle", stopReason: "cancelled" };
  expect(bob.updates.filter(({ state }: Frame) => state === "idle").at(-1)).toEqual(end);
});

it("SHARE-09 defect G37: a session that is closed while its next owner is found keeps no channel to that owner", async () => {
  const clock = manualClock();
  const { here, there, third, shared, kill } = gatewaysOf(worker().handlers);
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  await attach(await clientOf(there.gateway), ann.id);
  await attach(await clientOf(third.gateway), ann.id);
  let isGreeted = false;
  let greet = (): void => undefined;
  const channels = filtered(shared, (message, send) => {
    if ((message as Frame).method !== "initialize") return true;
    greet = send;
    isGreeted = true;
    return false;
  });
  const { open } = shared;
  // The third gateway is faster.
  Object.assign(shared, {
    open: async (...args: Parameters<typeof open>) => {
      await new Promise((resolve) => setTimeout(resolve, TTL * 1.1));
      return open(...args);
    },
  });
  await kill();
  while (!isGreeted) await clock.advance(TTL / 20);
  expect(channels.open()).toBe(1);
  await there.gateway.close();
  greet();
  await clock.advance(100);
  expect(channels.open()).toBe(0);
});

it("SHARE-09 defect G37: a session that cannot be read while its owner is found keeps no channel to that owner", async () => {
  const clock = manualClock();
  const { here, there, shared } = gatewaysOf(worker().handlers);
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  const channels = filtered(shared, () => true);
  const { read } = shared;
  let failures = 3;
  Object.assign(shared, {
    read: (id: string) => {
      failures -= 1;
      if (failures >= 0) throw new Error("The storage does not answer.");
      return read(id);
    },
  });
  const attached = attach(await clientOf(there.gateway), ann.id);
  await until(clock, attached);
  expect(channels.open()).toBe(1);
});

it("SHARE-01 defect G35: a gateway that is closed while it opens a session gives the session back", async () => {
  const engine = createMemoryEngine({ ttlMs: TTL });
  const log = createMemoryLog();
  const first = gatewayOf({ log }, { log: () => engine });
  const { id } = await (await clientOf(first.gateway)).newSession({ cwd: "/work" });
  await first.gateway.close();
  const [begun, latch] = [createLatch(), createLatch()];
  const slow: Engine = {
    ...engine,
    async open(...args) {
      begun.open();
      await latch.opened;
      return engine.open(...args);
    },
  };
  const { gateway } = gatewayOf({ log }, { log: () => slow });
  void (await clientOf(gateway)).restore(id, { cwd: "/work" }).catch(() => undefined);
  await begun.opened;
  const closed = gateway.close();
  await new Promise((resolve) => setImmediate(resolve));
  latch.open();
  await closed;
  await using owner = await engine.open(id);
  expect(owner).toBeDefined();
});

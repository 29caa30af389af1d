import { v1Dialect } from "@turnkit/agent";
import { expect, it } from "vitest";
import { attach, clientOf } from "./attached-clients.js";
import { createLatch } from "./latch.js";
import { gatewaysOf, manualClock, TTL, worker } from "./takeover-gateways.js";

/** Number of microtasks in which the death of an owner becomes known to another gateway, and a few more. */
const MOMENTS = 8;

it("NATS-06 defect G27: a prompt is answered by the next owner, at whatever moment of a death it comes", async () => {
  const clock = manualClock();
  for (let moment = 0; moment < MOMENTS; moment += 1) {
    const { ran, handlers } = worker();
    const { here, there, kill } = gatewaysOf(handlers);
    const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
    const bob = await attach(await clientOf(there.gateway), ann.id);
    const killed = kill();
    for (let at = 0; at < moment; at += 1) await Promise.resolve();
    const { ended } = bob.prompt("two");
    await killed;
    await clock.advance(TTL * 2);
    expect(await ended, `moment ${moment}`).toMatchObject({ stopReason: "end_turn" });
    expect(ran, `moment ${moment}`).toEqual(["two"]);
  }
});

it("NATS-06 defect G28: a prompt that comes while its owner closes is run by the next owner, also by an agent without keys", async () => {
  const latch = createLatch();
  const closing = createLatch();
  const { ran, handlers } = worker();
  const closeSession = async (): Promise<void> => {
    closing.open();
    await latch.opened;
  };
  const { here, there } = gatewaysOf({ ...handlers, closeSession }, [v1Dialect]);
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  const bob = await attach(await clientOf(there.gateway), ann.id);
  const closed = here.gateway.close();
  await closing.opened;
  const ended = bob.prompt("two").ended;
  await new Promise((resolve) => setImmediate(resolve));
  latch.open();
  await closed;
  expect(await ended).toMatchObject({ stopReason: "end_turn" });
  expect(ran).toEqual(["two"]);
});

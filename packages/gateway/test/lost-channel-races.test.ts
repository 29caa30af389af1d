import type { SessionEvent } from "@turnkit/session";
import { expect, it } from "vitest";
import type { Channel } from "../src/index.js";
import { attach, clientOf, type DialectName } from "./attached-clients.js";
import { createLatch, untilCancelled } from "./latch.js";
import { gatewaysOf, manualClock, shown, TTL, wordsOf } from "./takeover-gateways.js";

const dialects = ["v1", "v2", "seed"] as const;

/** Ann is at the owner, and Bob at another gateway, whose channels to the owner the test can end. */
async function linked(dialect: DialectName = "v2") {
  const clock = manualClock();
  const [begun, go, answer] = [createLatch(), createLatch(), createLatch()];
  const ran: string[] = [];
  const { shared, here, there } = gatewaysOf({
    async prompt(turn) {
      ran.push(wordsOf(turn));
      if (wordsOf(turn) === "slow") await answer.opened;
      if (wordsOf(turn) !== "Work") return void (await turn.say("Heard."));
      await turn.say("Begun.");
      begun.open();
      await Promise.race([go.opened, untilCancelled(turn)]);
      if (!turn.signal.aborted) await turn.say("Done.");
    },
  });
  const channels: Channel[] = [];
  const { connect } = shared;
  Object.assign(shared, {
    connect: async (id: string) => {
      const channel = await connect(id);
      channels.push(channel);
      return channel;
    },
  });
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  const bob = await attach(await clientOf(there.gateway, dialect), ann.id);
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await clock.advance(TTL / 100);
  };
  const pass = async (): Promise<void> => {
    for (let steps = 0; steps < 20; steps += 1) await clock.advance(TTL / 100);
  };
  const ended = async ({ ended: end }: ReturnType<typeof bob.prompt>) => {
    let it: Awaited<typeof end> | undefined;
    void end.then((one) => {
      it = one;
    });
    await until(() => it !== undefined);
    return it?.error?.message ?? it?.stopReason;
  };
  const isRunning = () => ann.state.activity.state === "running" && bob.state.activity.state === "running";
  return { shared, ran, ann, bob, begun, go, answer, channels, until, pass, ended, isRunning };
}

it.each(dialects)(
  "NATS-09 defect G55: a turn that ends between the read of the log and the replay ends as at its owner (%s)",
  async (dialect) => {
    const { shared, bob, ann, begun, go, channels, ended, isRunning, until } = await linked(dialect);
    const turn = bob.prompt("Work");
    await begun.opened;
    await until(isRunning);
    const { read } = shared;
    Object.assign(shared, {
      async *read(id: string) {
        const events: SessionEvent[] = [];
        for await (const event of read(id)) events.push(event);
        go.open();
        while (ann.state.activity.state !== "idle") await new Promise((resolve) => setImmediate(resolve));
        yield* events;
      },
    });
    void channels.at(-1)?.close();
    expect(await ended(turn)).toBe("end_turn");
    expect(shown(bob)).toBe(shown(ann));
  },
);

it.each(dialects)("NATS-09 defect G56: a cancel while the channel is lost reaches the owner (%s)", async (dialect) => {
  const { bob, ann, begun, channels, ended, isRunning, until } = await linked(dialect);
  const turn = bob.prompt("Work");
  await begun.opened;
  await until(isRunning);
  await channels.at(-1)?.close();
  void bob.cancel();
  expect(await ended(turn)).toBe("cancelled");
  await until(() => ann.state.activity.state === "idle");
  expect(ann.state.activity.stopReason).toBe("cancelled");
});

it("NATS-09 defect G56: a turn of another author is cancelled too, if the cancel comes while the channel is lost", async () => {
  const { bob, ann, begun, channels, ended, isRunning, until } = await linked();
  const work = ann.prompt("Work");
  await begun.opened;
  await until(isRunning);
  await channels.at(-1)?.close();
  void bob.cancel();
  expect(await ended(work)).toBe("cancelled");
});

it("NATS-09 defect G56: a cancel that is lost with the channel is sent again", async () => {
  const { bob, ann, begun, channels, ended, isRunning, until } = await linked();
  const turn = bob.prompt("Work");
  await begun.opened;
  await until(isRunning);
  const channel = channels.at(-1) as Channel;
  Object.assign(channel, { send: () => undefined });
  void bob.cancel();
  await until(() => bob.state.cancelling);
  await channel.close();
  expect(await ended(turn)).toBe("cancelled");
  await until(() => ann.state.activity.state === "idle");
});

it.each(["before", "after"])(
  "NATS-06 defect G56: a waiting prompt does not run if it is cancelled %s the gateway notices the loss of the channel",
  async (when) => {
    const { shared, bob, ann, ran, begun, go, channels, ended, isRunning, until, pass } = await linked();
    const work = ann.prompt("Work");
    await begun.opened;
    await until(isRunning);
    const turn = bob.prompt("two");
    await pass();
    await channels.at(-1)?.close();
    const found = createLatch();
    const { connect } = shared;
    Object.assign(shared, { connect: (id: string) => found.opened.then(() => connect(id)) });
    if (when === "after") await pass();
    void turn.cancel();
    await pass();
    found.open();
    expect(await ended(turn)).toBe("cancelled");
    expect(isRunning()).toBe(true);
    await pass();
    go.open();
    expect(await ended(work)).toBe("end_turn");
    await pass();
    expect(ran).toEqual(["Work"]);
  },
);

it.each(dialects)(
  "NATS-06 a waiting prompt whose channel is lost runs once, and does not end with the turn before it (%s)",
  async (dialect) => {
    const { bob, ann, ran, begun, go, channels, ended, pass } = await linked(dialect);
    const work = ann.prompt("Work");
    await begun.opened;
    await pass();
    const turn = bob.prompt("two");
    await pass();
    await channels.at(-1)?.close();
    await pass();
    go.open();
    expect(await ended(work)).toBe("end_turn");
    expect(await ended(turn)).toBe("end_turn");
    expect(shown(bob)).toContain("Heard.");
    expect(ran).toEqual(["Work", "two"]);
  },
);

it.each(dialects)(
  "NATS-06 defect G58: a prompt that begins while the log is read does not end with the turn before it (%s)",
  async (dialect) => {
    const { shared, bob, ann, ran, begun, go, answer, channels, ended, pass, until } = await linked(dialect);
    void ann.prompt("Work");
    await begun.opened;
    await pass();
    const turn = bob.prompt("slow");
    await pass();
    const { read } = shared;
    Object.assign(shared, {
      async *read(id: string) {
        go.open();
        for (;;) {
          const events: SessionEvent[] = [];
          for await (const event of read(id)) events.push(event);
          if (JSON.stringify(events).includes("slow")) return yield* events;
          await new Promise((resolve) => setImmediate(resolve));
        }
      },
    });
    let isOver = false;
    void turn.ended.then(() => {
      isOver = true;
    });
    void channels.at(-1)?.close();
    await until(() => shown(bob).includes("Done."));
    await pass();
    expect(isOver).toBe(false);
    answer.open();
    expect(await ended(turn)).toBe("end_turn");
    expect(shown(bob)).toContain("Heard.");
    expect(ran).toEqual(["Work", "slow"]);
  },
);

it("SHARE-09 defect G57: a session that a client closes while the channel is lost is closed at its owner", async () => {
  const { bob, ann, begun, channels, isRunning, until } = await linked();
  void ann.prompt("Work");
  await begun.opened;
  await until(isRunning);
  await channels.at(-1)?.close();
  const closed = bob.close();
  await until(() => [...ann.state.timeline].some((entry) => entry.type === "notice"));
  await closed;
  expect(shown(ann)).toContain("The session was closed");
});

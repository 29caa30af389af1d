import { expect, it } from "vitest";
import type { Channel } from "../src/index.js";
import { attach, clientOf } from "./attached-clients.js";
import { createLatch, untilCancelled } from "./latch.js";
import { gatewaysOf, manualClock, shown, TTL, wordsOf } from "./takeover-gateways.js";

const dialects = ["v1", "v2", "seed"] as const;

/** Bob works at a gateway that is not the owner. `cut` ends only the channel to the owner. The owner goes on. */
async function watching(dialect: (typeof dialects)[number]) {
  const clock = manualClock();
  const begun = createLatch();
  const go = createLatch();
  const ran: string[] = [];
  const { shared, here, there, kill } = gatewaysOf({
    async prompt(turn) {
      ran.push(wordsOf(turn));
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
  await ann.prompt("one").ended;
  const bob = await attach(await clientOf(there.gateway, dialect), ann.id);
  const turn = bob.prompt("Work");
  await begun.opened;
  await clock.advance(0);
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await clock.advance(TTL / 100);
  };
  const ended = async () => {
    let end: Awaited<typeof turn.ended> | undefined;
    void turn.ended.then((it) => {
      end = it;
    });
    await until(() => end !== undefined);
    return { stopReason: end?.stopReason, error: end?.error };
  };
  const isRunning = () => bob.state.activity.state === "running";
  await until(isRunning);
  const cut = async (): Promise<void> => {
    await channels.at(-1)?.close();
    await until(() => channels.length === 2);
    await clock.advance(TTL / 2);
  };
  return { ran, ann, bob, go, cut, kill, channels, ended, until, isRunning };
}

it.each(dialects)(
  "defect G54: a turn goes on at its owner when only the channel of a watching gateway is lost, and ends there (%s)",
  async (dialect) => {
    const { ran, ann, bob, go, cut, ended, isRunning, until } = await watching(dialect);
    await cut();
    expect(isRunning()).toBe(true);
    go.open();
    expect(await ended()).toEqual({ stopReason: "end_turn", error: undefined });
    expect(shown(bob)).toBe(shown(ann));
    expect(shown(bob)).toContain("Done.");
    expect(ran.filter((words) => words === "Work")).toHaveLength(1);
    void bob.prompt("two");
    await until(() => ran.at(-1) === "two");
  },
);

it.each(dialects)(
  "defect G54: a turn can be cancelled after the channel to its owner was lost (%s)",
  async (dialect) => {
    const { bob, cut, ended } = await watching(dialect);
    await cut();
    void bob.cancel();
    expect(await ended()).toEqual({ stopReason: "cancelled", error: undefined });
  },
);

it.each(dialects)(
  "defect G54: a turn that ends while the channel is lost ends as at its owner (%s)",
  async (dialect) => {
    const { go, bob, channels, ended } = await watching(dialect);
    go.open();
    void channels.at(-1)?.close();
    expect(await ended()).toEqual({ stopReason: "end_turn", error: undefined });
    expect(shown(bob)).toContain("Done.");
  },
);

it.each(dialects)(
  "defect G54: a turn ends as interrupted if the channel to its owner is lost, and the owner then ends (%s)",
  async (dialect) => {
    const { cut, kill, ended } = await watching(dialect);
    await cut();
    await kill();
    expect((await ended()).error?.message).toContain("interrupted");
  },
);

import { compactEvents, SessionLogError, v1Dialect } from "@turnkit/agent";
import { expect, it } from "vitest";
import { attach, clientOf } from "./attached-clients.js";
import { createLatch } from "./latch.js";
import { gatewaysOf, manualClock, rawAt, storedTexts, TTL, text, wordsOf, worker } from "./takeover-gateways.js";

/**
 * Gateways whose first one has stored Bob's prompt "Work", and then dies. Nothing of it arrives at Bob's gateway from the prompt
 * on. `wins` takes the session over.
 */
async function unheard(wins: "there" | "third") {
  const clock = manualClock();
  const { ran, begun, handlers } = worker();
  const { shared, here, there, third, kill } = gatewaysOf(handlers);
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  await ann.prompt("one").ended;
  const { connect, open } = shared;
  let isCut = false;
  let isLate = false;
  Object.assign(shared, {
    open: (...args: Parameters<typeof open>) =>
      isLate ? Promise.reject(new SessionLogError("locked", "not yet")) : open(...args),
    connect: async (id: string) => {
      if (isLate) throw new SessionLogError("not_found", "not yet");
      const channel = await connect(id);
      const start = channel.start.bind(channel);
      return Object.assign(channel, {
        start: (receiver: Parameters<typeof start>[0]) =>
          start({ ...receiver, message: (message, bytes) => (isCut ? undefined : receiver.message(message, bytes)) }),
      });
    },
  });
  const die = async (): Promise<void> => {
    await begun.opened;
    await clock.advance(0);
    isLate = wins === "third";
    await kill();
    isCut = false;
    if (wins === "third") {
      const carol = clientOf(third.gateway).then((client) => attach(client, ann.id));
      await clock.advance(TTL * 1.06);
      await (await carol).prompt("other").ended;
      isLate = false;
    }
    await clock.advance(TTL * 2);
  };
  const cut = (): void => {
    isCut = true;
  };
  return { shared, ran, there, sessionId: ann.id, cut, die };
}

const winners = [
  ["this gateway", "there"],
  ["a third gateway", "third"],
] as const;

it.each(winners)(
  "NATS-06 a prompt that the dead owner has stored is answered with its message, and does not run again (%s takes over)",
  async (_, wins) => {
    const { shared, ran, there, sessionId, cut, die } = await unheard(wins);
    const bob = await rawAt(there, "Bob");
    await bob.request("session/resume", { sessionId, cwd: "/work", replayFrom: { type: "start" } });
    cut();
    const answer = bob.request("session/prompt", { sessionId, prompt: text("Work") });
    await die();
    const { messageId } = (await answer).result;
    const stored = await storedTexts(shared, sessionId);
    expect(stored.find((event) => event.includes('"Work"'))).toContain(messageId);
    expect(ran.filter((words) => words === "Work")).toHaveLength(1);
    expect(bob.updates.filter((update) => update.messageId === messageId)).toHaveLength(1);
  },
);

it.each(
  winners.flatMap(([title, wins]) => (["v1", "v2", "seed"] as const).map((dialect) => [title, dialect, wins] as const)),
)("NATS-09 defect G24: its turn ends as interrupted (%s takes over, %s)", async (_, dialect, wins) => {
  const { there, sessionId, cut, die } = await unheard(wins);
  const bob = await attach(await clientOf(there.gateway, dialect), sessionId);
  cut();
  const turn = bob.prompt("Work");
  const ended = turn.ended.catch((error: unknown) => ({ error }));
  await die();
  expect(JSON.stringify(((await ended).error as Error).message)).toContain("interrupted");
});

it("NATS-09 a turn that was open when its log was compacted ends as interrupted", async () => {
  const { shared, there, sessionId, cut, die } = await unheard("there");
  const { read } = shared;
  Object.assign(shared, {
    async *read(id: string) {
      yield* await compactEvents(read(id));
    },
  });
  const bob = await attach(await clientOf(there.gateway), sessionId);
  cut();
  const ended = bob.prompt("Work").ended;
  await die();
  expect((await ended).error?.message).toContain("interrupted");
});

it("NATS-09 defect G30: a turn that was interrupted does not get the end of a later turn when the log was compacted", async () => {
  const { shared, there, sessionId, cut, die } = await unheard("third");
  const { read } = shared;
  Object.assign(shared, {
    async *read(id: string) {
      yield* await compactEvents(read(id));
    },
  });
  const bob = await attach(await clientOf(there.gateway), sessionId);
  cut();
  const ended = bob.prompt("Work").ended;
  await die();
  expect((await ended).error?.message).toContain("interrupted");
});

it("NATS-09 defect G25: a turn that had ended when its log was compacted is not told as interrupted", async () => {
  const clock = manualClock();
  const { shared, here, there, kill } = gatewaysOf(worker().handlers);
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  await ann.prompt("one").ended;
  const { read } = shared;
  Object.assign(shared, {
    async *read(id: string) {
      yield* await compactEvents(read(id));
    },
  });
  await kill();
  await clock.advance(TTL * 2);
  const bob = await attach(await clientOf(there.gateway), ann.id);
  expect(bob.state.activity).not.toHaveProperty("error");
  expect(bob.state.activity.state).toBe("idle");
});

it("NATS-06 a prompt that ran, and that the dead owner could not store, runs once, and its author learns that its answer is missing", async () => {
  const clock = manualClock();
  const ran: string[] = [];
  const said = createLatch();
  const { here, there, kill } = gatewaysOf({
    async prompt(turn) {
      ran.push(wordsOf(turn));
      await turn.say("Heard.");
      if (wordsOf(turn) === "two") said.open();
    },
  });
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  await ann.prompt("one").ended;
  const bob = await attach(await clientOf(there.gateway, "v1"), ann.id);
  const ended = bob.prompt("two").ended.catch((error: unknown) => ({ error }));
  await said.opened;
  await kill();
  await clock.advance(TTL * 4);
  expect(((await ended).error as Error).message).toContain("its answer was not stored");
  expect(ran).toEqual(["one", "two"]);
});

it("NATS-06 defect G26: a prompt that comes while the session moves runs once, also in an agent that reads no keys", async () => {
  const clock = manualClock();
  const { ran, handlers } = worker();
  const { here, there, kill } = gatewaysOf(handlers, [v1Dialect]);
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  const bob = await attach(await clientOf(there.gateway), ann.id);
  await kill();
  const ended = bob.prompt("during").ended;
  await clock.advance(TTL * 2);
  expect((await ended).stopReason).toBe("end_turn");
  expect(ran).toEqual(["during"]);
});

it("NATS-09 defect G29: an owner whose storage has failed gives its session up, and the other gateway goes on with it", async () => {
  const clock = manualClock();
  const { shared, here, there } = gatewaysOf(worker().handlers);
  const { open } = shared;
  let isFull = false;
  Object.assign(shared, {
    async open(...args: Parameters<typeof open>) {
      const owner = await open(...args);
      const commit = owner.commit.bind(owner);
      const full = (): Promise<void> => Promise.reject(new SessionLogError("failed", "The disk is full."));
      return Object.assign(owner, { commit: () => (isFull ? full() : commit()) });
    },
  });
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  await ann.prompt("one").ended;
  const bob = await attach(await clientOf(there.gateway), ann.id);
  isFull = true;
  expect((await ann.prompt("lost").ended).error?.message).toContain("cannot be stored");
  isFull = false;
  await clock.advance(TTL * 2);
  expect(await bob.prompt("two").text()).toBe("Heard two.");
  const again = await attach(await clientOf(here.gateway), ann.id);
  expect(await again.prompt("three").text()).toBe("Heard three.");
});

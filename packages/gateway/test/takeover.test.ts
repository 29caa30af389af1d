import { type Dialect, v1Dialect } from "@turnkit/agent";
import { expect, it } from "vitest";
import { attach, clientOf } from "./attached-clients.js";
import type { Frame } from "./raw-client.js";
import { gatewaysOf, manualClock, rawAt, shown, storedTexts, TTL, text, wordsOf, worker } from "./takeover-gateways.js";

it.each(["v1", "v2", "seed"] as const)(
  "NATS-09 clients of another gateway stay attached when the owner dies, and its open turn ends as interrupted (%s)",
  async (dialect) => {
    const clock = manualClock();
    const { ran, begun, handlers } = worker();
    const { shared, here, there, kill } = gatewaysOf(handlers);
    const ann = await (await clientOf(here.gateway, "v2", { name: "Ann" })).newSession({ cwd: "/work" });
    await ann.prompt("one").ended;
    const client = await clientOf(there.gateway, dialect, { name: "Bob" });
    const bob = await attach(client, ann.id);
    const turn = bob.prompt("Work");
    await begun.opened;
    while (!shown(bob).includes("Begun")) await clock.advance(1);
    await kill();
    await clock.advance(TTL * 2);
    const end = await turn.ended.catch((error: unknown) => ({ error }));
    expect(JSON.stringify((end.error as Error).message)).toContain("interrupted");
    expect(shown(bob)).toMatch(/Heard one.*Begun/);
    expect(shown(bob).match(/Begun/g)).toHaveLength(1);
    expect(await bob.prompt("two").text()).toBe("Heard two.");
    expect(ran).toEqual(["one", "Work", "two"]);
    const stored = await storedTexts(shared, ann.id);
    expect(stored.filter((event) => event.includes("interrupted"))).toHaveLength(1);
    expect(stored.filter((event) => event.includes("Begun."))).toHaveLength(1);
  },
);

it("NATS-05 one of several gateways wins the session of a dead owner, and the others attach to it", async () => {
  const clock = manualClock();
  const { handlers } = worker();
  const { shared, here, there, third, kill } = gatewaysOf(handlers);
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  const sessions = await Promise.all(
    [there, third, there, third].map(async ({ gateway }) => attach(await clientOf(gateway), ann.id)),
  );
  const opened: string[] = [];
  const { open } = shared;
  Object.assign(shared, {
    open: async (...args: Parameters<typeof open>) => {
      const owner = await open(...args);
      opened.push(args[0]);
      return owner;
    },
  });
  await kill();
  await clock.advance(TTL * 2);
  for (const [at, session] of sessions.entries()) {
    expect(await session.prompt(`round ${at}`).text()).toBe(`Heard round ${at}.`);
  }
  await clock.advance(1);
  for (const session of sessions) expect(shown(session)).toBe(shown(sessions[0] as typeof session));
  expect(shown(sessions[1] as (typeof sessions)[0]).match(/Heard round/g)).toHaveLength(4);
});

it("NATS-09 the clients of another gateway go on at once when the owner closes", async () => {
  const { ran, begun, handlers } = worker();
  const { here, there } = gatewaysOf(handlers);
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  const bob = await attach(await clientOf(there.gateway), ann.id);
  const turn = bob.prompt("Work");
  await begun.opened;
  await here.gateway.close();
  expect((await turn.ended).stopReason).toBe("error");
  expect(await bob.prompt("two").text()).toBe("Heard two.");
  expect(ran).toEqual(["Work", "two"]);
});

/** Kills the owner at the moment when it gets a prompt, before or after its agent has it. */
async function killedAt(moment: "before" | "after", spoken?: readonly Dialect[]) {
  const clock = manualClock();
  const ran: string[] = [];
  const its: { kill?: () => Promise<void> } = {};
  const { shared, here, there, kill } = gatewaysOf(
    {
      async prompt(turn) {
        ran.push(wordsOf(turn));
        await turn.say(`Heard ${wordsOf(turn)}.`);
      },
    },
    spoken,
  );
  its.kill = kill;
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  await ann.prompt("one").ended;
  const bob = await rawAt(there, "Bob");
  await bob.request("session/resume", { sessionId: ann.id, cwd: "/work", replayFrom: { type: "start" } });
  const answer = bob.request("session/prompt", { sessionId: ann.id, prompt: text("two") });
  if (moment === "after") await answer;
  await kill();
  await clock.advance(TTL * 2);
  return { shared, ran, bob, answer: await answer, sessionId: ann.id };
}

it("NATS-06 a prompt that the dead owner had not acknowledged is sent again with its key, and runs once", async () => {
  const { ran, bob, answer } = await killedAt("before");
  expect(answer.result?.messageId).toBeDefined();
  await bob.next(({ params }) => JSON.stringify(params ?? "").includes("Heard two."));
  expect(ran).toEqual(["one", "two"]);
  expect(bob.updates.filter(({ messageId }) => messageId === answer.result.messageId)).toHaveLength(1);
});

it("NATS-06 a prompt that the dead owner had not acknowledged fails, if the agent reads no keys", async () => {
  const { ran, answer } = await killedAt("before", [v1Dialect]);
  expect(answer.error).toMatchObject({ code: -32603, message: expect.stringContaining("not known") });
  expect(ran.filter((words) => words === "two").length).toBeLessThanOrEqual(1);
});

it("NATS-09 a question of a dead owner is withdrawn", async () => {
  const clock = manualClock();
  const { here, there, kill } = gatewaysOf({
    async prompt(turn) {
      await turn.toolCall({ title: "Delete it" }).ask();
    },
  });
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  const bob = await rawAt(there, "Bob");
  await bob.request("session/resume", { sessionId: ann.id, cwd: "/work" });
  void bob.request("session/prompt", { sessionId: ann.id, prompt: text("Go") });
  await bob.next(({ method }: Frame) => method === "session/request_permission");
  await kill();
  await bob.next(({ method }: Frame) => method === "$/cancel_request");
  await clock.advance(TTL * 2);
  expect(bob.updates.at(-1)).toMatchObject({ state: "idle", stopReason: "error" });
});

it("SHARE-10 a session that is deleted while its owner is dead ends for the clients of other gateways", async () => {
  const clock = manualClock();
  const { handlers } = worker();
  const { shared, here, there, kill } = gatewaysOf(handlers);
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  const bob = await rawAt(there, "Bob");
  await bob.request("session/resume", { sessionId: ann.id, cwd: "/work" });
  const { open } = shared;
  Object.assign(shared, {
    // Another gateway deletes the session before this one can open it.
    open: async (...args: Parameters<typeof open>) => {
      await shared.delete(args[0]);
      return open(...args);
    },
  });
  await kill();
  await clock.advance(TTL * 2);
  await bob.next(({ params }: Frame) => params?.update?.title === "The session was deleted");
  const { error } = await bob.request("session/prompt", { sessionId: ann.id, prompt: text("Late") });
  expect(error).toMatchObject({ code: -32002 });
});

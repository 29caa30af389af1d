import { createAgentWith, createMemoryLog, type Dialect, v1Dialect } from "@turnkit/agent";
import { installManualClock, type ManualClock } from "@turnkit/testing";
import { expect, it, onTestFinished } from "vitest";
import { createMemoryEngine } from "../src/index.js";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";
import { createLatch, untilCancelled } from "./latch.js";
import { mortal } from "./mortal-engine.js";
import { type Frame, RawClient } from "./raw-client.js";
import { viewOf } from "./view.js";

const TTL = 9_000;

const text = (words: string) => [{ type: "text", text: words }];
const shown = (session: { readonly state: Parameters<typeof viewOf>[0] }) => JSON.stringify(viewOf(session.state));

function manualClock(): ManualClock {
  const clock = installManualClock();
  onTestFinished(() => clock.uninstall());
  return clock;
}

type Handlers = Parameters<typeof gatewayOf>[0];
type Working = Parameters<NonNullable<Handlers["prompt"]>>[0];

const quiet = { onDiagnostic: () => undefined };

/** Gateways on one engine. The first one can die. Their agents have one store. */
function gatewaysOf(handlers: Handlers, spoken?: readonly Dialect[]) {
  const shared = createMemoryEngine({ ttlMs: TTL });
  const { engine, die } = mortal(shared);
  const its = { log: createMemoryLog(), ...handlers };
  const serve = spoken && ((all: Parameters<typeof createAgentWith>[1]) => createAgentWith(spoken, all));
  const here = gatewayOf(its, { log: () => engine, ...quiet }, serve);
  const there = gatewayOf(its, { log: () => shared }, serve);
  const third = gatewayOf(its, { log: () => shared }, serve);
  const kill = async (): Promise<void> => {
    die();
    await Promise.all(here.agents.map((agent) => agent.close()));
  };
  return { shared, here, there, third, kill };
}

async function rawAt({ gateway }: Pick<ReturnType<typeof gatewayOf>, "gateway">, name: string): Promise<RawClient> {
  const raw = new RawClient(gateway.open({ id: name, group: "all", name }));
  await raw.initialize(2);
  return raw;
}

const wordsOf = (turn: Working): string => (turn.prompt as unknown as readonly [{ readonly text: string }])[0].text;

/** Agent whose prompt "Work" says something and then waits. */
function worker() {
  const ran: string[] = [];
  const begun = createLatch();
  const handlers: Handlers = {
    async prompt(turn) {
      const words = wordsOf(turn);
      ran.push(words);
      if (words !== "Work") return void (await turn.say(`Heard ${words}.`));
      turn.toolCall({ title: "Long work" });
      await turn.say("Begun.");
      begun.open();
      await untilCancelled(turn);
    },
  };
  return { ran, begun, handlers };
}

async function storedTexts(log: ReturnType<typeof createMemoryEngine>, id: string): Promise<string[]> {
  const stored: string[] = [];
  for await (const event of log.read(id)) stored.push(JSON.stringify(event));
  return stored;
}

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
  expect((await turn.ended).stopReason).toBe("cancelled");
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

it("NATS-06 a prompt that the dead owner has stored is answered with its message, and does not run again", async () => {
  const clock = manualClock();
  const { ran, begun, handlers } = worker();
  const { shared, here, there, kill } = gatewaysOf(handlers);
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  const connect = shared.connect.bind(shared);
  // From the prompt on, nothing of the owner arrives.
  let isCut = false;
  Object.assign(shared, {
    connect: async (id: string) => {
      const channel = await connect(id);
      const start = channel.start.bind(channel);
      return Object.assign(channel, {
        start: (receiver: Parameters<typeof start>[0]) =>
          start({ ...receiver, message: (message, bytes) => (isCut ? undefined : receiver.message(message, bytes)) }),
      });
    },
  });
  const bob = await rawAt(there, "Bob");
  await bob.request("session/resume", { sessionId: ann.id, cwd: "/work", replayFrom: { type: "start" } });
  isCut = true;
  const answer = bob.request("session/prompt", { sessionId: ann.id, prompt: text("Work") });
  await begun.opened;
  await clock.advance(0);
  await kill();
  isCut = false;
  await clock.advance(TTL * 2);
  const { messageId } = (await answer).result;
  const stored = await storedTexts(shared, ann.id);
  expect(stored.find((event) => event.includes('"user_message"'))).toContain(messageId);
  expect(ran).toEqual(["Work"]);
  expect(bob.updates.filter((update) => update.messageId === messageId)).toHaveLength(1);
  expect(bob.updates.at(-1)).toMatchObject({ state: "idle", stopReason: "error" });
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

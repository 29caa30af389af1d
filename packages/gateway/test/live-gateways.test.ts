import { createAgentWith, type Dialect, v1Dialect } from "@turnkit/agent";
import { expect, it } from "vitest";
import { createMemoryEngine, type GatewayOptions } from "../src/index.js";
import { attach, clientOf, type DialectName, gatewayOf } from "./attached-clients.js";
import { createLatch, untilCancelled } from "./latch.js";
import { type Frame, RawClient } from "./raw-client.js";
import { manualClock } from "./takeover-gateways.js";
import { viewOf } from "./view.js";

type Handlers = Parameters<typeof gatewayOf>[0];
type Working = Parameters<NonNullable<Handlers["prompt"]>>[0];

/** Gateways of one engine, each with an agent of its own. */
function gatewaysOf(handlers: Handlers, options: Partial<GatewayOptions> = {}, spoken?: readonly Dialect[]) {
  const engine = createMemoryEngine();
  const serve = spoken && ((its: Parameters<typeof createAgentWith>[1]) => createAgentWith(spoken, its));
  const one = () => gatewayOf(handlers, { log: () => engine, ...options }, serve);
  return { engine, here: one(), there: one(), third: one() };
}

type Opened = ReturnType<typeof gatewayOf>;

async function rawAt({ gateway }: Opened, name: string, role: "controller" | "observer" = "controller") {
  const raw = new RawClient(gateway.open({ id: name, group: "all", name, role }));
  await raw.initialize(2);
  return raw;
}

async function resumed(at: Opened, sessionId: string, name: string, role?: "observer"): Promise<RawClient> {
  const raw = await rawAt(at, name, role);
  const { error } = await raw.request("session/resume", { sessionId, cwd: "/work", replayFrom: { type: "start" } });
  expect(error).toBeUndefined();
  return raw;
}

const text = (words: string) => [{ type: "text", text: words }];
const shown = (session: { readonly state: Parameters<typeof viewOf>[0] }) => JSON.stringify(viewOf(session.state));
const isAsked = ({ method }: Frame): boolean => method === "session/request_permission";
const isWithdrawn = ({ method }: Frame): boolean => method === "$/cancel_request";
const idles = (raw: RawClient) => raw.updates.filter(({ state }) => state === "idle").length;

const answering: Handlers = {
  async prompt(turn: Working) {
    const [{ text: words }] = turn.prompt as unknown as readonly [{ readonly text: string }];
    const call = turn.toolCall({ title: `Look at ${words}`, kind: "read" });
    call.finish();
    await turn.say(`Heard ${words}.`);
  },
};

const names: readonly DialectName[] = ["v1", "v2", "seed"];

it.each(names.flatMap((one) => names.map((other) => [one, other] as const)))(
  "SHARE-01 SHARE-04 clients of two gateways have one session (%s at the owner, %s at the other)",
  async (one, other) => {
    for (const spoken of [undefined, [v1Dialect]]) {
      const { here, there } = gatewaysOf(answering, {}, spoken);
      const ann = await (await clientOf(here.gateway, one, { name: "Ann" })).newSession({ cwd: "/work" });
      await ann.prompt("first").ended;
      const bob = await attach(await clientOf(there.gateway, other, { name: "Bob" }), ann.id);
      await expect.poll(() => shown(bob)).toBe(shown(ann));
      expect((await bob.prompt("second").ended).error).toBeUndefined();
      expect((await ann.prompt("third").ended).error).toBeUndefined();
      for (const session of [ann, bob]) {
        await expect.poll(() => shown(session)).toMatch(/Heard first.*Heard second.*Heard third/);
        expect(shown(session).match(/"second"/g)).toHaveLength(1);
      }
      await expect.poll(() => shown(bob)).toBe(shown(ann));
    }
  },
);

it("SHARE-07 a message keeps the name of its author at every gateway, and only its sender's gateway takes it as its own", async () => {
  const { here, there, third } = gatewaysOf(answering);
  const ann = await rawAt(here, "Ann");
  const { sessionId } = (await ann.request("session/new", { cwd: "/work", mcpServers: [] })).result;
  const bob = await resumed(there, sessionId, "Bob");
  const cem = await resumed(third, sessionId, "Cem");
  // The same words from two gateways at once.
  const answers = await Promise.all(
    [bob, cem, ann].map((raw) => raw.request("session/prompt", { sessionId, prompt: text("same") })),
  );
  const ids = answers.map(({ result }) => result.messageId);
  expect(new Set(ids).size).toBe(3);
  for (const raw of [ann, bob, cem]) {
    await expect.poll(() => idles(raw)).toBeGreaterThanOrEqual(1);
    await expect.poll(() => raw.updates.filter(({ sessionUpdate }) => sessionUpdate === "user_message").length).toBe(3);
    const authors = new Map(
      raw.updates
        .filter(({ sessionUpdate }) => sessionUpdate === "user_message")
        .map(({ messageId, _meta }) => [messageId, _meta["turnkit.author"]]),
    );
    expect(ids.map((id) => authors.get(id))).toEqual(["Bob", "Cem", "Ann"]);
  }
});

it("NATS-06 a prompt with a key runs once, whatever gateway gets it", async () => {
  const ran: string[] = [];
  const { here, there } = gatewaysOf({ prompt: (turn) => void ran.push(JSON.stringify(turn.prompt)) });
  const ann = await rawAt(here, "Ann");
  const { sessionId } = (await ann.request("session/new", { cwd: "/work", mcpServers: [] })).result;
  const bob = await resumed(there, sessionId, "Bob");
  const keyed = { sessionId, prompt: text("Go"), idempotencyKey: "key-1" };
  const first = (await ann.request("session/prompt", keyed)).result;
  await expect.poll(() => idles(bob)).toBeGreaterThanOrEqual(1);
  expect((await bob.request("session/prompt", keyed)).result).toEqual(first);
  expect((await bob.request("session/prompt", { ...keyed, prompt: text("Other") })).error).toMatchObject({
    code: -32602,
  });
  const other = { ...keyed, idempotencyKey: "key-2" };
  const second = (await bob.request("session/prompt", other)).result;
  expect((await ann.request("session/prompt", other)).result).toEqual(second);
  expect(ran).toHaveLength(2);
  expect(bob.updates.filter(({ sessionUpdate }) => sessionUpdate === "user_message")).toHaveLength(2);
});

const asking: Handlers = {
  async prompt(turn: Working) {
    const call = turn.toolCall({ title: "Delete it", kind: "delete" });
    const answer = await call.ask();
    if (answer) call.finish();
    else call.fail("Not allowed.");
    await turn.say(answer ? "Allowed." : "Refused.");
  },
};

async function asked(options: Partial<GatewayOptions> = {}, role?: "observer") {
  const { here, there } = gatewaysOf(asking, options);
  const ann = await rawAt(here, "Ann");
  const { sessionId } = (await ann.request("session/new", { cwd: "/work", mcpServers: [] })).result;
  const bob = await resumed(there, sessionId, "Bob", role);
  return { here, there, ann, bob, sessionId };
}

const allow = (raw: RawClient, question: Frame) => {
  const { optionId } = question.params.options.find(({ kind }: { kind: string }) => kind === "allow_once");
  raw.reply(question, { outcome: { outcome: "selected", optionId } });
};

it.each(["Ann", "Bob"])(
  "SHARE-05 a question goes to the clients of all gateways, and the first answer counts: %s",
  async (who) => {
    const { ann, bob, sessionId } = await asked();
    await ann.request("session/prompt", { sessionId, prompt: text("Go") });
    const questions = await Promise.all([ann.next(isAsked), bob.next(isAsked)]);
    const at = who === "Ann" ? 0 : 1;
    allow([ann, bob][at] as RawClient, questions[at] as Frame);
    await ([bob, ann][at] as RawClient).next(isWithdrawn);
    for (const raw of [ann, bob]) {
      await raw.next(({ params }) => JSON.stringify(params ?? "").includes("Allowed."));
      const named = raw.updates.filter(({ _meta }) => _meta?.["turnkit.answeredBy"] !== undefined);
      expect(named.map(({ _meta }) => _meta["turnkit.answeredBy"])).toEqual([who]);
    }
  },
);

it("SHARE-05 a question waits while a client of any gateway can answer it, and is decided when no client can", async () => {
  const clock = manualClock();
  const { there, ann, bob, sessionId } = await asked({ unattendedMs: 30_000 }, "observer");
  await ann.request("session/prompt", { sessionId, prompt: text("Go") });
  await ann.next(isAsked);
  await ann.close();
  await clock.advance(30_000);
  // Bob only watches, so nobody can answer.
  await bob.next(({ params }) => JSON.stringify(params ?? "").includes("Refused."));
  expect(bob.received.filter(isAsked)).toEqual([]);
  const cem = await resumed(there, sessionId, "Cem");
  await cem.request("session/prompt", { sessionId, prompt: text("Again") });
  const question = await cem.next(isAsked);
  await clock.advance(90_000);
  allow(cem, question);
  await cem.next(({ params }) => JSON.stringify(params ?? "").includes("Allowed."));
});

it("SHARE-05 a client that comes later to another gateway is asked too", async () => {
  const { there, ann, sessionId } = await asked({}, "observer");
  await ann.request("session/prompt", { sessionId, prompt: text("Go") });
  await ann.next(isAsked);
  const cem = await resumed(there, sessionId, "Cem");
  allow(cem, await cem.next(isAsked));
  await ann.next(isWithdrawn);
});

it("SHARE-08 an observer at another gateway may only watch", async () => {
  const { bob, ann, sessionId } = await asked({}, "observer");
  for (const [method, params] of [
    ["session/prompt", { prompt: text("No") }],
    ["session/delete", {}],
  ] as const) {
    const { error } = await bob.request(method, { sessionId, ...params });
    expect(error).toMatchObject({ code: -32600, data: { reason: "observer" } });
  }
  expect((await bob.request("session/close", { sessionId })).error).toBeUndefined();
  expect((await ann.request("session/prompt", { sessionId, prompt: text("Go") })).error).toBeUndefined();
});

it("SHARE-07 a cancel at another gateway ends the turn", async () => {
  const begun = createLatch();
  const { here, there } = gatewaysOf({
    async prompt(turn) {
      await turn.say("Begun.");
      begun.open();
      await untilCancelled(turn);
    },
  });
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  const bob = await attach(await clientOf(there.gateway), ann.id);
  const turn = ann.prompt("Go");
  await begun.opened;
  await expect.poll(() => shown(bob)).toContain("Begun.");
  await bob.cancel();
  expect((await turn.ended).stopReason).toBe("cancelled");
  await expect.poll(() => shown(bob)).toBe(shown(ann));
});

it("SHARE-01 an option that is set at one gateway changes at all", async () => {
  const option = {
    type: "select",
    configId: "speed",
    name: "Speed",
    currentValue: "slow",
    options: [
      { value: "slow", name: "Slow" },
      { value: "fast", name: "Fast" },
    ],
  } as const;
  const { here, there } = gatewaysOf({
    newSession: () => ({ configOptions: [option] }),
    setConfigOption: () => undefined,
  } as never);
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  const bob = await attach(await clientOf(there.gateway), ann.id);
  await expect.poll(() => shown(bob)).toBe(shown(ann));
  await bob.setConfigOption("speed", "fast");
  for (const session of [ann, bob]) await expect.poll(() => shown(session)).toContain("fast");
});

it.each(["closed", "deleted"] as const)(
  "SHARE-10 a session that is %s at one gateway ends at all, with the name",
  async (what) => {
    for (const from of ["owner", "other"]) {
      const { here, there, third } = gatewaysOf(answering);
      const ann = await rawAt(here, "Ann");
      const { sessionId } = (await ann.request("session/new", { cwd: "/work", mcpServers: [] })).result;
      await ann.request("session/prompt", { sessionId, prompt: text("Go") });
      const bob = await resumed(there, sessionId, "Bob");
      const cem = await resumed(third, sessionId, "Cem");
      const [actor, others] = from === "owner" ? [ann, [bob, cem]] : [bob, [ann, cem]];
      const { error } = await actor.request(what === "closed" ? "session/close" : "session/delete", { sessionId });
      expect(error).toBeUndefined();
      for (const raw of others) {
        const isTold = ({ params }: Frame) => params?.update?.title === `The session was ${what}`;
        const { update } = (await raw.next(isTold)).params;
        expect(update.description).toContain(from === "owner" ? "Ann has" : "Bob has");
        expect(raw.received.filter(isTold)).toHaveLength(1);
        await expect
          .poll(async () => (await raw.request("session/prompt", { sessionId, prompt: text("Late") })).error)
          .toMatchObject({ code: -32002 });
      }
      expect((await ann.request("session/list", {})).result.sessions).toHaveLength(what === "closed" ? 1 : 0);
      expect(actor.updates.filter(({ title }) => title === `The session was ${what}`)).toEqual([]);
    }
  },
);

it("SHARE-01 a gateway asks the engine for the owner: no message passes two gateways", async () => {
  const { engine, here, there, third } = gatewaysOf(answering);
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  const bob = await attach(await clientOf(there.gateway), ann.id);
  // The gateway of Bob is no owner, so the next one cannot reach the session through it.
  const cem = await attach(await clientOf(third.gateway), ann.id);
  const raw = new RawClient(await engine.connect(ann.id));
  await raw.initialize(2);
  const other = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  const { error } = await raw.request("session/resume", { sessionId: other.id, cwd: "/work" });
  expect(error).toMatchObject({ code: -32002 });
  await there.gateway.close();
  expect(await cem.prompt("still").text()).toBe("Heard still.");
  expect(bob.state).toBeDefined();
});

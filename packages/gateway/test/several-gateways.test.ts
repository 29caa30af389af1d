import { createAgentWith, createMemoryLog, seedDialect, v1Dialect, v2Dialect } from "@turnkit/agent";
import { installManualClock, type ManualClock } from "@turnkit/testing";
import { expect, it, onTestFinished } from "vitest";
import { createMemoryEngine, type Engine } from "../src/index.js";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";
import { createLatch, untilCancelled } from "./latch.js";
import { mortal } from "./mortal-engine.js";
import { RawClient } from "./raw-client.js";
import { viewOf } from "./view.js";

const TTL = 9_000;

const text = (words: string) => [{ type: "text", text: words }];

function manualClock(): ManualClock {
  const clock = installManualClock();
  onTestFinished(() => clock.uninstall());
  return clock;
}

async function rawClient({ gateway }: Pick<ReturnType<typeof gatewayOf>, "gateway">): Promise<RawClient> {
  const raw = new RawClient(gateway.open({ id: "raw", group: "all", name: "Ann" }));
  await raw.initialize(2);
  return raw;
}

const shown = (session: { readonly state: Parameters<typeof viewOf>[0] }) => JSON.stringify(viewOf(session.state));

type Working = Parameters<NonNullable<Parameters<typeof createAgentWith>[1]["prompt"]>>[0];

/** Agent that answers each prompt, and counts them. */
function echo(prompts: string[] = []) {
  return {
    log: createMemoryLog(),
    async prompt(turn: Working) {
      const [{ text: words }] = turn.prompt as unknown as readonly [{ readonly text: string }];
      prompts.push(words);
      await turn.say(`Heard ${words}.`);
    },
  };
}

it("SHARE-01 a session that nobody uses stays where it is until its idle time is over, and then goes to another gateway", async () => {
  const clock = manualClock();
  const engine = createMemoryEngine({ ttlMs: TTL });
  const agent = echo();
  const idle = { log: () => engine, idleMs: 1_000 };
  const [here, there] = [gatewayOf(agent, idle), gatewayOf(agent, idle)];
  const client = await clientOf(here.gateway);
  const { id, prompt } = await client.newSession({ cwd: "/work" }).then((session) => ({
    id: session.id,
    prompt: session.prompt("one").ended,
  }));
  await prompt;
  await client.close();
  const other = await clientOf(there.gateway);
  expect(await (await attach(other, id)).prompt("two").text()).toBe("Heard two.");
  expect(await ownerOf(engine, id)).toBe("somebody");
  await other.close();
  // One idle time at the gateway that has left, and one at the owner.
  await clock.advance(2_001);
  expect(await ownerOf(engine, id)).toBe("nobody");
  const moved = await attach(await clientOf(there.gateway), id);
  expect(await moved.prompt("three").text()).toBe("Heard three.");
  expect(shown(moved)).toMatch(/Heard one.*Heard two.*Heard three/);
});

async function ownerOf(engine: Engine, id: string): Promise<string> {
  const channel = await engine.connect(id).catch(() => undefined);
  void channel?.close();
  return channel === undefined ? "nobody" : "somebody";
}

it("SHARE-10 a client of any gateway deletes a session, and the clients of the others are told", async () => {
  const engine = createMemoryEngine();
  const [here, there] = [gatewayOf({}, { log: () => engine }), gatewayOf({}, { log: () => engine })];
  const session = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  const raw = await rawClient(there);
  expect((await raw.request("session/delete", { sessionId: session.id })).error).toBeUndefined();
  await expect.poll(() => shown(session)).toContain("The session was deleted");
  expect((await raw.request("session/list", {})).result.sessions).toEqual([]);
});

it("SHARE-11 defect G22: after the death of a gateway, another one takes over, and never runs the open turn again", async () => {
  const clock = manualClock();
  const shared = createMemoryEngine({ ttlMs: TTL });
  const { engine, die } = mortal(shared);
  const ran: string[] = [];
  const closed: string[] = [];
  const latch = createLatch();
  const handlers = {
    log: createMemoryLog(),
    closeSession: ({ id }: { readonly id: string }) => void closed.push(id),
    async prompt(turn: Working) {
      const [{ text: words }] = turn.prompt as unknown as readonly [{ readonly text: string }];
      ran.push(words);
      if (words !== "Work") return void turn.say("Back.");
      turn.toolCall({ title: "Long work" });
      await turn.say("Begun.");
      latch.open();
      await untilCancelled(turn);
    },
  };
  const here = gatewayOf(handlers, { log: () => engine });
  const there = gatewayOf(handlers, { log: () => shared });
  const raw = await rawClient(here);
  const { sessionId } = (await raw.request("session/new", { cwd: "/work", mcpServers: [] })).result;
  const keyed = { sessionId, prompt: text("Work"), idempotencyKey: "key-1" };
  const { messageId } = (await raw.request("session/prompt", keyed)).result;
  await latch.opened;
  await clock.advance(0);
  die();
  await clock.advance(TTL);
  const late = await rawClient(there);
  const resumed = await late.request("session/resume", { sessionId, cwd: "/work", replayFrom: { type: "start" } });
  expect(resumed.error).toBeUndefined();
  const idle = late.updates.filter(({ state }) => state === "idle").at(-1);
  expect(idle).toMatchObject({ stopReason: "error", error: { message: expect.stringContaining("interrupted") } });
  // A retry of the client whose connection was lost finds its message.
  expect((await late.request("session/prompt", keyed)).result).toEqual({ messageId });
  expect(ran).toEqual(["Work"]);
  // The first gateway lives on, without the session: it stops its agent and tells its clients.
  await clock.advance(0);
  expect(closed).toEqual([sessionId]);
  expect(raw.updates.at(-1)).toMatchObject({ sessionUpdate: "notice", title: "The gateway has lost the session" });
  const { error } = await raw.request("session/prompt", { sessionId, prompt: text("Late") });
  expect(error).toMatchObject({ code: -32002 });
  await late.request("session/prompt", { sessionId, prompt: text("Next") });
  await late.next(({ params }) => JSON.stringify(params ?? "").includes("Back."));
  const stored: string[] = [];
  for await (const event of shared.read(sessionId)) stored.push(JSON.stringify(event));
  expect(stored.filter((event) => event.includes("interrupted"))).toHaveLength(1);
});

it.each([v1Dialect, v2Dialect, seedDialect])(
  "SHARE-11 defect G22: a turn that has ended, failed or was cancelled is not interrupted by the end of a gateway (agent of $dialect)",
  async (dialect) => {
    const log = createMemoryLog();
    const serveWith = (handlers: Parameters<typeof createAgentWith>[1]) => createAgentWith([dialect], handlers);
    const handlers = {
      ...echo(),
      async prompt(turn: Working) {
        const words = JSON.stringify(turn.prompt);
        if (words.includes("fail")) throw new Error("failed");
        if (!words.includes("cancel")) return;
        await turn.say("Begun.");
        await untilCancelled(turn);
      },
    };
    for (const words of ["end", "fail", "cancel"]) {
      const { gateway } = gatewayOf(handlers, { log: () => log, onDiagnostic: () => undefined }, serveWith);
      const client = await clientOf(gateway);
      const session = await client.newSession({ cwd: "/work" });
      const turn = session.prompt(words);
      if (words === "cancel") {
        await turn.accepted;
        void turn.cancel();
      }
      await turn.ended;
      await gateway.close();
      const again = gatewayOf(handlers, { log: () => log, onDiagnostic: () => undefined }, serveWith);
      const raw = await rawClient(again);
      await raw.request("session/resume", { sessionId: session.id, cwd: "/work", replayFrom: { type: "start" } });
      expect(JSON.stringify(raw.updates), words).not.toContain("interrupted");
    }
  },
);

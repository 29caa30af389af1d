import { createMemoryLog, type SessionLog, SessionLogError } from "@turnkit/agent";
import { expect, it } from "vitest";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";
import { createLatch, type Latch } from "./latch.js";
import { RawClient } from "./raw-client.js";
import { shown } from "./takeover-gateways.js";

const text = (words: string) => [{ type: "text", text: words }];

it("SHARE-01 clients that attach at once to a stored session have one owner", async () => {
  const log = createMemoryLog();
  const handlers = { log: createMemoryLog(), prompt: (turn: { say(text: string): void }) => turn.say("Heard.") };
  const first = gatewayOf(handlers, { log: () => log });
  const { id } = await (await clientOf(first.gateway)).newSession({ cwd: "/work" });
  await first.gateway.close();
  const { gateway } = gatewayOf(handlers, { log: () => log });
  const clients = [await clientOf(gateway), await clientOf(gateway)];
  const [one, two] = await Promise.all(clients.map((client) => attach(client, id)));
  expect(await one?.prompt("Go").text()).toBe("Heard.");
  await expect.poll(() => [...(two?.state.timeline ?? [])]).toHaveLength(2);
});

/** Log whose commits wait, from the call of `hold` on. Each one gets a latch. */
function heldLog(): { readonly log: SessionLog; readonly commits: Latch[]; hold(): void; release(): void } {
  const log = createMemoryLog();
  const commits: Latch[] = [];
  let isHeld = false;
  const open: SessionLog["open"] = async (id, info) => {
    const writer = await log.open(id, info);
    return {
      append: (event) => writer.append(event),
      async commit() {
        const latch = createLatch();
        if (isHeld) commits.push(latch);
        else latch.open();
        await latch.opened;
        await writer.commit();
      },
      [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
    };
  };
  const hold = (): void => {
    isHeld = true;
  };
  const release = (): void => {
    isHeld = false;
    for (const commit of commits) commit.open();
  };
  return { log: { ...log, open }, commits, hold, release };
}

it("SHARE-11 a prompt is answered, and the end of its turn is told, only after they are stored", async () => {
  const { log, commits, hold, release } = heldLog();
  const { gateway } = gatewayOf({ prompt: (turn) => turn.say("Heard.") }, { log: () => log });
  const raw = new RawClient(gateway.open({ id: "someone", group: "all" }));
  await raw.initialize(2);
  const { sessionId } = (await raw.request("session/new", { cwd: "/work", mcpServers: [] })).result;
  hold();
  const answered = raw.request("session/prompt", { sessionId, prompt: text("Go") });
  await expect.poll(() => commits).toHaveLength(1);
  await raw.request("session/list", {});
  expect(raw.updates).toEqual([]);
  expect(raw.received.filter(({ result }) => result?.messageId)).toEqual([]);
  commits[0]?.open();
  expect((await answered).result).toHaveProperty("messageId");
  await expect.poll(() => commits).toHaveLength(2);
  await raw.request("session/list", {});
  expect(raw.updates.filter(({ state }) => state === "idle")).toEqual([]);
  release();
  await raw.next(({ params }) => params?.update?.state === "idle");
});

it("NATS-08 defect G34: a prompt of version 1 is answered after its end is stored, and before the next message is", async () => {
  const { log, commits, hold, release } = heldLog();
  const { gateway } = gatewayOf({ prompt: (turn) => turn.say("Heard.") }, { log: () => log });
  const raw = new RawClient(gateway.open({ id: "someone", group: "all" }));
  await raw.initialize(1);
  const { sessionId } = (await raw.request("session/new", { cwd: "/work", mcpServers: [] })).result;
  hold();
  const answered = [1, 2].map((n) => raw.request("session/prompt", { sessionId, prompt: text(`Go ${n}`) }));
  const answers = () => raw.received.filter(({ result }) => result?.stopReason);
  for (const moment of ["first message", "its end", "second message"]) {
    await expect.poll(() => commits.length).toBeGreaterThan(0);
    await raw.request("session/list", {});
    expect(answers(), moment).toHaveLength(moment === "second message" ? 1 : 0);
    commits.shift()?.open();
  }
  release();
  await Promise.all(answered);
});

it.each(["append", "commit"] as const)(
  "SHARE-07 after a failed %s, the session goes on and takes no more prompts",
  async (failing) => {
    let isBroken = false;
    const reported: string[] = [];
    const log = createMemoryLog();
    const broken: SessionLog = {
      ...log,
      async open(id, info) {
        const writer = await log.open(id, info);
        const check = (what: string): void => {
          if (isBroken && what === failing) throw new SessionLogError("failed", "The disk is full.");
        };
        return {
          append(event) {
            check("append");
            return writer.append(event);
          },
          async commit() {
            check("commit");
            await writer.commit();
          },
          [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
        };
      },
    };
    const { gateway } = gatewayOf(
      {
        async prompt(turn) {
          isBroken = true;
          await turn.say("Heard.");
        },
      },
      { log: () => broken, onDiagnostic: ({ code }) => reported.push(code) },
    );
    const session = await (await clientOf(gateway)).newSession({ cwd: "/work" });
    expect(await session.prompt("Go").ended).toMatchObject({ stopReason: "error", error: { code: -32603 } });
    expect(shown(session)).toContain("Heard.");
    expect(await session.prompt("Again").ended).toMatchObject({ stopReason: "error", error: { code: -32603 } });
    expect(reported).toEqual(["log_failed"]);
  },
);

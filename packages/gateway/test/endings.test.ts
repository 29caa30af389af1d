import { createMemoryLog, SessionLogError } from "@turnkit/agent";
import { expect, it } from "vitest";
import { createMemoryEngine } from "../src/index.js";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";
import { createLatch } from "./latch.js";
import { RawClient } from "./raw-client.js";
import { manualClock, TTL } from "./takeover-gateways.js";

const noticesOf = (raw: RawClient) => raw.updates.filter(({ sessionUpdate }) => sessionUpdate === "notice");

it.each([
  ["session/close", "The session was closed", "Ann has closed the session. Attach again to go on."],
  ["session/delete", "The session was deleted", "Ann has deleted the session."],
])(
  "SHARE-10 defect G18: %s by one client is told to the others, once, and is not stored",
  async (method, title, description) => {
    const log = createMemoryLog();
    const { gateway } = gatewayOf({}, { log: () => log });
    const ann = new RawClient(gateway.open({ id: "ann", group: "all", name: "Ann" }));
    const others = [2, 1, 2].map(() => new RawClient(gateway.open({ id: "other", group: "all" })));
    await ann.initialize(2);
    const { sessionId } = (await ann.request("session/new", { cwd: "/work", mcpServers: [] })).result;
    const [fast, old, slow] = others as [RawClient, RawClient, RawClient];
    await fast.initialize(2);
    await slow.initialize(2);
    await old.initialize(1, { session: { notices: {} } });
    const params = { sessionId, cwd: "/work", mcpServers: [] };
    for (const one of [fast, slow]) await one.request("session/resume", params);
    await old.request("session/load", params);
    // Its channel has no room, so its updates wait.
    slow.pause();
    expect((await ann.request(method, { sessionId })).error).toBeUndefined();
    slow.resume();
    const expected = [{ sessionUpdate: "notice", severity: "info", title, description }];
    for (const one of [fast, slow]) {
      await one.next(({ params: received }) => received?.update?.sessionUpdate === "notice");
      expect(noticesOf(one)).toEqual(expected);
      expect(
        (await one.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "x" }] })).error,
      ).toMatchObject({
        code: -32002,
      });
    }
    expect(noticesOf(ann)).toEqual([]);
    if (method === "session/delete") return;
    for await (const { type } of log.read(sessionId)) expect(type).not.toBe("notice");
  },
);

it("SHARE-10 defect G20: an attach during a delete does not bring the session back", async () => {
  const latch = createLatch();
  const asked = createLatch();
  const log = createMemoryLog();
  const held = {
    ...log,
    async delete(id: string) {
      asked.open();
      await latch.opened;
      await log.delete(id);
    },
  };
  const { gateway } = gatewayOf({}, { log: () => held });
  const client = await clientOf(gateway);
  const { id } = await client.newSession({ cwd: "/work" });
  const deleting = client.deleteSession(id);
  const raw = new RawClient(gateway.open({ id: "raw", group: "all" }));
  await raw.initialize(2);
  await asked.opened;
  const attaching = raw.request("session/resume", { sessionId: id, cwd: "/work" });
  await raw.request("session/list", {});
  latch.open();
  await deleting;
  expect((await attaching).error).toMatchObject({ code: -32002 });
  expect((await raw.request("session/list", {})).result.sessions).toEqual([]);
});

it("SHARE-10 defect G20: a session that is deleted while it is opened for a client is gone", async () => {
  const log = createMemoryLog();
  const first = gatewayOf({}, { log: () => log });
  const { id } = await (await clientOf(first.gateway)).newSession({ cwd: "/work" });
  await first.gateway.close();
  const latch = createLatch();
  const slow: typeof log = {
    ...log,
    async open(sessionId, info) {
      await latch.opened;
      return log.open(sessionId, info);
    },
  };
  const { gateway } = gatewayOf({}, { log: () => slow });
  const raw = new RawClient(gateway.open({ id: "raw", group: "all" }));
  await raw.initialize(2);
  const attaching = raw.request("session/resume", { sessionId: id, cwd: "/work" });
  await raw.request("session/list", {});
  const deleting = raw.request("session/delete", { sessionId: id });
  await raw.request("session/list", {});
  latch.open();
  expect((await deleting).error).toBeUndefined();
  await attaching;
  expect((await raw.request("session/resume", { sessionId: id, cwd: "/work" })).error).toMatchObject({ code: -32002 });
  expect((await raw.request("session/list", {})).result.sessions).toEqual([]);
});

it("SHARE-10 defect G20: a session whose delete fails can be attached to again", async () => {
  const log = createMemoryLog();
  const broken = { ...log, delete: () => Promise.reject(new Error("The disk is full.")) };
  const { gateway } = gatewayOf({}, { log: () => broken, onDiagnostic: () => undefined });
  const client = await clientOf(gateway);
  const { id } = await client.newSession({ cwd: "/work" });
  await expect(client.deleteSession(id)).rejects.toThrow();
  expect((await attach(await clientOf(gateway), id)).id).toBe(id);
});

it("SHARE-10 defect G20: an attach at the moment of a close attaches to the session that is opened again", async () => {
  const { gateway } = gatewayOf({});
  const client = await clientOf(gateway);
  const session = await client.newSession({ cwd: "/work" });
  const raw = new RawClient(gateway.open({ id: "raw", group: "all" }));
  await raw.initialize(2);
  const closing = session.close();
  const attached = await Promise.all(
    [1, 2, 3].map(() => raw.request("session/resume", { sessionId: session.id, cwd: "/work" })),
  );
  await closing;
  expect(attached.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
  const prompt = [{ type: "text", text: "x" }];
  expect((await raw.request("session/prompt", { sessionId: session.id, prompt })).error).not.toMatchObject({
    code: -32002,
  });
});

it("SHARE-10 defect G44: a gateway that is closed during a deletion deletes nothing later", async () => {
  const clock = manualClock();
  const engine = createMemoryEngine({ ttlMs: TTL });
  const { id } = await (await clientOf(gatewayOf({}, { log: () => engine }).gateway)).newSession({ cwd: "/work" });
  const asked = createLatch();
  const refusing = {
    ...engine,
    async connect() {
      asked.open();
      throw new SessionLogError("failed", "The owner takes no channels.");
    },
  };
  const { gateway } = gatewayOf({}, { log: () => refusing });
  (await clientOf(gateway)).deleteSession(id).catch(() => undefined);
  await asked.opened;
  const closing = gateway.close();
  refusing.connect = engine.connect as typeof refusing.connect;
  await clock.advance(TTL / 20);
  await closing;
  await clock.advance(TTL / 2);
  expect((await engine.list({})).sessions).toMatchObject([{ sessionId: id }]);
});

it("SHARE-10 defect G44: the end of a gateway waits for a deletion that has begun", async () => {
  const clock = manualClock();
  const latch = createLatch();
  const asked = createLatch();
  const log = createMemoryLog();
  const held = {
    ...log,
    async delete(id: string) {
      asked.open();
      await latch.opened;
      await log.delete(id);
    },
  };
  const { gateway } = gatewayOf({}, { log: () => held });
  const client = await clientOf(gateway);
  const { id } = await client.newSession({ cwd: "/work" });
  client.deleteSession(id).catch(() => undefined);
  await asked.opened;
  const closing = gateway.close().then(() => log.list({}));
  await clock.advance(0);
  latch.open();
  expect((await closing).sessions).toEqual([]);
});

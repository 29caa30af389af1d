import { createMemoryLog } from "@turnkit/agent";
import { installManualClock } from "@turnkit/testing";
import { createMemoryPair } from "@turnkit/transport/channels";
import { expect, it, onTestFinished, vi } from "vitest";
import { createGateway, createMemoryEngine } from "../src/index.js";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";
import { createLatch, untilCancelled } from "./latch.js";
import { RawClient } from "./raw-client.js";
import { viewOf } from "./view.js";

const text = (words: string) => [{ type: "text", text: words }];

it.each(["v1", "v2", "seed"] as const)(
  "SHARE-10 defect G4: a close by one client ends the turn of another, and everybody is told (client of %s)",
  async (dialect) => {
    const { gateway } = gatewayOf({ prompt: untilCancelled });
    const one = await (await clientOf(gateway, dialect)).newSession({ cwd: "/work" });
    const two = await attach(await clientOf(gateway, "v2"), one.id);
    const three = await attach(await clientOf(gateway, "v2"), one.id);
    const turn = one.prompt("Go");
    await expect.poll(() => two.state.activity.state).toBe("running");
    await two.close();
    expect(await turn.ended).toMatchObject({ stopReason: "cancelled" });
    await expect.poll(() => three.state.activity).toMatchObject({ state: "idle", stopReason: "cancelled" });
  },
);

it("SHARE-10 defect G4: what the agent says while its session is closed is told, and stored", async () => {
  const log = createMemoryLog();
  const { gateway } = gatewayOf(
    {
      async prompt(turn) {
        await untilCancelled(turn);
        await turn.say("Stopped.");
      },
    },
    { log: () => log },
  );
  const one = await (await clientOf(gateway)).newSession({ cwd: "/work" });
  const two = await attach(await clientOf(gateway), one.id);
  one.prompt("Go");
  await expect.poll(() => two.state.activity.state).toBe("running");
  await one.close();
  await expect.poll(() => JSON.stringify(viewOf(two.state))).toContain("Stopped.");
  const stored: string[] = [];
  for await (const event of log.read(one.id)) stored.push(JSON.stringify(event));
  expect(stored.join()).toContain("Stopped.");
});

it("SHARE-10 defect G4: a session that is being closed takes no prompt", async () => {
  const latch = createLatch();
  const prompts: string[] = [];
  const { gateway } = gatewayOf({
    closeSession: () => latch.opened,
    prompt: () => void prompts.push("ran"),
  });
  const one = await (await clientOf(gateway)).newSession({ cwd: "/work" });
  const raw = new RawClient(gateway.open({ id: "raw", group: "all" }));
  await raw.initialize(2);
  await raw.request("session/resume", { sessionId: one.id, cwd: "/work" });
  const closing = one.close();
  await raw.request("session/list", {});
  const { error } = await raw.request("session/prompt", { sessionId: one.id, prompt: text("late") });
  expect(error).toMatchObject({ code: -32002 });
  latch.open();
  await closing;
  expect(prompts).toEqual([]);
});

it("SHARE-10 defect G4: a session that is closed while its agent restores it is closed in the agent", async () => {
  const latch = createLatch();
  const heard: string[] = [];
  const log = createMemoryLog();
  const handlers = {
    log: createMemoryLog(),
    async restoreSession() {
      heard.push("restore");
      await latch.opened;
    },
    closeSession: () => void heard.push("close"),
    prompt: () => void heard.push("prompt"),
  };
  const first = gatewayOf(handlers, { log: () => log });
  const { id } = await (await clientOf(first.gateway)).newSession({ cwd: "/work" });
  await first.gateway.close();
  heard.splice(0);
  const { gateway } = gatewayOf(handlers, { log: () => log });
  const session = await attach(await clientOf(gateway), id);
  const turn = session.prompt("Go");
  await expect.poll(() => heard).toEqual(["restore"]);
  void session.close();
  expect(await turn.ended).toMatchObject({ stopReason: "cancelled" });
  latch.open();
  await expect.poll(() => heard).toEqual(["restore", "close"]);
});

it("SHARE-10 defect G4: a session that another client closed is no longer attached", async () => {
  const { gateway } = gatewayOf({});
  const one = await (await clientOf(gateway)).newSession({ cwd: "/work" });
  const raw = new RawClient(gateway.open({ id: "raw", group: "all" }));
  await raw.initialize(1);
  await raw.request("session/load", { sessionId: one.id, cwd: "/work", mcpServers: [] });
  // Version 1 allows it only without sessions.
  const again = () => raw.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  expect((await again()).error).toBeDefined();
  await one.close();
  expect((await again()).error).toBeUndefined();
});

it.each([
  ["does not start", () => new Promise<never>(() => undefined)],
  ["does not answer", () => createMemoryPair()[0]],
])("SHARE-01 defect G1: a gateway whose agent %s can be closed", async (_, agent) => {
  const gateway = createGateway({ agent, onDiagnostic: () => undefined });
  const raw = new RawClient(gateway.open({ id: "someone" }));
  const hello = raw.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const other = gateway.serve(createMemoryPair()[0], { id: "someone" });
  await other.close();
  await gateway.close();
  expect((await hello).error).toBeDefined();
});

it("SHARE-01 defect G1: an agent that starts after the end of the gateway is closed", async () => {
  const latch = createLatch();
  const [ours, theirs] = createMemoryPair();
  const gateway = createGateway({ agent: () => latch.opened.then(() => ours) });
  gateway.open({ id: "someone" });
  await gateway.close();
  theirs.start({ message: () => undefined, invalidLine: () => undefined });
  latch.open();
  expect(await theirs.closed).toMatchObject({ kind: "remote" });
});

it("SHARE-01 defect G1: an agent that does not close a session is ended with the gateway", async () => {
  const clock = installManualClock();
  onTestFinished(() => clock.uninstall());
  const { gateway } = gatewayOf({ closeSession: () => new Promise(() => undefined) });
  await (await clientOf(gateway)).newSession({ cwd: "/work" });
  let isClosed = false;
  const closing = gateway.close().then(() => {
    isClosed = true;
  });
  await clock.advance(4_999);
  expect(isClosed).toBe(false);
  await clock.advance(1);
  await closing;
});

it("SHARE-01 defect G1: a closed gateway leaves no timer, and serves nobody", async () => {
  const clock = installManualClock();
  onTestFinished(() => clock.uninstall());
  let logs = 0;
  const log = () => {
    logs += 1;
    return createMemoryLog();
  };
  const { gateway } = gatewayOf({}, { log });
  await (await clientOf(gateway)).newSession({ cwd: "/work" });
  await gateway.close();
  const late = new RawClient(gateway.open({ id: "late" }));
  const { error } = await late.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  expect(error).toMatchObject({ code: -32603, message: expect.stringContaining("the gateway is closed") });
  await late.close();
  await clock.advance(0);
  expect({ timers: clock.timers, logs }).toEqual({ timers: 0, logs: 1 });
});

it("SHARE-01 defect G45: a closed gateway refuses a client, and ends its channel", async () => {
  const printed = vi.spyOn(console, "error");
  onTestFinished(() => printed.mockRestore());
  const { gateway } = gatewayOf({});
  await gateway.close();
  const channel = gateway.open({ id: "late" });
  const late = new RawClient(channel);
  const { error } = await late.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  expect(error).toMatchObject({ code: -32603, message: expect.stringContaining("the gateway is closed") });
  expect(printed).not.toHaveBeenCalled();
  await channel.closed;
});

it.each(["v1", "v2", "seed"] as const)(
  "NATS-09 defect G52: a turn in which the gateway ends is told as interrupted, because nobody has cancelled it (client of %s)",
  async (dialect) => {
    const engine = createMemoryEngine();
    const [here, there] = [
      gatewayOf({ prompt: untilCancelled }, { log: () => engine }),
      gatewayOf({}, { log: () => engine }),
    ];
    const one = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
    const two = await attach(await clientOf(there.gateway, dialect), one.id);
    const three = await attach(await clientOf(there.gateway), one.id);
    const turn = two.prompt("Go");
    await expect.poll(() => three.state.activity.state).toBe("running");
    await here.gateway.close();
    const interrupted = { error: { message: expect.stringContaining("interrupted: its gateway is ending") } };
    expect(await turn.ended).toMatchObject(interrupted);
    await expect.poll(() => three.state.activity).toMatchObject({ state: "idle", stopReason: "error", ...interrupted });
    const stored: string[] = [];
    for await (const event of engine.read(one.id)) stored.push(JSON.stringify(event));
    expect(stored.filter((event) => event.includes("its gateway is ending"))).toHaveLength(1);
  },
);

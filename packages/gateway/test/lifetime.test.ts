import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryLog } from "@turnkit/agent";
import { createFileLog } from "@turnkit/agent/node";
import { installManualClock } from "@turnkit/testing";
import { expect, it, onTestFinished } from "vitest";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";
import { createLatch } from "./latch.js";
import { viewOf } from "./view.js";

const echo = {
  log: createMemoryLog(),
  async prompt(turn: { readonly prompt: readonly object[]; say(text: string): unknown }): Promise<void> {
    await turn.say(`Heard ${(turn.prompt[0] as { readonly text: string }).text}.`);
  },
};

type Entries = { readonly entries: readonly (readonly [role: string, text: string])[] };

it.each(["v1", "v2", "seed"] as const)(
  "SHARE-09 defect G11: the detach of all clients ends no turn and no waiting prompt, and the next attach has their results (%s)",
  async (dialect) => {
    const latch = createLatch();
    const { gateway } = gatewayOf({
      async prompt(turn) {
        await turn.say("begun, ");
        await latch.opened;
        await turn.say(turn.signal.aborted ? "cancelled" : "done");
      },
    });
    const clients = [await clientOf(gateway, dialect), await clientOf(gateway, dialect)] as const;
    const one = await clients[0].newSession({ cwd: "/work" });
    const two = await attach(clients[1], one.id);
    one.prompt("one");
    await expect.poll(() => JSON.stringify(viewOf(two.state))).toContain("begun");
    two.prompt("two");
    // Its answer shows that the gateway has the prompt.
    for await (const _ of clients[1].listSessions()) break;
    for (const client of clients) await client.close();
    latch.open();
    const again = await attach(await clientOf(gateway, "v2"), one.id);
    const saidOf = ({ entries }: Entries) => entries.flatMap(([role, text]) => (role === "agent" ? [text] : []));
    await expect.poll(() => saidOf(viewOf(again.state) as Entries)).toEqual(["begun, done", "begun, done"]);
    await expect.poll(() => again.state.activity.state).toBe("idle");
  },
);

it("SHARE-09 a session without clients leaves its agent after a time, and the next prompt restores it", async () => {
  const clock = installManualClock();
  onTestFinished(() => clock.uninstall());
  const closed: string[] = [];
  const { gateway } = gatewayOf({ ...echo, closeSession: ({ id }) => void closed.push(id) }, { idleMs: 5_000 });
  const client = await clientOf(gateway, "v2");
  const session = await client.newSession({ cwd: "/work" });
  await session.prompt("one").ended;
  await client.close();
  await clock.advance(4_999);
  expect(closed).toEqual([]);
  await clock.advance(2);
  await expect.poll(() => closed).toEqual([session.id]);
  const again = await attach(await clientOf(gateway, "v2"), session.id);
  expect(await again.prompt("two").text()).toBe("Heard two.");
  expect([...again.state.timeline]).toHaveLength(4);
});

it("SHARE-11 the death of the agent is told to everybody, and the next prompt starts it again", async () => {
  let isFirst = true;
  const reported: string[] = [];
  const { gateway, agents } = gatewayOf(
    {
      ...echo,
      async prompt(turn) {
        if (!isFirst) return void turn.say("Back.");
        isFirst = false;
        turn.toolCall({ title: "Work" });
        await turn.say("Begun.");
        void agents.at(-1)?.close();
        if (!turn.signal.aborted) await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
      },
    },
    { onDiagnostic: ({ code }) => reported.push(code) },
  );
  const session = await (await clientOf(gateway, "v2")).newSession({ cwd: "/work" });
  const other = await attach(await clientOf(gateway, "v1"), session.id);
  const end = await session.prompt("Go").ended;
  expect(end.stopReason).not.toBe("end_turn");
  for (const { state } of [session, other]) {
    await expect.poll(() => JSON.stringify(viewOf(state))).toMatch(/"status":"(?:cancelled|failed)"/);
  }
  expect(await other.prompt("Again").text()).toBe("Back.");
  expect(agents).toHaveLength(2);
  expect(reported).toEqual(["connection_lost"]);
  await expect.poll(() => JSON.stringify(viewOf(session.state))).toContain("Back.");
});

it("SHARE-10 SHARE-11 stored sessions are listed and restored by another gateway with the same files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gateway-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const options = { log: () => createFileLog(folder) };
  const first = gatewayOf(echo, options);
  const client = await clientOf(first.gateway, "v2");
  const session = await client.newSession({ cwd: "/work" });
  await session.prompt("one").ended;
  const before = viewOf(session.state);
  await first.gateway.close();
  const second = gatewayOf(echo, options);
  const later = await clientOf(second.gateway, "v2");
  const listed = [];
  for await (const one of later.listSessions()) listed.push(one.sessionId);
  expect(listed).toEqual([session.id]);
  const again = await attach(later, session.id);
  expect(viewOf(again.state)).toEqual(before);
  expect(await again.prompt("two").text()).toBe("Heard two.");
  await later.deleteSession(session.id);
  for await (const one of later.listSessions()) throw new Error(`${one.sessionId} is still listed`);
});

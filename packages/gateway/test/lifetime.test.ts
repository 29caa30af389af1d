import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryLog } from "@turnkit/agent";
import { createFileLog } from "@turnkit/agent/node";
import { installManualClock } from "@turnkit/testing";
import { expect, it, onTestFinished } from "vitest";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";
import { viewOf } from "./view.js";

const echo = {
  log: createMemoryLog(),
  async prompt(turn: { readonly prompt: readonly object[]; say(text: string): unknown }): Promise<void> {
    await turn.say(`Heard ${(turn.prompt[0] as { readonly text: string }).text}.`);
  },
};

it("SHARE-09 the detach of the last client ends no turn, and the next attach has its result", async () => {
  let finish = (): void => undefined;
  const { gateway } = gatewayOf({
    async prompt(turn) {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      await turn.say("done");
    },
  });
  const client = await clientOf(gateway, "v2");
  const session = await client.newSession({ cwd: "/work" });
  const turn = session.prompt("Go");
  await turn.accepted;
  await client.close();
  finish();
  const again = await attach(await clientOf(gateway, "v2"), session.id);
  await expect.poll(() => [...again.state.timeline].length).toBe(2);
  await expect.poll(() => again.state.activity.state).toBe("idle");
});

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

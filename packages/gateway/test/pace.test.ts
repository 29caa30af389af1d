import type { Channel } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { expect, it } from "vitest";
import { clientOf, gatewayOf } from "./attached-clients.js";
import { RawClient } from "./raw-client.js";

it.each([1, 2] as const)(
  "SHARE-03 a client of version %i that stops reading gets the newest state instead of the backlog",
  async (version) => {
    const { gateway } = gatewayOf(
      {
        async prompt(turn) {
          for (let piece = 0; piece < 2_000; piece += 1) await turn.say(`${piece} ${"x".repeat(200)}\n`);
        },
      },
      { limits: { attachmentUpdates: 50 } },
    );
    const session = await (await clientOf(gateway, "v2")).newSession({ cwd: "/work" });
    const slow = new RawClient(gateway.open({ id: "slow", group: "all" }));
    await slow.initialize(version);
    const load = version === 1 ? "session/load" : "session/resume";
    await slow.request(load, { sessionId: session.id, cwd: "/work", mcpServers: [], replayFrom: { type: "start" } });
    slow.pause();
    await session.prompt("Go").ended;
    slow.resume();
    const last = "1999 ";
    await slow.next((frame) => JSON.stringify(frame).includes(last));
    const texts = slow.updates
      .filter(({ sessionUpdate }) => String(sessionUpdate).startsWith("agent_message"))
      .map(
        ({ sessionUpdate, content }) =>
          [
            sessionUpdate,
            [content]
              .flat()
              .map(({ text }) => text)
              .join(""),
          ] as const,
      );
    const whole = texts.reduce((text, [kind, piece]) => (kind === "agent_message" ? piece : text + piece), "");
    expect(whole).toBe(Array.from({ length: 2_000 }, (_, piece) => `${piece} ${"x".repeat(200)}\n`).join(""));
    expect(slow.updates.length).toBeLessThan(1_500);
  },
);

it("SHARE-03 defect G14: a client that attaches again and never reads keeps nothing of its first attachment", async () => {
  const { gateway } = gatewayOf({ prompt: (turn) => turn.say("x") });
  const session = await (await clientOf(gateway)).newSession({ cwd: "/work" });
  await session.prompt("Go").ended;
  const [theirs, ours] = createMemoryPair();
  const withoutRoom: Channel = {
    start: (receiver) => ours.start(receiver),
    pause: () => ours.pause(),
    resume: () => ours.resume(),
    close: (reason) => ours.close(reason),
    closed: ours.closed,
    send(message) {
      const room = ours.send(message);
      return "method" in message && message.method === "session/update" ? new Promise(() => undefined) : room;
    },
  };
  gateway.serve(withoutRoom, { id: "someone", group: "all" });
  const raw = new RawClient(theirs);
  await raw.initialize(2);
  const attach = () =>
    raw.request("session/resume", { sessionId: session.id, cwd: "/work", replayFrom: { type: "start" } });
  const first = attach();
  await raw.next(({ method }) => method === "session/update");
  void attach();
  expect((await first).error).toBeUndefined();
});

it("SHARE-02 a client that reads slowly while it attaches gets what happened meanwhile", async () => {
  const { gateway } = gatewayOf({
    async prompt(turn) {
      const [block] = turn.prompt;
      if (block?.type === "text" && block.text === "late") return void turn.say("The late piece.");
      for (let message = 0; message < 200; message += 1) {
        await turn.say("x".repeat(20_000));
        turn.endMessage();
      }
    },
  });
  const session = await (await clientOf(gateway, "v2")).newSession({ cwd: "/work" });
  await session.prompt("history").ended;
  const slow = new RawClient(gateway.open({ id: "slow", group: "all" }));
  await slow.initialize(1);
  const loaded = slow.request("session/load", { sessionId: session.id, cwd: "/work", mcpServers: [] });
  slow.pause();
  await session.prompt("late").ended;
  expect(slow.received).toHaveLength(1);
  slow.resume();
  await loaded;
  expect(JSON.stringify(slow.updates)).toContain("The late piece.");
});

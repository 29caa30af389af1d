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

import { describe, expect, test, vi } from "vitest";
import type { Client, SessionEvent } from "../src/index.js";
import { openDraft } from "./draft-agent.js";
import { chunk, gate, isSettled, newSession, open, openSession, RawAgent, settle } from "./raw-agent.js";

describe("a connection that is closed by what it tells", () => {
  test.each([
    ["close", false, (client: Client) => client.close()],
    ["close after something else", true, (client: Client) => client.close()],
    ["await using", false, async (client: Client) => void (await using(client))],
  ])(
    "defect B12: a listener may await it (%s); what follows is told afterwards, and `closed` settles last",
    async (_, isLate, close) => {
      const { agent, client } = await open();
      const story: string[] = [];
      const session = await newSession({ agent, client }, "s-1", async (event) => {
        if (event.type !== "agent_message_chunk") return void story.push(event.type);
        if (story.includes("first")) return void story.push("second");
        story.push("first");
        if (isLate) await undefined;
        await close(client);
        story.push("closed");
      });
      vi.useFakeTimers();
      const turn = session.prompt("hi");
      agent.send(RawAgent.update("s-1", chunk("1")), RawAgent.update("s-1", chunk("2")));
      await vi.advanceTimersByTimeAsync(1_000);
      await client.closed;
      vi.useRealTimers();
      await expect(turn.ended).rejects.toMatchObject({ code: "connection_closed" });
      expect(story.slice(story.indexOf("first"))).toEqual([
        "first",
        "closed",
        "second",
        "turn_ended",
        "session_closed",
      ]);
    },
  );

  test("defect B12: the body of a loop over a turn may await it", async () => {
    const { agent, client, session } = await openSession();
    const turn = session.prompt("hi");
    await agent.call("session/prompt");
    const events: SessionEvent[] = [];
    const loop = (async () => {
      for await (const event of turn) {
        events.push(event);
        if (event.type === "agent_message_chunk") await client.close();
      }
    })();
    vi.useFakeTimers();
    agent.say("s-1", "1");
    await vi.advanceTimersByTimeAsync(1_000);
    await loop;
    await client.closed;
    vi.useRealTimers();
    await expect(turn.ended).rejects.toMatchObject({ code: "connection_closed" });
    expect(events.at(-1)).toMatchObject({ type: "turn_ended" });
    expect(session.state.closed).toBe(true);
  });

  test("defect B12: handlers of the agent's questions and of extensions may await it", async () => {
    for (const way of ["permission", "extension"]) {
      const closed = gate();
      const close = async (client: Client) => {
        await client.close();
        closed.open();
      };
      const opened: { client?: Client } = {};
      const { agent, client } = await openSession({
        permissions: async () => void (await close(opened.client as Client)) as never,
        extensions: { _bye: () => close(opened.client as Client) },
      });
      opened.client = client;
      vi.useFakeTimers();
      if (way === "permission") agent.ask("q", "s-1");
      else agent.request("q", "_bye");
      await closed.promise;
      await client.closed;
      vi.useRealTimers();
    }
  });

  test("defect B12: a listener of one session that awaits it does not cut off those of another", async () => {
    const { agent, client, session } = await openSession();
    const slow = gate();
    const received: string[] = [];
    const other = await newSession({ agent, client }, "s-2", async (event) => {
      if (event.type === "agent_message_chunk") await slow.promise;
      received.push(event.type);
    });
    const closing = gate();
    session.onEvent(async () => {
      await client.close();
      closing.open();
    });
    agent.send(RawAgent.update("s-2", chunk("1")), RawAgent.update("s-1", chunk("1")));
    await closing.promise;
    expect(await isSettled(client.closed)).toBe(false);
    slow.open();
    await client.closed;
    expect([received.at(-2), received.at(-1), other.state.closed]).toEqual([
      "agent_message_chunk",
      "session_closed",
      true,
    ]);
  });

  test("defect B12: a listener may await the close of its own session", async () => {
    const { agent, client } = await openDraft();
    const received: string[] = [];
    const session = await newSession({ agent, client }, "s-1", async (event, its) => {
      received.push(event.type);
      if (event.type === "agent_message_chunk") await its.close();
    });
    agent.say("s-1", "1");
    agent.answer(await agent.call("session/close"), {});
    await settle(agent);
    await vi.waitFor(() => expect(received.at(-1)).toBe("session_closed"));
    expect(session.state.closed).toBe(true);
  });
});

async function using(client: Client): Promise<void> {
  await using _ = client;
}

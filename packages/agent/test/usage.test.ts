import { describe, expect, test } from "vitest";
import type { AgentHandlers, AgentSession, ServeOptions } from "../src/index.js";
import { aborted, clientInfo, connect, connectAs, open, openAs, seedHello, v2Hello } from "./raw-client.js";

const place = { cwd: "/work", mcpServers: [] };
const command = { type: "command", name: "test", description: "Runs tests" } as const;

describe("context and cost", () => {
  test("V1-SESS-05 V1-UPD-32: a new session begins with its commands, its usage and its title", async () => {
    const { client } = await connect({
      newSession(_, session) {
        session.setCommands([command]);
        session.reportUsage({ used: 900, size: 200_000 });
        session.setTitle("Empty");
      },
    });
    const { id } = await client.request("session/new", place);
    await client.update("session_info_update");
    expect(client.story.slice(1)).toEqual([
      `#${id}`,
      "available_commands_update",
      "usage_update",
      "session_info_update",
    ]);
    expect(client.updates("usage_update")).toEqual([{ sessionUpdate: "usage_update", used: 900, size: 200_000 }]);
  });

  test("V1-UPD-32: it may be told after a restore, while streaming, and after the prompt", async () => {
    let session: AgentSession | undefined;
    const { client } = await connect({
      restoreSession(_, restored) {
        session = restored;
        restored.reportUsage({ used: 1, size: 10 });
      },
      prompt(turn) {
        turn.say("a");
        turn.session.reportUsage({ used: 2, size: 10 });
        turn.say("b");
      },
    });
    for (const method of ["session/load", "session/resume"]) {
      await client.result(method, { sessionId: "s-0", ...place });
    }
    const prompt = client.prompt("s-0");
    await client.answer(prompt);
    session?.reportUsage({ used: 3, size: 10 });
    await client.update("usage_update", 3);
    expect(client.updates("usage_update").map(({ used }) => used)).toEqual([1, 1, 2, 3]);
    expect(client.story.slice(-5)).toEqual(["a", "usage_update", "b", `#${prompt}`, "usage_update"]);
  });

  test.each(["EUR", "credits"])(
    "V1-UPD-30: a cost is the session's so far, in %s, and is never added up",
    async (currency) => {
      const seen: unknown[] = [];
      let spent = 0;
      const { client, sessionId } = await open({
        prompt({ session }) {
          spent += 0.25;
          session.reportUsage({ used: 5, size: 10, cost: { amount: spent, currency } });
          session.reportUsage({ used: 6, size: 10 });
          seen.push(session.state.usage?.cost);
        },
      });
      await client.ask(sessionId);
      await client.ask(sessionId);
      const costs = client.updates("usage_update").map(({ cost }) => cost);
      expect(costs).toEqual([{ amount: 0.25, currency }, undefined, { amount: 0.5, currency }, undefined]);
      expect(seen).toEqual([
        { amount: 0.25, currency },
        { amount: 0.5, currency },
      ]);
    },
  );
});

describe("tokens of a turn", () => {
  const usage = { totalTokens: 37, inputTokens: 30, outputTokens: 7, cachedReadTokens: 4 };
  const v1Hello = { protocolVersion: 1, clientInfo };

  test("V1-UNST-01: version 1: with the answer to the prompt", async () => {
    const { client, sessionId } = await openAs(v1Hello, { prompt: () => ({ stopReason: "max_tokens", usage }) });
    expect((await client.ask(sessionId)).result).toEqual({ stopReason: "max_tokens", usage });
  });

  test("seed cannot say it, and the agent hears of that", async () => {
    const lost: unknown[] = [];
    const onLoss: ServeOptions["onLoss"] = ({ id, event }, sessionId) => void lost.push([id, event, sessionId]);
    const { client, sessionId } = await openAs(seedHello, { prompt: () => ({ usage }) }, { onLoss });
    expect((await client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
    expect(lost).toEqual([["turn-usage", "prompt", sessionId]]);
  });

  test("V2-PRM-22: version 2: with the end of the work", async () => {
    const { client, sessionId } = await openAs(v2Hello, { prompt: () => ({ usage }) });
    expect((await client.ask(sessionId)).result).toEqual({ messageId: expect.any(String) });
    expect(await client.update("state_update", 1)).toEqual({
      sessionUpdate: "state_update",
      state: "idle",
      stopReason: "end_turn",
      usage,
    });
  });

  test("they are told of a turn that was cancelled, too, and of none that does not tell them", async () => {
    const handlers: Partial<AgentHandlers> = {
      async prompt(turn) {
        const [block] = turn.prompt;
        if (block?.type === "text" && block.text === "quiet") return {};
        turn.say("running");
        await aborted(turn.signal);
        return { usage };
      },
    };
    const { client } = await connectAs(v1Hello, handlers);
    const sessionId = await client.newSession();
    const prompt = client.prompt(sessionId);
    await client.update("agent_message_chunk");
    client.cancel(sessionId);
    expect((await client.answer(prompt)).result).toEqual({ stopReason: "cancelled", usage });
    expect((await client.ask(sessionId, "quiet")).result).toEqual({ stopReason: "end_turn" });
  });
});

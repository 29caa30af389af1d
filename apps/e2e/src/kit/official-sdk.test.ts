import * as acp from "@agentclientprotocol/sdk";
import { connectPair, createScriptedAgent, createScriptedClient } from "@turnkit/testing";
import { toMessageStream } from "@turnkit/transport/channels";
import { expect, test } from "vitest";

// The kit knows no runtime: what holds for ours holds for any.

test("a scripted agent plays with the official client", async () => {
  const heard: string[] = [];
  await using pair = await connectPair({
    agent: (channel) =>
      createScriptedAgent(channel, { steps: [{ turn: [{ say: ["Hel", "lo"] }], stopReason: "refusal" }] }),
    client: (channel) =>
      acp
        .client({ name: "official" })
        .onNotification(acp.methods.client.session.update, ({ params: { update } }) => {
          if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
            heard.push(update.content.text);
        })
        .connect(toMessageStream(channel) as acp.Stream).agent,
  });
  const { client } = pair;
  const end = await pair.agent.during(async () => {
    await client.request(acp.methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await client.request(acp.methods.agent.session.new, { cwd: "/work", mcpServers: [] });
    return client.request(acp.methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text: "Hi" }] });
  });
  expect(end).toEqual({ stopReason: "refusal" });
  expect(heard).toEqual(["Hel", "lo"]);
});

test("a scripted client plays with the official agent", async () => {
  await using pair = await connectPair({
    agent: (channel) =>
      acp
        .agent({ name: "official" })
        .onRequest(acp.methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
        .onRequest(acp.methods.agent.session.new, () => ({ sessionId: "official-1" }))
        .onRequest(acp.methods.agent.session.prompt, async ({ params: { sessionId }, client }) => {
          const content = { type: "text" as const, text: "Hello" };
          const update = { sessionUpdate: "agent_message_chunk" as const, content };
          await client.notify(acp.methods.client.session.update, { sessionId, update });
          return { stopReason: "end_turn" as const };
        })
        .connect(toMessageStream(channel) as acp.Stream),
    client: (channel) =>
      createScriptedClient(channel, { steps: [{ hello: {} }, { open: {} }, { prompt: "Hi", says: "Hello" }] }),
  });
  await pair.client.done;
  pair.transcript.expectNever({ kind: "error" });
});

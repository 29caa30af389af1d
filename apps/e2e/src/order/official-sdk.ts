import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";
import type { Wire } from "@turnkit/testing/node";
import type { AgentParty, ClientParty } from "./party.js";

function stream({ input, output }: Wire): acp.Stream {
  return acp.ndJsonStream(
    Writable.toWeb(output) as WritableStream<Uint8Array>,
    Readable.toWeb(input) as ReadableStream<Uint8Array>,
  );
}

/** The official SDK's client with a handler for `session/update`. */
export const officialClient: ClientParty = {
  name: "official SDK",
  async connect(wire, onUpdate) {
    const app = acp
      .client({ name: "order" })
      .onNotification(acp.methods.client.session.update, ({ params }) => onUpdate(params.sessionId, params.update));
    const { agent } = app.connect(stream(wire));
    await agent.request(acp.methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
    return {
      newSession: () => agent.request(acp.methods.agent.session.new, { cwd: "/tmp", mcpServers: [] }),
      async prompt(sessionId) {
        const prompt = [{ type: "text" as const, text: "go" }];
        const answer = await agent.request(acp.methods.agent.session.prompt, { sessionId, prompt });
        return (answer as acp.PromptResponse).stopReason;
      },
      cancel: (sessionId) => agent.notify(acp.methods.agent.session.cancel, { sessionId }),
      setMode: (sessionId, modeId) => agent.request(acp.methods.agent.session.setMode, { sessionId, modeId }),
    };
  },
};

/** The official SDK's agent; it has no notion of a turn, so its author keeps the signal of each prompt. */
export const officialAgent: AgentParty = {
  name: "official SDK",
  serve(wire, prompt, setMode) {
    const turns = new Map<string, AbortController>();
    acp
      .agent({ name: "order" })
      .onRequest(acp.methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
      .onRequest(acp.methods.agent.session.new, () => ({ sessionId: "s-1" }))
      .onRequest(acp.methods.agent.session.setMode, async () => {
        await setMode?.();
        return {};
      })
      .onNotification(acp.methods.agent.session.cancel, ({ params }) => turns.get(params.sessionId)?.abort())
      .onRequest(acp.methods.agent.session.prompt, async ({ params, client }) => {
        const { sessionId } = params;
        const turn = new AbortController();
        turns.set(sessionId, turn);
        await prompt({
          signal: turn.signal,
          say: (text) =>
            client.notify(acp.methods.client.session.update, {
              sessionId,
              update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
            }),
        });
        return { stopReason: turn.signal.aborted ? ("cancelled" as const) : ("end_turn" as const) };
      })
      .connect(stream(wire));
  },
};

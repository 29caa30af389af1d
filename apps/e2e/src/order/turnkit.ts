import { type Agent, type ConfigOption, createAgent } from "@turnkit/agent";
import { type Client, connect, type Session } from "@turnkit/client";
import type { Channel } from "@turnkit/transport";
import { createStdioChannel } from "@turnkit/transport/node";
import type { AgentBehaviour, AgentParty, ClientParty, ConnectedClient, OnUpdate } from "./party.js";

const events = new Set(["agent_message_chunk", "tool_call_update", "unknown"]);

/** turnkit's client, one listener per session. */
export const turnkitClient: ClientParty = {
  name: "turnkit",
  connect: ({ input, output }, onUpdate) => connectClient(createStdioChannel({ input, output }), onUpdate),
};

/** turnkit's client over any channel. */
export async function connectClient(channel: Channel, onUpdate: OnUpdate): Promise<ConnectedClient> {
  const sessions = new Map<string, Session>();
  const client: Client = await connect(channel, { info: { name: "order", version: "1.0.0" } });
  const find = (sessionId: string) => sessions.get(sessionId) as Session;
  return {
    async newSession() {
      const session = await client.newSession({ cwd: "/tmp" }, async (event, self) => {
        if (events.has(event.type)) await onUpdate(self.id, event);
      });
      sessions.set(session.id, session);
      return { sessionId: session.id };
    },
    async prompt(sessionId) {
      return (await find(sessionId).prompt("go").ended).stopReason ?? "none";
    },
    cancel: (sessionId) => find(sessionId).cancel(),
    setMode: (sessionId, modeId) => find(sessionId).setConfigOption("mode", modeId),
  };
}

const mode: ConfigOption = {
  type: "select",
  configId: "mode",
  category: "mode",
  name: "Mode",
  currentValue: "ask",
  options: [
    { value: "ask", name: "Ask" },
    { value: "code", name: "Code" },
  ],
};

/** turnkit's agent. */
export const turnkitAgent: AgentParty = {
  name: "turnkit",
  serve: ({ input, output }, prompt, setMode) =>
    void createOrderAgent(prompt, setMode).serve(createStdioChannel({ input, output })),
};

/** turnkit's agent for any channel. */
export function createOrderAgent(prompt: AgentBehaviour, setMode?: () => Promise<void>): Agent {
  return createAgent({
    info: { name: "order", version: "1.0.0" },
    newSession: () => ({ configOptions: [mode] }),
    setConfigOption: () => setMode?.(),
    prompt: (turn) => prompt({ signal: turn.signal, say: async (text) => turn.say(text) }),
  });
}

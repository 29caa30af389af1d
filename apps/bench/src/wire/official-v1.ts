import { spawn } from "node:child_process";
import * as acp from "@agentclientprotocol/sdk";
import { type Load, parseLoad, say } from "./load.js";
import type { Connected, Party } from "./party.js";
import { webBytes } from "./web-bytes.js";

const { agent: toAgent, client: toClient } = acp.methods;

let sessions = 0;
/** Returns the load agent of the SDK. */
export const agent = () =>
  acp
    .agent({ name: "bench" })
    .onRequest(toAgent.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
    .onRequest(toAgent.session.new, () => ({ sessionId: `s-${++sessions}` }))
    .onRequest(toAgent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
      const block = prompt[0];
      const load = parseLoad(block?.type === "text" ? block.text : "");
      for (const text of say(load)) {
        const content = { type: "text" as const, text };
        const update: acp.SessionUpdate =
          load.kind === "tool"
            ? { sessionUpdate: "tool_call_update", toolCallId: "t", content: [{ type: "content", content }] }
            : { sessionUpdate: "agent_message_chunk", content };
        await client.notify(toClient.session.update, { sessionId, update });
      }
      return { stopReason: "end_turn" as const };
    });

/** Returns a client. The SDK has one handler for all sessions. */
function client(listeners: Map<string, (text: string) => void | Promise<void>>) {
  return acp.client({ name: "bench" }).onNotification(toClient.session.update, ({ params: { sessionId, update } }) => {
    if (update.sessionUpdate === "agent_message_chunk") {
      return listeners.get(sessionId)?.(update.content.type === "text" ? update.content.text : "");
    }
    if (update.sessionUpdate === "tool_call_update") return listeners.get(sessionId)?.("");
  });
}

/** Initializes a client over a stream, and wraps it. */
export function connectOver(stream: acp.Stream, close: () => void): Promise<Connected> {
  const listeners = new Map<string, (text: string) => void | Promise<void>>();
  return connected(client(listeners).connect(stream), listeners, close);
}

async function connected(
  connection: acp.ClientConnection,
  listeners: Map<string, (text: string) => void | Promise<void>>,
  close: () => void,
): Promise<Connected> {
  await connection.agent.request(toAgent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  return {
    async newSession(onText) {
      const { sessionId } = await connection.agent.request(toAgent.session.new, { cwd: "/tmp", mcpServers: [] });
      listeners.set(sessionId, onText);
      return {
        async prompt(load: Load) {
          const prompt = [{ type: "text" as const, text: JSON.stringify(load) }];
          await connection.agent.request(toAgent.session.prompt, { sessionId, prompt });
        },
      };
    },
    close,
  };
}

export const official: Party = {
  serveStdio() {
    agent().connect(acp.ndJsonStream(...webBytes(process.stdout, process.stdin)));
  },
  async launch([command, ...args]) {
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    const listeners = new Map<string, (text: string) => void | Promise<void>>();
    const connection = client(listeners).connect(acp.ndJsonStream(...webBytes(child.stdin, child.stdout)));
    return connected(connection, listeners, () => void child.kill());
  },
  async connectInMemory() {
    const listeners = new Map<string, (text: string) => void | Promise<void>>();
    return connected(client(listeners).connect(agent()), listeners, () => undefined);
  },
};

import { spawn } from "node:child_process";
import * as acp from "@agentclientprotocol/sdk/experimental/v2";
import { type Load, parseLoad, say } from "./load.js";
import type { Connected, Party } from "./party.js";
import { webBytes } from "./web-bytes.js";

const { agent: toAgent, client: toClient } = acp.methods;

let ids = 0;
const agent = () =>
  acp
    .agent({ name: "bench" })
    .onRequest(toAgent.initialize, () => ({
      ...{ protocolVersion: 2, info: { name: "bench", version: "1.0.0" } },
      capabilities: { session: {} },
    }))
    .onRequest(toAgent.session.new, () => ({ sessionId: `s-${++ids}` }))
    .onRequest(toAgent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
      const messageId = `m-${++ids}`;
      const send = (update: acp.SessionUpdate) => client.notify(toClient.session.update, { sessionId, update });
      const block = prompt[0] as { type: string; text?: string } | undefined;
      const load = parseLoad(block?.text ?? "");
      await send({ sessionUpdate: "user_message", messageId, content: prompt });
      setImmediate(() => void work(load, messageId, send));
      return { messageId };
    });

async function work(load: Load, messageId: string, send: (update: acp.SessionUpdate) => Promise<void>): Promise<void> {
  await send({ sessionUpdate: "state_update", state: "running" });
  for (const text of say(load)) {
    const content = { type: "text" as const, text };
    await send(
      load.kind === "tool"
        ? { sessionUpdate: "tool_call_update", toolCallId: "t", content: [{ type: "content", content }] }
        : { sessionUpdate: "agent_message_chunk", messageId: `a-${messageId}`, content },
    );
  }
  await send({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
}

/** Callbacks of the measurement for one session. */
type Listener = { onText(text: string): void | Promise<void>; onIdle(): void };

function client(listeners: Map<string, Listener>) {
  return acp.client({ name: "bench" }).onNotification(toClient.session.update, ({ params: { sessionId, update } }) => {
    const listener = listeners.get(sessionId);
    if (update.sessionUpdate === "agent_message_chunk") {
      const { content } = update as { content: { type: string; text?: string } };
      return listener?.onText(content.text ?? "");
    }
    if (update.sessionUpdate === "tool_call_update") return listener?.onText("");
    if (update.sessionUpdate === "state_update" && "state" in update && update.state === "idle") listener?.onIdle();
  });
}

async function connected(
  connection: acp.ClientConnection,
  listeners: Map<string, Listener>,
  close: () => void,
): Promise<Connected> {
  await connection.agent.request(toAgent.initialize, {
    ...{ protocolVersion: 2, info: { name: "bench", version: "1.0.0" } },
    capabilities: {},
  });
  return {
    async newSession(onText) {
      const { sessionId } = await connection.agent.request(toAgent.session.new, { cwd: "/tmp" });
      const listener = { onText, onIdle: () => {} };
      listeners.set(sessionId, listener);
      return {
        async prompt(load) {
          const idle = new Promise<void>((resolve) => {
            listener.onIdle = resolve;
          });
          const prompt = [{ type: "text" as const, text: JSON.stringify(load) }];
          await connection.agent.request(toAgent.session.prompt, { sessionId, prompt });
          await idle;
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
    const listeners = new Map<string, Listener>();
    const connection = client(listeners).connect(acp.ndJsonStream(...webBytes(child.stdin, child.stdout)));
    return connected(connection, listeners, () => void child.kill());
  },
  async connectInMemory() {
    const listeners = new Map<string, Listener>();
    return connected(client(listeners).connect(agent()), listeners, () => undefined);
  },
};

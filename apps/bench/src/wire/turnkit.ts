import { createAgent } from "@turnkit/agent";
import { serveStdio } from "@turnkit/agent/node";
import { type Client, type ClientOptions, connectWith, v1Dialect, v2Dialect } from "@turnkit/client";
import { launchWith } from "@turnkit/client/node";
import { createMemoryPair } from "@turnkit/transport/channels";
import { parseLoad, say } from "./load.js";
import type { Connected, Party } from "./party.js";

const info = { name: "bench", version: "1.0.0" };

/** Load agent of turnkit. */
export const agent = createAgent({
  info,
  newSession() {},
  async prompt(turn) {
    const block = turn.prompt[0];
    const load = parseLoad(block?.type === "text" ? block.text : "");
    if (load.kind !== "tool") {
      for (const text of say(load)) await turn.say(text);
      return;
    }
    const call = turn.toolCall({ title: "Run" });
    for (const text of say(load))
      await call.update({ content: [{ type: "content", content: { type: "text", text } }] });
    await call.update({ status: "completed" });
  },
});

/** Wraps a client. */
export function connected(client: Client): Connected {
  return {
    async watchSession(onState) {
      const session = await client.newSession({ cwd: "/tmp" });
      session.subscribe(() => {
        const entry = session.state.timeline.at(-1);
        onState(
          entry?.type === "message" && entry.role === "agent" ? entry.content.length + (entry.dropped?.items ?? 0) : 0,
        );
      });
      return {
        async prompt(load) {
          await session.prompt(JSON.stringify(load)).ended;
        },
      };
    },
    async newSession(onText) {
      const session = await client.newSession({ cwd: "/tmp" }, (event) => {
        if (event.type === "agent_message_chunk")
          return onText(event.content.type === "text" ? event.content.text : "");
        if (event.type === "tool_call_update" && event.content?.[0] !== undefined) return onText("");
      });
      return {
        async prompt(load) {
          await session.prompt(JSON.stringify(load)).ended;
        },
      };
    },
    close: () => client.close(),
  };
}

/** Returns turnkit in one dialect, with the state on both sides and the default limits. */
export function turnkit(dialect: "v1" | "v2"): Party {
  const spoken = [dialect === "v1" ? v1Dialect : v2Dialect];
  const options = (stateBytes?: number): ClientOptions => ({ info, ...limits(stateBytes) });
  return {
    async serveStdio(stateBytes) {
      await serveStdio(async () => ({ default: agent }), limits(stateBytes));
    },
    launch: async (command, stateBytes) => connected(await launchWith(spoken, command, options(stateBytes))),
    async connectInMemory() {
      const [here, there] = createMemoryPair();
      agent.serve(there);
      return connected(await connectWith(spoken, here, options()));
    },
  };
}

const limits = (stateBytes?: number) => (stateBytes === undefined ? {} : { limits: { stateBytes } });

import { createAgent } from "@turnkit/agent";
import { serveStdio } from "@turnkit/agent/node";
import { type Client, type ClientOptions, connect } from "@turnkit/client";
import { launch } from "@turnkit/client/node";
import { createMemoryPair } from "@turnkit/transport";
import { parseLoad, say } from "./load.js";
import type { Connected, Party } from "./party.js";

const info = { name: "bench", version: "1.0.0" };

const agent = createAgent({
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

function connected(client: Client): Connected {
  return {
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

/** turnkit in one dialect, with the state folded on both sides as it always is. */
export function turnkit(dialect: "v1" | "v2"): Party {
  const options: ClientOptions = {
    info,
    dialects: [dialect],
    limits: { stateBytes: 8 * 1024 * 1024 },
  };
  return {
    async serveStdio() {
      await serveStdio(async () => ({ default: agent }), { limits: { stateBytes: 8 * 1024 * 1024 } });
    },
    launch: async (command) => connected(await launch(command, options)),
    async connectInMemory() {
      const [here, there] = createMemoryPair();
      agent.serve(there, { limits: { stateBytes: 8 * 1024 * 1024 } });
      return connected(await connect(here, options));
    },
  };
}

import { launch } from "@turnkit/client/node";
import { runSource } from "./source.js";

// Launches the stubborn agent, prints the agent's process id from the middle of its turn, and waits to be killed.
const client = await launch(runSource(new URL("stubborn-agent-main.ts", import.meta.url)), {
  info: { name: "waiting", version: "1.0.0" },
});
const session = await client.newSession({ cwd: process.cwd() }, (event) => {
  if (event.type === "agent_message_chunk" && event.content.type === "text") process.stdout.write(event.content.text);
});
await session.prompt("go").ended;

import { launch } from "@turnkit/client/node";

// Launches the agent of its arguments, prints what that says in the middle of its turn, and waits to be killed.
const [program = "", ...args] = process.argv.slice(2);
const client = await launch([program, ...args], {
  info: { name: "waiting", version: "1.0.0" },
});
const session = await client.newSession({ cwd: process.cwd() }, (event) => {
  if (event.type === "agent_message_chunk" && event.content.type === "text") process.stdout.write(event.content.text);
});
await session.prompt("go").ended;

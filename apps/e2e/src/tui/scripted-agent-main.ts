import { createScriptedAgent } from "@turnkit/testing";
import { createStdioChannel } from "@turnkit/transport/node";
import { gatesAt } from "./gate-server.js";
import { scripts } from "./scripts.js";

// A scripted agent as a process of its own: its script by name, and the port of the doors of the test.
const [name = "", port = ""] = process.argv.slice(2);
const script = scripts[name];
if (script === undefined) throw new Error(`There is no script ${name}.`);
const channel = createStdioChannel({ input: process.stdin, output: process.stdout });
const agent = createScriptedAgent(channel, { patienceMs: 60_000, ...script(gatesAt(Number(port))) });
agent.done.catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
});
await channel.closed;
process.exit(0);

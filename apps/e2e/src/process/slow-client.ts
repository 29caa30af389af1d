import { launch } from "@turnkit/client/node";

// A client with a slow listener: shut behind a gate first, then a turn of the event loop per update. Runs alone in its
// process, so that its memory is its own, and prints what it saw as one line of JSON. Its arguments are the agent.

const HELD_MS = 1_500;
const MiB = 1024 * 1024;

const [command = "", ...args] = process.argv.slice(2);
const client = await launch([command, ...args], {
  info: { name: "slow", version: "1.0.0" },
  limits: { stateBytes: 8 * MiB },
});

let next = 0;
let inOrder = true;
let waitedAt: string | undefined;
const gate = new Promise((resolve) => setTimeout(resolve, HELD_MS));

global.gc?.();
const before = process.memoryUsage().rss;
let peak = before;
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss);
}, 20);

const session = await client.newSession({ cwd: process.cwd() }, async (event) => {
  if (event.type !== "agent_message_chunk" || event.content.type !== "text") return;
  await gate;
  await new Promise((resolve) => setImmediate(resolve));
  const { text } = event.content;
  if (text.startsWith("waited")) waitedAt = text;
  else if (Number(text.slice(0, 8)) !== next++) inOrder = false;
});

const { stopReason } = await session.prompt("go").ended;
clearInterval(watch);
const { bytes, timeline } = session.state;
await client.close();
process.stdout.write(
  `${JSON.stringify({ stopReason, told: next, inOrder, waitedAt, stateBytes: bytes, entries: timeline.length, grownMiB: (peak - before) / MiB })}\n`,
);

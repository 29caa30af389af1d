import { allDialects } from "@turnkit/client";
import { launchWith } from "@turnkit/client/node";
import { peakMemory } from "./peak-memory.js";

// A client with a slow listener: shut behind a gate first, then a turn of the event loop per update. Runs alone in its
// process, so that its memory is its own, and prints what it saw as one line of JSON. Its arguments are the dialect, what to
// ask the agent for, the bound of the state or nothing for the default, and the agent.

/** Output of the program. */
export type SlowClientReport = {
  readonly stopReason?: string;
  readonly received: number;
  readonly inOrder: boolean;
  readonly agent: unknown;
  readonly stateBytes: number;
  readonly entries: number;
  readonly grownMB: number;
  readonly peakMB: number;
};

const HELD_MS = 1_500;

const [spoken, flood = "", stateBytes, command = "", ...args] = process.argv.slice(2);
const dialects = allDialects.filter(({ dialect }) => dialect === spoken);
const client = await launchWith(dialects, [command, ...args], {
  info: { name: "slow", version: "1.0.0" },
  limits: stateBytes ? { stateBytes: Number(stateBytes) } : {},
});

let next = 0;
let inOrder = true;
let agent: unknown;
const gate = new Promise((resolve) => setTimeout(resolve, HELD_MS));

global.gc?.();
const before = process.memoryUsage().rss;

const session = await client.newSession({ cwd: process.cwd() }, async (event) => {
  if (event.type !== "agent_message_chunk" && event.type !== "agent_thought_chunk") return;
  if (event.content.type !== "text") return;
  await gate;
  await new Promise((resolve) => setImmediate(resolve));
  const { text } = event.content;
  if (text.startsWith("report ")) agent = JSON.parse(text.slice("report ".length));
  else if (Number.parseInt(text.slice(0, 8), 36) !== next++) inOrder = false;
});

const { stopReason } = await session.prompt(flood).ended;
const { bytes: heldBytes, timeline } = session.state;
await client.close();
const peak = peakMemory();
const report: SlowClientReport = {
  ...(stopReason !== undefined && { stopReason }),
  received: next,
  inOrder,
  agent,
  stateBytes: heldBytes,
  entries: timeline.length,
  grownMB: (peak - before) / 1e6,
  peakMB: peak / 1e6,
};
process.stdout.write(`${JSON.stringify(report)}\n`);

import { parseArgs } from "node:util";
import type { DialectName } from "@turnkit/session";
import { buildFloodPrograms, type FloodConditions, floodAgent, floodClient } from "./flood.js";

// A million updates into a slow client, in pieces of several sizes, and 12 000 requests at once into an agent, in real
// processes, in every dialect.
// Ends with 1 if a process had more memory than the bound, or something came otherwise than stated.
// Node runs as it does for everybody, without a flag: what V8 lets lie counts, several times what the states keep.
// All bounds are the defaults. A flood in one message is held by `limits.entryBytes`; one in many, as with --messages 20000,
// only by `limits.stateBytes`, whose default is for machines of people: below 120 MB it needs --state-mib 2.
// npx -y pnpm@10 flood --updates 1000000 --bytes 8,200,2000 --messages 1 --requests 12000 --dialects v1,v2,seed
const { values } = parseArgs({
  options: {
    updates: { type: "string", default: "1000000" },
    bytes: { type: "string", default: "8,200,2000" },
    messages: { type: "string", default: "1" },
    "state-mib": { type: "string" },
    requests: { type: "string", default: "12000" },
    dialects: { type: "string", default: "v1,v2,seed" },
  },
});

/** The most memory that a process may have had, in MB. */
const mostMB = 120;
const dialects = values.dialects.split(",") as DialectName[];
const sizes = values.bytes.split(",").map(Number);
const updates = Number(values.updates);
const requests = Number(values.requests);
const stateMib = values["state-mib"];
const conditions: FloodConditions = {
  flags: [],
  ...(stateMib !== undefined && { stateBytes: Number(stateMib) * 1024 * 1024 }),
};
const programs = await buildFloodPrograms();

function tell(line: string, wrong: readonly (string | false)[]): void {
  const faults = wrong.filter((one) => one !== false);
  if (faults.length > 0) process.exitCode = 1;
  console.log(`${line}${faults.length > 0 ? `: WRONG: ${faults.join(", ")}` : ""}`);
}

try {
  for (const [dialect, bytes] of dialects.flatMap((dialect) => sizes.map((size) => [dialect, size] as const))) {
    const began = performance.now();
    const flood = { dialect, updates, bytes, messages: Number(values.messages) };
    const seen = await floodClient(programs, flood, conditions);
    const { received, agent, peakMB } = seen;
    tell(
      `${dialect}: ${received} updates of ${bytes} B told in ${((performance.now() - began) / 1000).toFixed(1)} s, the agent waited at ` +
        `${agent.waitedAt}, peak RSS client ${peakMB.toFixed(1)} MB, agent ${agent.peakMB.toFixed(1)} MB, ` +
        `state ${(seen.stateBytes / 1024 / 1024).toFixed(1)} MiB`,
      [
        (received !== updates || !seen.inOrder) && "not all of them in order",
        seen.stopReason !== "end_turn" && `the turn ended as ${seen.stopReason}`,
        peakMB > mostMB && `the client had more than ${mostMB} MB`,
        agent.peakMB > mostMB && `the agent had more than ${mostMB} MB`,
      ],
    );
  }
  for (const dialect of dialects) {
    const seen = await floodAgent(programs, { dialect, requests }, conditions);
    tell(
      `${dialect}: ${requests} requests, ${seen.open} kept open, refused ${JSON.stringify(seen.refused)}; ` +
        `1000 prompts to one session: ${JSON.stringify(seen.prompts)}; peak RSS agent ${seen.peakMB.toFixed(1)} MB`,
      [
        seen.open !== Math.min(requests, 10_000) && "the bound is 10 000",
        !seen.good && "the next good prompt was not answered",
        seen.peakMB > mostMB && `the agent had more than ${mostMB} MB`,
      ],
    );
  }
} finally {
  await programs.remove();
}

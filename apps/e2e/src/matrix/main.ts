import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Report, runAgentChecks, runClientChecks } from "@turnkit/conformance";
import { commandAgent, commandClient } from "@turnkit/conformance/node";
import { renderPeers, type Tried } from "./page.js";
import { ownAgents, ownClient, type Peer, sdkAgent, sdkClient } from "./peers.js";

// The full suite against agents and clients: npx -y pnpm@10 conformance-matrix [--only TEXT] [--write]. With --only, those whose
// name has the text. With --write, the page has the programs of this run.
const { values } = parseArgs({ options: { only: { type: "string", default: "" }, write: { type: "boolean" } } });
const isChosen = (name: string): boolean => name.includes(values.only);

const page = fileURLToPath(new URL("../../../../docs/reference/conformance-peers.md", import.meta.url));
const limits = { timeoutMs: 8000, jobs: 4 } as const;

const tried: Tried[] = [];
const add = (name: string, report: Report) => {
  tried.push({ name, report });
  console.log(`${name}, protocol ${report.protocol}: ${JSON.stringify(report.counts)}`);
};

const agents = [sdkAgent, ...ownAgents].filter(({ name }) => isChosen(name));
for (const peer of agents) for (const protocol of peer.protocols) await tryAgent(peer, protocol);
await tryClient("official SDK 2.4.0, client", 1, sdkClient);
for (const protocol of [1, 2, "seed"] as const) await tryClient("turnkit", protocol, ownClient(protocol));
if (values.write) await writeFile(page, renderPeers(tried, new Date()));

async function tryAgent({ name, command, prompts = {}, profile = "steered" }: Peer, protocol: 1 | 2 | "seed") {
  await inFolder(async (cwd) => {
    await writeFile(join(cwd, "note.txt"), "Bread: flour, water, salt, yeast.\n");
    const env = { ...process.env, HOME: cwd, XDG_CONFIG_HOME: cwd, XDG_DATA_HOME: cwd, XDG_STATE_HOME: cwd };
    add(name, await runAgentChecks(commandAgent(command, { env }), { ...limits, protocol, cwd, prompts, profile }));
  });
}

async function tryClient(name: string, protocol: 1 | 2 | "seed", line: string) {
  if (!isChosen(name)) return;
  await inFolder(async (folder) =>
    add(name, await runClientChecks(commandClient(line, { folder }), { ...limits, protocol })),
  );
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "conformance-matrix-"));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

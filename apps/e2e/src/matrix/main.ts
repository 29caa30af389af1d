import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { renderMarkdown } from "@turnkit/conformance";
import { ownPeers } from "./own-peers.js";
import { renderPeers, type Tried } from "./page.js";
import { NotHere, type Peer } from "./peer.js";
import { realAgentPeers, realClientPeers } from "./real-peers.js";
import { sdkPeers } from "./sdk-peers.js";

// Runs the full suite against agents and clients: npx -y pnpm@10 conformance-matrix [--only TEXT] [--keep FOLDER] [--write].
// --only runs only programs whose name contains the text. --keep writes each report to the folder when it is ready, also as Markdown
// with the messages. A program that has a report in the folder does not run again. --write writes the page from the reports.
const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, keep: { type: "string" }, write: { type: "boolean" } },
});
const page = fileURLToPath(new URL("../../../../docs/reference/conformance-peers.md", import.meta.url));

const tried: Tried[] = [];
for (const peer of [...sdkPeers, ...realAgentPeers, ...realClientPeers, ...ownPeers]) {
  const { name, protocol } = peer;
  if (!name.includes(values.only)) continue;
  const one = (await keptOf(peer)) ?? (await tryPeer(peer));
  tried.push(one);
  console.log(`${name}, protocol ${protocol}: ${"report" in one ? JSON.stringify(one.report.counts) : one.notRun}`);
}
if (values.write) await writeFile(page, renderPeers(tried));
process.exit();

function fileOf({ name, protocol }: Peer, kind: "json" | "md"): string {
  return join(values.keep ?? "", `${name.replace(/[^\w.-]+/g, "-")}-${protocol}.${kind}`);
}

async function keptOf(peer: Peer): Promise<Tried | undefined> {
  if (values.keep === undefined) return undefined;
  const text = await readFile(fileOf(peer, "json"), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Tried);
}

async function keep(peer: Peer, tried: Tried): Promise<void> {
  if (values.keep === undefined || !("report" in tried)) return;
  await mkdir(values.keep, { recursive: true });
  await writeFile(fileOf(peer, "md"), renderMarkdown(tried.report));
  await writeFile(fileOf(peer, "json"), JSON.stringify(tried));
}

async function tryPeer(peer: Peer): Promise<Tried> {
  const { name, side, protocol, check } = peer;
  const folder = await realpath(await mkdtemp(join(tmpdir(), "conformance-matrix-")));
  try {
    const one: Tried = { name, side, protocol, report: await check(folder) };
    await keep(peer, one);
    return one;
  } catch (error) {
    // A program that does not start must not end the run of the others.
    const { message } = error as Error;
    return { name, side, protocol, notRun: error instanceof NotHere ? message : `it did not start: ${message}` };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

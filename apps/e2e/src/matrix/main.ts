import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
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

// The full suite against agents and clients: npx -y pnpm@10 conformance-matrix [--only TEXT] [--reports FOLDER] [--write].
// With --only, those whose name has the text. With --reports, each report with its messages is written to the folder. With
// --write, the page has the programs of this run.
const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, reports: { type: "string" }, write: { type: "boolean" } },
});
const page = fileURLToPath(new URL("../../../../docs/reference/conformance-peers.md", import.meta.url));

const tried: Tried[] = [];
for (const peer of [...sdkPeers, ...realAgentPeers, ...realClientPeers, ...ownPeers]) {
  const { name, protocol } = peer;
  if (!name.includes(values.only)) continue;
  const one = await tryPeer(peer);
  tried.push(one);
  console.log(`${name}, protocol ${protocol}: ${"report" in one ? JSON.stringify(one.report.counts) : one.notRun}`);
  if (values.reports !== undefined && "report" in one) {
    await mkdir(values.reports, { recursive: true });
    const file = `${name.replace(/[^\w.-]+/g, "-")}-${protocol}.md`;
    await writeFile(join(values.reports, file), renderMarkdown(one.report));
  }
}
if (values.write) await writeFile(page, renderPeers(tried, new Date()));
process.exit();

async function tryPeer({ name, side, protocol, check }: Peer): Promise<Tried> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "conformance-matrix-")));
  try {
    return { name, side, protocol, report: await check(folder) };
  } catch (error) {
    // A program that does not start must not end the run of the others.
    const { message } = error as Error;
    return { name, side, protocol, notRun: error instanceof NotHere ? message : `it did not start: ${message}` };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

// pnpm gateway-kill --kills 1000: kills `turnkit serve` and its agent, and counts what was lost.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { killGateways } from "./kills.js";

const { kills } = parseArgs({ options: { kills: { type: "string", default: "1000" } } }).values;
const folder = await mkdtemp(join(tmpdir(), "gateway-kill-"));
const losses = await killGateways(Number(kills), folder, Math.random);
await rm(folder, { recursive: true });
process.stdout.write(`${JSON.stringify(losses)}\n`);
process.exit(losses.prompts.length + losses.turns.length > 0 ? 1 : 0);

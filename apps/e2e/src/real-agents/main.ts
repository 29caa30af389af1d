import { type RealAgent, realAgents } from "./agent-table.js";
import { install, programsOf } from "./install.js";
import { driveTurn } from "./turn.js";
import { faultsOf } from "./turn-faults.js";
import { driveUi } from "./ui-run.js";

// Agents of others, installed on demand outside of the repository, each driven by `turnkit` with a stand-in for its model.
// With --ui, the script of a user is played in a pseudo-terminal; otherwise whole turns run as single prompts.
const words = process.argv.slice(2);
const asked = words.filter((word) => word !== "--ui");
const chosen = realAgents.filter(({ name }) => asked.length === 0 || asked.includes(name));
if (chosen.length === 0) throw new Error(`No such agent; there are: ${realAgents.map(({ name }) => name).join(", ")}.`);

let failures = 0;
for (const agent of chosen) {
  const folder = install(agent.name, agent.install);
  if (folder === undefined) {
    process.stdout.write(`${agent.install}: skipped, because npm cannot get it here\n`);
    continue;
  }
  const bin = programsOf(folder);
  if (words.includes("--ui")) await playUi(agent, bin);
  else await runTurns(agent, bin);
}
process.exit(failures === 0 ? 0 : 1);

async function runTurns(agent: RealAgent, bin: string): Promise<void> {
  for (const scene of ["allow", "deny", "interrupt", "delegate"] as const) {
    if (scene === "delegate" && agent.delegate === undefined) continue;
    const faults = faultsOf(await driveTurn(agent, bin, scene), scene);
    failures += faults.length;
    process.stdout.write(
      `${agent.install}, ${scene}: ${faults.length === 0 ? "as it should be" : faults.join("; ")}\n`,
    );
  }
}

async function playUi(agent: RealAgent, bin: string): Promise<void> {
  await driveUi(agent, bin, ({ name, verdict, detail }) => {
    if (verdict === "failed") failures += 1;
    process.stdout.write(`${agent.install}, ${name}: ${verdict}${detail === undefined ? "" : `: ${detail}`}\n`);
  });
}

import { execSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RealAgent, realAgents } from "./agent-table.js";
import { driveTurn, type Scene, type TurnReport } from "./turn.js";

// Agents of others, installed on demand outside of the repository, each driven by `turnkit` with a stand-in for its model.
const asked = process.argv.slice(2);
const chosen = realAgents.filter(({ name }) => asked.length === 0 || asked.includes(name));
if (chosen.length === 0) throw new Error(`No such agent; there are: ${realAgents.map(({ name }) => name).join(", ")}.`);

let failures = 0;
for (const agent of chosen) {
  const bin = install(agent);
  for (const scene of ["allow", "deny", "interrupt", "delegate"] as const) {
    if (scene === "delegate" && agent.delegate === undefined) continue;
    const report = await driveTurn(agent, bin, scene);
    const faults = faultsOf(report, scene);
    failures += faults.length;
    process.stdout.write(
      `${agent.install}, ${scene}: ${faults.length === 0 ? "as it should be" : faults.join("; ")}\n`,
    );
  }
}
process.exitCode = failures === 0 ? 0 : 1;

function install({ name, install }: RealAgent): string {
  const folder = join(tmpdir(), "turnkit-real-agents", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  execSync(`npm install --no-audit --no-fund --loglevel=error ${install}`, { cwd: folder, stdio: "inherit" });
  return join(folder, "node_modules/.bin");
}

function faultsOf({ exitCode, stdout, stderr, file, methods, updates }: TurnReport, scene: Scene): readonly string[] {
  const writes = scene === "allow" || scene === "delegate";
  const asked = methods.includes("session/request_permission");
  const wanted: readonly (readonly [holds: boolean, fault: string])[] = [
    [stdout.includes(scene === "delegate" ? "I delegate." : "I write it."), "the text of the model did not arrive"],
    [file === (writes ? "HELLO\n" : undefined), `the file holds ${JSON.stringify(file)}`],
    [scene !== "delegate" || updates.has("subagent_update"), "no child session was announced"],
    [scene !== "delegate" || updates.get("agent_message_chunk") === 2, "the sub-agent said nothing in its own session"],
    [scene !== "delegate" || /Look at it: done/.test(stdout + stderr), "the end of the sub-agent was not shown"],
    [scene === "interrupt" || asked, "nobody was asked for permission"],
    [!writes || exitCode === 0, `exit code ${exitCode}: ${stderr.trim()}`],
    [scene !== "deny" || exitCode === 6, `exit code ${exitCode} after the denial: ${stderr.trim()}`],
    [!writes || stdout.includes("That is all."), "the turn did not go on after the tool"],
    [scene !== "interrupt" || methods.includes("session/cancel"), "no cancel was sent"],
    [scene !== "interrupt" || exitCode === 130, `exit code ${exitCode} after the interrupt: ${stderr.trim()}`],
  ];
  return wanted.flatMap(([holds, fault]) => (holds ? [] : [fault]));
}

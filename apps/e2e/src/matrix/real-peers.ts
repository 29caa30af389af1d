import { join } from "node:path";
import { runAgentChecks, runClientChecks } from "@turnkit/conformance";
import { commandClient } from "@turnkit/conformance/node";
import { type RealAgent, realAgents } from "../real-agents/agent-table.js";
import { install, programsOf } from "../real-agents/install.js";
import { writeSettings } from "../real-agents/settings-file.js";
import { codex } from "./codex.js";
import { createSteeredModel } from "./model-in-place.js";
import { homeIn, lineOf, NotHere, type Peer, slowLimits } from "./peer.js";
import { withSessionFolders } from "./session-folders.js";

/** Agents of other projects, each with a model in place of its provider. */
export const realAgentPeers: readonly Peer[] = [...realAgents, codex].map((agent) => ({
  name: agent.install,
  side: "agent",
  protocol: 1,
  check: (folder) => checkRealAgent(agent, folder),
}));

async function checkRealAgent(agent: RealAgent, folder: string) {
  const bin = programsOf(installed(agent.name, agent.install));
  await using model = await createSteeredModel(agent);
  await writeSettings(agent, model, folder);
  const [program, ...args] = agent.command;
  const env = { ...homeIn(folder), ...agent.env(model, folder) };
  const open = withSessionFolders([join(bin, program), ...args], folder, env);
  return await runAgentChecks(open, { ...slowLimits, protocol: 1, cwd: folder });
}

const ACPX = "acpx@0.19.1";
/** Node as a package of npm, because acpx needs a newer Node than this repository. */
const NODE_PACKAGE = "node@22.23.3";

/** Clients of other projects that send one prompt and end. */
export const realClientPeers: readonly Peer[] = [
  {
    name: ACPX,
    side: "client",
    protocol: 1,
    async check(folder) {
      const there = installed("acpx", `${ACPX} ${NODE_PACKAGE}`);
      const program = [join(programsOf(there), "node"), join(there, "node_modules/acpx/dist/cli.js")];
      const line = `${lineOf([...program, "--approve-all"])} --agent={agent} exec hello`;
      const open = commandClient(line, { folder, env: homeIn(folder) });
      return runClientChecks(open, { ...slowLimits, protocol: 1 });
    },
  },
];

function installed(name: string, packages: string): string {
  const folder = install(name, packages);
  if (folder === undefined) throw new NotHere("npm cannot get it here");
  return folder;
}

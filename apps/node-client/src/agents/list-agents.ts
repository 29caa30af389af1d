import { isPackageRunner } from "@turnkit/session/command";
import { findProgram, safeEnvironment } from "@turnkit/transport/node";
import { type ExitCode, exitCode } from "../exit-code.js";
import { safeJson } from "../output/safe-json.js";
import type { PrintStreams } from "../program.js";
import { pageOn } from "../render/page.js";
import { readAgentTable, type StartableAgent } from "./agent-table.js";

/** Agent with its status on this machine. */
type ListedAgent = {
  readonly name: string;
  readonly title: string;
  readonly command: readonly string[];
  /** `fetched` means that a package runner is installed, which fetches the agent when the agent starts. */
  readonly status: "installed" | "fetched" | "missing";
  readonly program?: string;
  readonly install?: string;
};

/**
 * Prints the agents that can be started by name, with their status. Starts no agent. Programs inside the project of the
 * current folder do not count, because they are not started either.
 */
export async function listAgents(json: boolean, { env, stdout }: PrintStreams): Promise<ExitCode> {
  const { agents: listed, usual, file } = await findAgents(env);
  if (json) {
    stdout.write(`${safeJson({ agents: listed, default: usual, file }, 2)}\n`);
    return exitCode.ended;
  }
  const page = pageOn(stdout, env);
  const width = Math.max(...listed.map(({ name }) => name.length));
  for (const { name, command, status, program, install } of listed) {
    const mark = { installed: ["green", "✓"], fetched: ["yellow", "↓"], missing: ["dim", "·"] } as const;
    const where = { installed: program, fetched: "fetched when started", missing: install }[status] ?? "";
    page.line(mark[status], ` ${name.padEnd(width)}  `, ["bold", command.join(" ")], ["dim", `  ${where}`]);
  }
  page.line(["dim", `✓ installed, ↓ runs by a package runner, · missing. Your own: ${file}`]);
  return exitCode.ended;
}

/** Returns the agents that can be started by name, with their status, as {@link listAgents} prints them. */
export async function findAgents(env: NodeJS.ProcessEnv) {
  const { agents, ...table } = await readAgentTable(env);
  const safe = safeEnvironment(env, [process.cwd()]);
  return { ...table, agents: await Promise.all(agents.map((agent) => lookFor(agent, safe))) };
}

async function lookFor(
  { name, title, commands, install }: StartableAgent,
  env: NodeJS.ProcessEnv,
): Promise<ListedAgent> {
  const about = { name, title, install };
  for (const command of commands) {
    const program = await findProgram(command[0], { env, distrusted: [process.cwd()], isChosen: true });
    if (program === undefined) continue;
    return { ...about, command, status: isPackageRunner(command) ? "fetched" : "installed", program };
  }
  return { ...about, command: commands[0] ?? [], status: "missing" };
}

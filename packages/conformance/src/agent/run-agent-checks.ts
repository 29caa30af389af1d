import { checkOptions, checkTypes } from "@turnkit/transport";
import { redactText } from "@turnkit/transport/trace";
import type { AgentCheck } from "../check.js";
import { CHOICE, type CheckChoice, chosen } from "../check-choice.js";
import type { Prompts } from "../prompts.js";
import { countsOf, type Report, verdictOf } from "../report/report.js";
import { type AgentCheckOptions, OPTIONS } from "./agent-check-options.js";
import { agentChecks } from "./agent-checks.js";
import type { OpenAgent } from "./agent-pipe.js";
import { AgentRun } from "./agent-run.js";

/**
 * Runs the checks of agents. Each check has a conversation of its own with a new agent. Rejects if an agent cannot be
 * started, with the error of `open`.
 *
 * @throws RangeError for an id in `only` that no check of the protocol has
 * @throws TypeError for an option of another type, and for an unknown protocol
 *
 * @example
 * const report = await runAgentChecks(commandAgent(["my-agent", "--acp"]), { protocol: 1, suite: "quick" });
 * console.log(report.verdict, renderMarkdown(report));
 */
export async function runAgentChecks(open: OpenAgent, options: AgentCheckOptions = {}): Promise<Report> {
  checkOptions("runAgentChecks", options, OPTIONS);
  const { suite = "full", protocol = 1, seed = 1, prompts = {} } = options;
  const run = new AgentRun(open, options);
  const began = new Date().toISOString();
  const started = performance.now();
  const checks = await run.results(chooseAgentChecks(options));
  const counts = countsOf(checks);
  return {
    ...{ side: "agent", protocol, suite, ...(run.agent && { agent: run.agent }) },
    ...(Object.keys(prompts).length > 0 && { prompts: redactedIn(prompts) }),
    ...{ began, ms: Math.round(performance.now() - started), seed, counts, verdict: verdictOf(counts), checks },
  };
}

function redactedIn(prompts: Partial<Prompts>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(prompts).map(([name, text]) => [name, redactText(text)]));
}

/**
 * Returns the chosen checks as data, in the order of a run.
 *
 * @throws RangeError for an id in `only` that no check of the protocol has
 * @throws TypeError for an option of another type, and for an unknown protocol
 */
export function chooseAgentChecks(choice: CheckChoice = {}): readonly AgentCheck[] {
  checkTypes("chooseAgentChecks", choice, CHOICE);
  return chosen(agentChecks, choice, "check");
}

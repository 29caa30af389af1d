import { checkOptions, checkTypes } from "@turnkit/transport";
import { dialects } from "../dialects/dialects.js";
import { endOf, infoOf, outcomeOf } from "../outcome.js";
import { type CheckResult, countsOf, type Report, verdictOf } from "../report/report.js";
import { Talk } from "../talk.js";
import { registryChecks } from "./registry-checks.js";
import { RegistryEntry, type RegistrySource } from "./registry-entry.js";

/** Options of {@link checkRegistryEntry}. */
export type RegistryCheckOptions = {
  /** Called with each result as soon as it is final. */
  readonly onResult?: (result: CheckResult) => void;
};

const PAGE = "https://agentclientprotocol.com/get-started/registry";

/**
 * Checks an entry for a registry of agents, and its agent if `open` is given. The agent is started once. Rejects if it cannot
 * be started, with the error of `open`.
 *
 * @example
 * const manifest = JSON.parse(await readFile("agent.json", "utf8"));
 * const report = await checkRegistryEntry({ manifest, open: commandAgent(["my-agent", "--acp"]) });
 * assertPassed(report);
 */
export async function checkRegistryEntry(source: RegistrySource, options: RegistryCheckOptions = {}): Promise<Report> {
  checkTypes("checkRegistryEntry", source, { open: "function", timeoutMs: "number" });
  checkOptions("checkRegistryEntry", options, { onResult: "function" });
  const { onResult } = options;
  const began = new Date().toISOString();
  const started = performance.now();
  const entry = new RegistryEntry(source);
  const meeting = source.open === undefined ? undefined : await entry.meet();
  const talk = new Talk(dialects.v1, meeting?.trial.talk ?? { entries: [] });
  const stderr = meeting?.trial.pipe.stderr?.();
  const checks: CheckResult[] = [];
  for (const { id, title, tier, run } of registryChecks) {
    const from = performance.now();
    const outcome = outcomeOf(await endOf(() => run(entry)), { talk, stderr });
    const facts = { id, title, tier, requirements: ["CONF-01"], pages: [PAGE], seed: 1 };
    const result: CheckResult = { ...facts, ...outcome, ms: Math.round(performance.now() - from) };
    checks.push(result);
    onResult?.(result);
  }
  const agent = infoOf(talk, "agent");
  const counts = countsOf(checks);
  return {
    ...{ side: "agent", protocol: 1, suite: "full", ...(agent && { agent }) },
    ...{ began, ms: Math.round(performance.now() - started), seed: 1, counts, verdict: verdictOf(counts), checks },
  };
}

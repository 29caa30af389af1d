import type { AgentCheckOptions } from "../../agent/agent-check-options.js";
import { chooseAgentChecks, runAgentChecks } from "../../agent/run-agent-checks.js";
import { countsOf, type Report, verdictOf } from "../../report/report.js";
import { remoteAgent } from "./remote-agent.js";
import { isRemoteCheck } from "./remote-checks.js";
import { runTransportChecks, transportChecks } from "./run-transport-checks.js";

/** Options of {@link runRemoteChecks}. */
export type RemoteCheckOptions = AgentCheckOptions & {
  /** Bearer token of every request. */
  readonly token?: string | undefined;
};

/**
 * Runs the checks of agents over HTTP or a WebSocket, without those of lines, and then the checks of the transport by raw
 * requests. Rejects if the agent cannot be reached.
 *
 * @throws RangeError for an id in `only` that no check has
 */
export async function runRemoteChecks(url: string | URL, options: RemoteCheckOptions = {}): Promise<Report> {
  const { token, only, ...others } = options;
  const ofTransport = new Set(transportChecks.map(({ id }) => id));
  const chosen = chooseAgentChecks({ ...options, ...(only && { only: only.filter((id) => !ofTransport.has(id)) }) });
  const ids = chosen.filter(isRemoteCheck).map(({ id }) => id);
  const report = await runAgentChecks(remoteAgent(url, token === undefined ? {} : { token }), { ...others, only: ids });
  const address = new URL(String(url).replace(/^ws/, "http"));
  const headers: Readonly<Record<string, string>> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const raw = await runTransportChecks(address, { ...others, headers, ...(only && { only }) });
  const checks = [...report.checks, ...raw];
  const counts = countsOf(checks);
  return { ...report, suite: options.suite ?? "full", checks, counts, verdict: verdictOf(counts) };
}

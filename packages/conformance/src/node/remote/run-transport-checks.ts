import { checkTypes } from "@turnkit/transport";
import { type CheckChoice, dialectOf } from "../../check-choice.js";
import { dialects } from "../../dialects/dialects.js";
import { endOf, outcomeOf } from "../../outcome.js";
import { pagesOf } from "../../pages.js";
import type { CheckResult } from "../../report/report.js";
import { Talk } from "../../talk.js";
import { skip } from "../../verdict.js";
import { RawServer } from "./raw-server.js";
import { requestChecks } from "./request-checks.js";
import { streamChecks } from "./stream-checks.js";
import type { TransportCheck } from "./transport-check.js";

/** Every check of the transport of a remote agent. */
export const transportChecks: readonly TransportCheck[] = [...requestChecks, ...streamChecks];

/** Options of {@link runTransportChecks}. */
export type TransportCheckOptions = Pick<CheckChoice, "protocol" | "only"> & {
  /** Longest wait for one answer or message, in milliseconds. @defaultValue 30 000 */
  readonly timeoutMs?: number;
  /** Further headers of every request, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Folder of the sessions, on the machine of the agent. @defaultValue `/` */
  readonly cwd?: string;
  readonly expected?: Readonly<Record<string, string>>;
  /** Ends the run when it aborts. Checks that have not begun are skipped. */
  readonly signal?: AbortSignal;
  readonly onResult?: (result: CheckResult) => void;
};

/** Runs the checks of the transport against a server over HTTP. Each check has connections of its own. */
export async function runTransportChecks(
  url: URL,
  options: TransportCheckOptions = {},
): Promise<readonly CheckResult[]> {
  checkTypes("runTransportChecks", options, { timeoutMs: "number", cwd: "string", onResult: "function" });
  const { protocol = 1, only, timeoutMs = 30_000, headers, cwd = "/", expected = {}, signal, onResult } = options;
  const dialect = dialects[dialectOf(protocol)];
  const results: CheckResult[] = [];
  for (const check of transportChecks) {
    if (only !== undefined && !only.includes(check.id)) continue;
    const started = performance.now();
    const server = new RawServer({
      ...{ url, timeoutMs, hello: dialect.hello([]), newSession: dialect.newSession(cwd) },
      ...(headers && { headers }),
    });
    const end = await endOf(() => (signal?.aborted ? skip("The run was stopped.") : check.run(server)));
    server.close();
    const outcome = outcomeOf(end, { talk: new Talk(dialect, server.talk), stderr: undefined });
    const { id, title, tier, requirements } = check;
    const { [id]: reason } = expected;
    const result: CheckResult = {
      ...{ id, title, tier, requirements, pages: pagesOf(requirements, protocol), seed: 1 },
      ...{ ...outcome, ms: Math.round(performance.now() - started) },
      ...(reason !== undefined && { expected: reason }),
    };
    results.push(result);
    onResult?.(result);
  }
  return results;
}

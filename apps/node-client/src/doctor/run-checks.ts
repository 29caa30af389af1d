import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentCheckOptions, type CheckResult, type OpenAgent, runAgentChecks } from "@turnkit/conformance";
import { commandAgent, runRemoteChecks } from "@turnkit/conformance/node";
import type { DialectName } from "@turnkit/session";
import { UsageError } from "../exit-code.js";
import { cut } from "../render/line.js";
import { agentPlace, type Setup } from "../setup/setup.js";
import { adviceFor } from "./advice.js";
import { deleteSessions } from "./delete-sessions.js";
import type { DoctorCheck } from "./doctor-check.js";

export type ChecksOptions = {
  readonly dialect: DialectName;
  /** `true` to send prompts. */
  readonly turn: boolean;
  /** Checks to run, in place of the quick suite. */
  readonly only?: readonly string[];
  /** Folder of the sessions on the machine of a remote agent. */
  readonly directory?: string;
  /** `true` if the agent lists and deletes sessions. The sessions of the checks are then deleted. */
  readonly canDelete?: boolean;
  /** Ends the checks. Unfinished checks become `untested`. */
  readonly signal: AbortSignal;
  /** Called with each result as soon as it is final. */
  readonly onCheck?: (check: DoctorCheck) => void;
  /** Longest wait for one answer or turn, in milliseconds. @defaultValue 60 000 */
  readonly timeoutMs?: number;
};

/** Number of agents at the same time. A remote agent gets one conversation after the other. */
const JOBS = 4;

const protocols = { v1: 1, v2: 2, seed: "seed" } as const;

/**
 * Runs the quick suite of `@turnkit/conformance` against an agent. Returns the results in the order of the suite.
 *
 * @throws UsageError for an id in `only` that no check has
 */
export async function runChecks(setup: Setup, options: ChecksOptions): Promise<readonly DoctorCheck[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "turnkit-doctor-")));
  const { dialect, turn, only, signal, canDelete = false, onCheck = () => {}, timeoutMs = 60_000 } = options;
  const run: AgentCheckOptions = {
    protocol: protocols[dialect],
    ...{ suite: "quick", timeoutMs, signal, cwd: options.directory ?? folder, only },
    onResult: (result) => onCheck(readResult(result)),
  };
  try {
    const report =
      setup.remote === undefined
        ? await runAgentChecks(openIn(setup, setup.command, folder), {
            ...run,
            jobs: JOBS,
            profile: turn ? "steered" : "silent",
          })
        : // Prompts that write files would change another machine.
          await runRemoteChecks(setup.remote.url, {
            ...run,
            token: setup.remote.token,
            profile: turn ? "plain" : "silent",
          });
    return report.checks.map(readResult);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(`--only: ${error.message}`) : error;
  } finally {
    if (canDelete && !signal.aborted) await deleteSessions(setup, folder, signal);
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Starts each agent as a conversation would. Its sessions are in a folder of their own. */
function openIn(setup: Setup, command: readonly [string, ...string[]], parent: string): OpenAgent {
  const { cwd: start, env } = agentPlace(setup);
  const open = commandAgent(command, { cwd: start, env });
  return async () => {
    const cwd = await mkdtemp(join(parent, "sessions-"));
    await writeFile(join(cwd, "note.txt"), "Bread: flour, water, salt, yeast.\n");
    return { ...(await open()), cwd };
  };
}

function readResult(result: CheckResult): DoctorCheck {
  const { id, title, status, tier, reason = "", pages, evidence } = result;
  if (status === "passed") return { id, title, result: "fine" };
  if (status === "skipped") return { id, title, result: "untested", reason };
  const isHint = tier === "advisory" || tier === "informational";
  return {
    ...{ id, title, result: "finding", severity: isHint ? "hint" : "problem" },
    seen: status === "error" ? `the doctor itself has a fault: ${reason}` : reason,
    ...{ advice: adviceFor(id), pages },
    messages: (evidence?.lines ?? []).filter(({ marked }) => marked).map(lineOf),
  };
}

/** Maximum length of a message in a report, in characters. */
const MAX_MESSAGE = 1000;

function lineOf({ by, frame, line }: NonNullable<CheckResult["evidence"]>["lines"][number]): string {
  return `${by === "agent" ? "<-" : "->"} ${cut(line ?? JSON.stringify(frame), MAX_MESSAGE)}`;
}

import type { OptionTypes } from "@turnkit/transport";
import { CHOICE, type CheckChoice } from "../check-choice.js";
import type { Prompts } from "../prompts.js";
import type { CheckResult } from "../report/report.js";
import type { Profile } from "./agent-trial.js";

/** Options of `runAgentChecks`. */
export type AgentCheckOptions = CheckChoice & {
  /**
   * Longest wait for one answer or turn, in milliseconds.
   *
   * @defaultValue 30 000
   */
  readonly timeoutMs?: number;
  /** Prompts that make this agent do something, in place of the default prompts. */
  readonly prompts?: Partial<Prompts>;
  /**
   * Use of prompts:
   *
   * - `steered`: the agent follows the prompts.
   * - `plain`: the agent does not follow prompts. Checks that need more than a short answer are skipped.
   * - `silent`: no prompt is sent, so no model costs money.
   *
   * @defaultValue `steered`
   */
  readonly profile?: Profile;
  /**
   * Absolute path of the folder of the sessions.
   *
   * @defaultValue `/`
   */
  readonly cwd?: string;
  /**
   * Seed of the random choices, such as the sizes of pieces.
   *
   * @defaultValue 1
   */
  readonly seed?: number;
  /**
   * Checks that are expected to fail, with the reason of each. Another failure fails the run, and a listed check that
   * passes does too.
   */
  readonly expected?: Readonly<Record<string, string>>;
  /**
   * Number of conversations at the same time.
   *
   * @defaultValue 1
   */
  readonly jobs?: number;
  /** Ends the run and its agents when it aborts. Checks that have not ended are skipped, and the run returns its report. */
  readonly signal?: AbortSignal;
  /** Called with each result as soon as it is final. Checks of all conversations come last. */
  readonly onResult?: (result: CheckResult) => void;
};

/** Types of these options. */
export const OPTIONS: OptionTypes<AgentCheckOptions> = {
  ...{ ...CHOICE, timeoutMs: "number", prompts: "any", profile: ["steered", "plain", "silent"], cwd: "string" },
  ...{ seed: "number", expected: "any", jobs: "number", signal: "any", onResult: "function" },
};

import { checkArgument, checkOptions, checkTypes, type OptionTypes } from "@turnkit/transport";
import type { AgentCheck, Observation } from "../check.js";
import { dialects } from "../dialects/dialects.js";
import type { DialectName, Speech } from "../dialects/speech.js";
import { checkOwnFrames, endOf, infoOf, judged, type Outcome, outcomeOf, RunJudge } from "../outcome.js";
import { pagesOf } from "../pages.js";
import { defaultPrompts, type PromptName, type Prompts } from "../prompts.js";
import { createRandom } from "../random.js";
import { type CheckResult, countsOf, type Report, verdictOf } from "../report/report.js";
import { Talk } from "../talk.js";
import { agentChecks } from "./agent-checks.js";
import type { OpenAgent } from "./agent-pipe.js";
import { AgentTrial, type Profile } from "./agent-trial.js";
import { crossedPrompt, endsAlone } from "./long-turns.js";

/** Choice of checks. */
export type CheckChoice = {
  /**
   * Protocol of the run: version 1, the Preview of version 2, or its draft of June 2026.
   *
   * @defaultValue 1
   */
  readonly protocol?: 1 | 2 | "seed";
  /**
   * `quick` has the checks that find most faults.
   *
   * @defaultValue `full`
   */
  readonly suite?: "quick" | "full";
  /** Ids of checks to run, in place of a suite. */
  readonly only?: readonly string[];
};

/** Options of {@link runAgentChecks}. */
export type AgentCheckOptions = CheckChoice & {
  /**
   * Longest wait for one answer or turn, in milliseconds.
   *
   * @defaultValue 30 000
   */
  readonly timeoutMs?: number;
  /** Texts that make this agent do something, in place of the general ones. */
  readonly prompts?: Partial<Prompts>;
  /**
   * `plain` for an agent that does not follow prompts. Checks that need more than a short answer are skipped. `silent` sends no
   * prompt, so no model is paid.
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

/** Options that choose checks, with their types. */
export const CHOICE: OptionTypes<CheckChoice> = { protocol: "any", suite: ["quick", "full"], only: "any" };

const OPTIONS: OptionTypes<AgentCheckOptions> = {
  ...{ ...CHOICE, timeoutMs: "number", prompts: "any", profile: ["steered", "plain", "silent"], cwd: "string" },
  ...{ seed: "number", expected: "any", jobs: "number", signal: "any", onResult: "function" },
};

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
  const { suite = "full", protocol = 1, seed = 1 } = options;
  const run = new AgentRun(open, options);
  const began = new Date().toISOString();
  const started = performance.now();
  const checks = await run.results(chooseAgentChecks(options));
  const counts = countsOf(checks);
  return {
    ...{ side: "agent", protocol, suite, ...(run.agent && { agent: run.agent }) },
    ...{ began, ms: Math.round(performance.now() - started), seed, counts, verdict: verdictOf(counts), checks },
  };
}

/**
 * Returns the chosen checks as data, in the order of a run.
 *
 * @throws RangeError for an id in `only` that no check of the protocol has
 * @throws TypeError for an option of another type, and for an unknown protocol
 */
export function chooseAgentChecks(choice: CheckChoice = {}): readonly AgentCheck[] {
  checkTypes("chooseAgentChecks", choice, CHOICE);
  const { protocol = 1, suite = "full", only } = choice;
  const name = dialectOf(protocol);
  const all = agentChecks.filter(({ dialects: spoken }) => spoken.includes(name));
  if (only === undefined) return suite === "full" ? all : all.filter(({ quick }) => quick);
  const unknown = only.find((id) => !all.some((check) => check.id === id));
  if (unknown !== undefined) throw new RangeError(`No check of protocol ${protocol} has the id ${unknown}.`);
  return all.filter(({ id }) => only.includes(id));
}

/** Returns the name of the dialect of a protocol. */
export function dialectOf(protocol: 1 | 2 | "seed"): DialectName {
  const isKnown = ([1, 2, "seed"] as readonly unknown[]).includes(protocol);
  checkArgument(isKnown, "protocol", { got: protocol, remedy: 'pass 1, 2 or "seed"' });
  return protocol === "seed" ? "seed" : `v${protocol}`;
}

class AgentRun {
  agent: Report["agent"];
  readonly #open: OpenAgent;
  readonly #options: AgentCheckOptions;
  readonly #speech: Speech;
  readonly #seed: number;
  readonly #judges = new Map<AgentCheck, RunJudge>();
  readonly #alone = new Map<PromptName, Promise<boolean>>();

  constructor(open: OpenAgent, options: AgentCheckOptions) {
    this.#open = open;
    this.#options = options;
    this.#speech = dialects[dialectOf(options.protocol ?? 1)];
    this.#seed = options.seed ?? 1;
  }

  async results(checks: readonly AgentCheck[]): Promise<readonly CheckResult[]> {
    const results = new Map<AgentCheck, CheckResult>();
    const settle = (check: AgentCheck, outcome: Outcome) => {
      const { id, title, tier, requirements } = check;
      const { [id]: expected } = this.#options.expected ?? {};
      const facts = { id, title, tier, requirements, pages: pagesOf(requirements), seed: this.#seed };
      const result = { ...facts, ...outcome, ...(expected !== undefined && { expected }) };
      results.set(check, result);
      this.#options.onResult?.(result);
    };
    const active = checks.filter((check) => check.run !== undefined);
    const watching = checks.filter((check) => check.run === undefined);
    for (const check of watching) this.#judges.set(check, new RunJudge(check.watch, "agent"));
    if (watching.length > 0) await this.#try(tour);
    const waiting = [...active];
    const work = async () => {
      for (let check = waiting.shift(); check !== undefined; check = waiting.shift())
        settle(check, await this.#try(check.run));
    };
    await Promise.all(Array.from({ length: this.#options.jobs ?? 1 }, work));
    for (const [check, judge] of this.#judges) settle(check, this.#isStopped ? stopped : judge.outcome);
    return checks.map((check) => results.get(check) as CheckResult);
  }

  async #try(run: NonNullable<AgentCheck["run"]>): Promise<Outcome> {
    const started = performance.now();
    if (this.#isStopped) return stopped;
    const trial = await this.#begin();
    const ran = await endOf(() => this.#untilStopped(trial, run));
    if (this.#isStopped) return stopped;
    const own = judged(() => checkOwnFrames(trial.talk, this.#speech, "client"));
    const end = "thrown" in own ? own : ran;
    const talk = new Talk(this.#speech, trial.talk);
    const stderr = trial.pipe.stderr?.();
    for (const judge of this.#judges.values()) judge.add({ talk, stderr });
    this.agent ??= infoOf(talk, "agent");
    const outcome = outcomeOf(end, { talk, stderr });
    const crossed = outcome.status === "failed" ? crossedPrompt(trial) : undefined;
    const verdict = crossed !== undefined && (await this.#endsAlone(crossed)) ? endedAlone(crossed) : outcome;
    return { ...verdict, ms: Math.round(performance.now() - started) };
  }

  async #begin(): Promise<AgentTrial> {
    const { cwd = "/", timeoutMs = 30_000, prompts, profile = "steered" } = this.#options;
    const pipe = await this.#open();
    return new AgentTrial(pipe, {
      ...{ speech: this.#speech, cwd: pipe.cwd ?? cwd, timeoutMs, profile },
      prompts: { ...defaultPrompts, ...prompts },
      random: createRandom(this.#seed),
    });
  }

  /** Returns `true` if the turn of a prompt ends without a cancel. Each prompt is tried once in a run. */
  async #endsAlone(name: PromptName): Promise<boolean> {
    const known = this.#alone.get(name) ?? this.#tryAlone(name);
    this.#alone.set(name, known);
    return known;
  }

  /** Without an agent or a session for the second attempt, the first verdict stays. */
  async #tryAlone(name: PromptName): Promise<boolean> {
    let isAlone = false;
    const trial = await this.#begin().catch(() => undefined);
    if (trial === undefined) return false;
    await endOf(() =>
      this.#untilStopped(trial, async () => {
        isAlone = await endsAlone(trial, name);
      }),
    );
    return isAlone;
  }

  get #isStopped(): boolean {
    return this.#options.signal?.aborted === true;
  }

  /** Runs a check to its end. If the run is stopped, the agent is ended at once. */
  async #untilStopped(trial: AgentTrial, run: NonNullable<AgentCheck["run"]>): Promise<Observation> {
    const { signal } = this.#options;
    const stop = () => {
      trial.talk.end();
      void trial.pipe.kill?.();
    };
    signal?.addEventListener("abort", stop);
    try {
      return await run(trial);
    } finally {
      await trial.close();
      signal?.removeEventListener("abort", stop);
    }
  }
}

const stopped: Outcome = { status: "skipped", reason: "The run was stopped.", ms: 0 };

function endedAlone(name: PromptName): Omit<Outcome, "ms"> {
  const reason = `The turn ended when the cancel was sent, and the prompt "${name}" ends without a cancel too.`;
  return { status: "skipped", reason: `${reason} Use a prompt with a longer turn.` };
}

/** Conversation that shows most of an agent, for checks that judge all conversations. */
async function tour(agent: AgentTrial): Promise<void> {
  const session = await agent.open();
  await agent.turn(session, "say");
  if (agent.isPlain) return;
  await agent.turn(session, "work");
  // In version 2, terminals are a part of the updates.
  if (agent.speech.name === "v2") await agent.turn(session, "terminal");
}

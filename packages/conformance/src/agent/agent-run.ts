import type { AgentCheck, Observation } from "../check.js";
import { dialectOf } from "../check-choice.js";
import type { Conversation } from "../conversation.js";
import type { Dialect } from "../dialects/dialect.js";
import { dialects } from "../dialects/dialects.js";
import { checkOwnFrames, endOf, infoOf, judged, type Outcome, outcomeOf, RunJudge } from "../outcome.js";
import { pagesOf } from "../pages.js";
import { defaultPrompts, type PromptName } from "../prompts.js";
import { createRandom } from "../random.js";
import type { CheckResult, Report } from "../report/report.js";
import { Talk } from "../talk.js";
import type { AgentCheckOptions } from "./agent-check-options.js";
import type { OpenAgent } from "./agent-pipe.js";
import { AgentTrial } from "./agent-trial.js";
import { crossedPrompt, endsAlone } from "./long-turns.js";
import { NO_TURN_ENDS, TurnEnds } from "./turn-ends.js";

/** One run of checks against an agent. */
export class AgentRun {
  /** Name and version of the agent, from the first conversation in which it gave them. */
  agent: Report["agent"];
  readonly #open: OpenAgent;
  readonly #options: AgentCheckOptions;
  readonly #dialect: Dialect;
  readonly #seed: number;
  readonly #judges = new Map<AgentCheck, RunJudge>();
  readonly #alone = new Map<PromptName, Promise<boolean>>();
  readonly #turnEnds = new TurnEnds();
  #unanswered = 0;

  constructor(open: OpenAgent, options: AgentCheckOptions) {
    this.#open = open;
    this.#options = options;
    this.#dialect = dialects[dialectOf(options.protocol ?? 1)];
    this.#seed = options.seed ?? 1;
  }

  /** Runs checks, and returns their results in the same order. */
  async results(checks: readonly AgentCheck[]): Promise<readonly CheckResult[]> {
    const results = new Map<AgentCheck, CheckResult>();
    const settle = (check: AgentCheck, outcome: Outcome) => {
      const { id, title, tier, requirements } = check;
      const { [id]: expected } = this.#options.expected ?? {};
      const facts = {
        id,
        title,
        tier,
        requirements,
        pages: pagesOf(requirements, this.#options.protocol ?? 1),
        seed: this.#seed,
      };
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
      for (let check = this.#next(waiting); check !== undefined; check = this.#next(waiting))
        settle(
          check,
          this.#isSilent && check.id !== "ACP-INIT-001" ? untried : reported(check, await this.#try(check.run)),
        );
    };
    await Promise.all(Array.from({ length: this.#options.jobs ?? 1 }, work));
    for (const [check, judge] of this.#judges) settle(check, this.#isStopped ? stopped : judge.outcome);
    return checks.map((check) => results.get(check) as CheckResult);
  }

  /**
   * Takes the next check. If a turn did not end in time, the next check is the check of the end of a turn, unless
   * prompts are no longer sent.
   */
  #next<T extends AgentCheck>(waiting: T[]): T | undefined {
    const judge = this.#turnEnds.areLate ? waiting.findIndex(judgesEnd) : 0;
    return waiting.splice(Math.max(0, judge), 1)[0];
  }

  async #try(run: NonNullable<AgentCheck["run"]>): Promise<Outcome> {
    const started = performance.now();
    if (this.#isStopped) return stopped;
    const trial = await this.#begin();
    const ran = await endOf(() => this.#untilStopped(trial, run));
    if (this.#isStopped) return stopped;
    this.#countHello(trial.talk);
    const own = judged(() => checkOwnFrames(trial.talk, this.#dialect, "client"));
    const end = "thrown" in own ? own : ran;
    const talk = new Talk(this.#dialect, trial.talk);
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
      ...{ dialect: this.#dialect, cwd: pipe.cwd ?? cwd, timeoutMs, profile },
      prompts: { ...defaultPrompts, ...prompts },
      random: createRandom(this.#seed),
      turnEnds: this.#turnEnds,
    });
  }

  /** Returns `true` if the turn of a prompt ends without a cancel. Each prompt is tried once in a run. */
  async #endsAlone(name: PromptName): Promise<boolean> {
    const known = this.#alone.get(name) ?? this.#tryAlone(name);
    this.#alone.set(name, known);
    return known;
  }

  /** If the second attempt gets no agent or no session, the first verdict stays. */
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

  #countHello({ entries }: Conversation): void {
    const isAnswered = entries.some(({ request }) => request?.method === "initialize");
    const isAsked = entries.some(({ by, method }) => by === "client" && method === "initialize");
    if (isAnswered) this.#unanswered = Number.NEGATIVE_INFINITY;
    else if (isAsked) this.#unanswered += 1;
  }

  /**
   * `true` if no conversation had an answer to `initialize`. Further conversations would also wait until the time
   * limit.
   */
  get #isSilent(): boolean {
    return this.#unanswered >= SILENT;
  }

  get #isStopped(): boolean {
    return this.#options.signal?.aborted === true;
  }

  /** Runs a check to its end. If the run is stopped, the agent is ended immediately. */
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

/** Number of conversations without an answer to `initialize` after which no further conversation is tried. */
const SILENT = 3;

const untried: Outcome = {
  status: "skipped",
  reason: `The agent did not answer initialize in ${SILENT} conversations. The check was not tried.`,
  ms: 0,
};
const judgesEnd = ({ id }: AgentCheck) => id === "ACP-PROMPT-001" || id === "ACP-STATE-202";
/** Returns the outcome of a check for the report. If no turn ends, the check of the end of a turn fails, and is not skipped. */
const reported = (check: AgentCheck, outcome: Outcome): Outcome =>
  judgesEnd(check) && outcome.reason === NO_TURN_ENDS ? { ...outcome, status: "failed" } : outcome;
const stopped: Outcome = { status: "skipped", reason: "The run was stopped.", ms: 0 };

function endedAlone(name: PromptName): Omit<Outcome, "ms"> {
  const reason = `The turn ended when the cancel was sent, and the prompt "${name}" ends without a cancel too.`;
  return { status: "skipped", reason: `${reason} Use a prompt with a longer turn.` };
}

/** Conversation that uses most features of an agent, for checks that judge all conversations. */
async function tour(agent: AgentTrial): Promise<void> {
  const session = await agent.open();
  await agent.turn(session, "say");
  if (agent.isPlain) return;
  await agent.turn(session, "work");
  // In version 2, terminals are a part of the updates.
  if (agent.dialect.name === "v2") await agent.turn(session, "terminal");
}

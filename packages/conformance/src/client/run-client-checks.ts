import { checkOptions, checkTypes, type OptionTypes } from "@turnkit/transport";
import { CHOICE, type CheckChoice, chosen, dialectOf } from "../check-choice.js";
import type { Dialect } from "../dialects/dialect.js";
import { dialects } from "../dialects/dialects.js";
import { checkOwnFrames, endOf, infoOf, judged, type Outcome, outcomeOf, RunJudge, type Watched } from "../outcome.js";
import { pagesOf } from "../pages.js";
import { createRandom } from "../random.js";
import { type CheckResult, countsOf, type Report, verdictOf } from "../report/report.js";
import { Talk } from "../talk.js";
import { CheckSkipped } from "../verdict.js";
import { plain } from "./checks/opening.js";
import { clientChecks } from "./client-checks.js";
import type { ClientPipe, OpenClient } from "./client-pipe.js";
import { ClientTrial } from "./client-trial.js";
import type { ClientCheck, Scene, UsualClient } from "./scene.js";

/** Options of {@link runClientChecks}. */
export type ClientCheckOptions = CheckChoice & {
  /**
   * Longest wait for one message, and for the end of the client after a turn, in milliseconds.
   *
   * @defaultValue 30 000
   */
  readonly timeoutMs?: number;
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
   * Number of clients at the same time.
   *
   * @defaultValue 1
   */
  readonly jobs?: number;
  /** Called with each result as soon as it is final. Checks of all conversations come last. */
  readonly onResult?: (result: CheckResult) => void;
};

const OPTIONS: OptionTypes<ClientCheckOptions> = {
  ...{ ...CHOICE, timeoutMs: "number", seed: "number", expected: "any", jobs: "number", onResult: "function" },
};

/**
 * Runs the checks of clients. The runner is the agent. Each scene starts a new client, and several checks judge the
 * behaviour of this client. Rejects if a client cannot be started, with the error of `open`.
 *
 * @throws RangeError for an id in `only` that no check of the protocol has
 *
 * @example
 * const report = await runClientChecks(commandClient('my-client "hello" -- {agent}'), { protocol: 1 });
 * console.log(report.verdict, renderMarkdown(report));
 */
export async function runClientChecks(open: OpenClient, options: ClientCheckOptions = {}): Promise<Report> {
  checkOptions("runClientChecks", options, OPTIONS);
  const { suite = "full", protocol = 1, seed = 1 } = options;
  const run = new ClientRun(open, options);
  const began = new Date().toISOString();
  const started = performance.now();
  const checks = await run.results(chooseClientChecks(options));
  const counts = countsOf(checks);
  return {
    ...{ side: "client", protocol, suite, ...(run.client && { agent: run.client }) },
    ...{ began, ms: Math.round(performance.now() - started), seed, counts, verdict: verdictOf(counts), checks },
  };
}

/**
 * Returns the chosen checks of clients as data, in the order of a run.
 *
 * @throws RangeError for an id in `only` that no check of the protocol has
 */
export function chooseClientChecks(choice: CheckChoice = {}): readonly ClientCheck[] {
  checkTypes("chooseClientChecks", choice, CHOICE);
  return chosen(clientChecks, choice, "check of clients");
}

type Played = { readonly watched: Watched; readonly shown: { readonly value: unknown } | { readonly thrown: unknown } };

class ClientRun {
  client: Report["agent"];
  readonly #open: OpenClient;
  readonly #options: ClientCheckOptions;
  readonly #dialect: Dialect;
  readonly #seed: number;
  readonly #judges = new Map<ClientCheck, RunJudge>();

  constructor(open: OpenClient, options: ClientCheckOptions) {
    this.#open = open;
    this.#options = options;
    this.#dialect = dialects[dialectOf(options.protocol ?? 1)];
    this.#seed = options.seed ?? 1;
  }

  async results(checks: readonly ClientCheck[]): Promise<readonly CheckResult[]> {
    const results = new Map<ClientCheck, CheckResult>();
    const settle = (check: ClientCheck, outcome: Outcome) => {
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
    for (const check of checks) if (check.watch) this.#judges.set(check, new RunJudge(check.watch, "client"));
    // The ordinary scene comes first, because the others compare with it.
    const first = await this.#play(plain);
    const usual = usualOf(first);
    const waiting = [...new Set([plain, ...checks.flatMap(({ scene }) => scene ?? [])])];
    const work = async () => {
      for (let scene = waiting.shift(); scene !== undefined; scene = waiting.shift()) {
        const played = scene === plain ? first : await this.#play(scene);
        for (const check of checks) if (check.scene === scene) settle(check, await judge(check, played, usual));
      }
    };
    await Promise.all(Array.from({ length: this.#options.jobs ?? 1 }, work));
    for (const [check, judge] of this.#judges) settle(check, judge.outcome);
    return checks.map((check) => results.get(check) as CheckResult);
  }

  async #play(scene: Scene): Promise<Played> {
    const pipe = await this.#open(scene.task ?? {});
    if (pipe === undefined) return notPossible(this.#dialect);
    const { timeoutMs = 30_000 } = this.#options;
    const trial = new ClientTrial(pipe, { dialect: this.#dialect, timeoutMs, random: createRandom(this.#seed) });
    const shown = await played(scene, trial);
    const own = judged(() => checkOwnFrames(trial.talk, this.#dialect, "agent"));
    const talk = new Talk(this.#dialect, trial.talk);
    const watched = { talk, stderr: stderrOf(pipe) };
    for (const judge of this.#judges.values()) judge.add(watched);
    this.client ??= infoOf(talk, "client");
    return { watched, shown: "thrown" in own ? own : shown };
  }
}

async function played(scene: Scene, trial: ClientTrial): Promise<Played["shown"]> {
  try {
    return { value: await scene.play(trial) };
  } catch (thrown) {
    return { thrown };
  } finally {
    await trial.close();
  }
}

function notPossible(dialect: Dialect): Played {
  const talk = new Talk(dialect, { entries: [] });
  return {
    watched: { talk, stderr: undefined },
    shown: { thrown: new CheckSkipped("The client was given no command for this task.") },
  };
}

function stderrOf({ stderr }: ClientPipe): string | undefined {
  return stderr?.();
}

function usualOf({ shown }: Played): UsualClient {
  const { value } = shown as { readonly value?: { readonly usual?: UsualClient } };
  return value?.usual ?? { ends: false, code: 0, prints: false };
}

async function judge(
  check: Extract<ClientCheck, { scene: Scene }>,
  { watched, shown }: Played,
  usual: UsualClient,
): Promise<Outcome> {
  const started = performance.now();
  const end = "thrown" in shown ? shown : await endOf(() => check.judge(shown.value, usual));
  return { ...outcomeOf(end, watched), ms: Math.round(performance.now() - started) };
}

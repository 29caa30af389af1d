import { createRandom, type ManualClock, type Random } from "@turnkit/testing";

/** Step of an actor. It waits until it is possible. An error that it throws fails the schedule. */
export type Step = { readonly name: string; readonly when?: () => boolean; readonly run: () => unknown };

/** Somebody's steps, in order. */
export type Actor = readonly Step[];

/** Number of schedules for each table of races; `SCHEDULES=10000` in the environment runs more. */
const SCHEDULES = Number(process.env.SCHEDULES ?? 1_000);

/** Turns of the event loop without a possible step after which the rest of the steps cannot happen. */
const idleTurns = 10;
/** Turns of the event loop in which everything that was begun has to settle. */
const mostTurns = 200;

/** One run of a table: steps of several actors, interleaved by a seed, with pauses of a few microtasks between them. */
export class Schedule {
  readonly random: Random;
  /** Steps that were done, in order. */
  readonly story: string[] = [];
  readonly #promises = new Map<string, Promise<unknown>>();
  readonly #settled = new Set<string>();

  constructor(seed: number) {
    this.random = createRandom(seed);
  }

  /** Something that must settle, well or not, before the schedule ends. */
  mustSettle<T>(name: string, promise: Promise<T>): Promise<T> {
    const key = `${name} (${this.#promises.size + 1})`;
    this.#promises.set(key, promise);
    const note = () => this.#settled.add(key);
    promise.then(note, note);
    return promise;
  }

  /** Runs all steps that become possible. */
  async run(actors: readonly Actor[]): Promise<void> {
    const next = actors.map(() => 0);
    for (let idle = 0; idle < idleTurns; ) {
      const possible = actors.flatMap((steps, actor) => {
        const step = steps[next[actor] as number];
        return step !== undefined && (step.when?.() ?? true) ? [{ actor, step }] : [];
      });
      if (possible.length === 0) {
        idle++;
        await turn();
        continue;
      }
      idle = 0;
      const { actor, step } = possible[this.random.below(possible.length)] as (typeof possible)[number];
      next[actor] = (next[actor] as number) + 1;
      this.story.push(step.name);
      await step.run();
      await this.#pause();
    }
  }

  /** Waits until everything that must settle has, and lets the clock, if there is one, run on. */
  async settle(clock?: ManualClock): Promise<void> {
    for (let turns = 0; turns < mostTurns; turns++) {
      await turn();
      if (this.#settled.size === this.#promises.size) return;
      if (turns % 20 === 19) await clock?.advance(60_000);
    }
    throw new Error(`Not settled: ${[...this.#promises.keys()].filter((key) => !this.#settled.has(key)).join(", ")}`);
  }

  /** Nothing, a few microtasks, or a turn of the event loop: what comes next may meet the work at any point. */
  async #pause(): Promise<void> {
    const ticks = this.random.below(12);
    if (ticks === 11) await turn();
    else for (let tick = 0; tick < ticks; tick++) await undefined;
  }
}

/** Lets everything that is on its way arrive. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs one table under many seeds; an error names its seed and what was done. */
export async function runSchedules(table: (schedule: Schedule) => Promise<void>, count = SCHEDULES): Promise<void> {
  const stray: unknown[] = [];
  const note = (error: unknown) => stray.push(error);
  process.on("unhandledRejection", note);
  try {
    for (let seed = 1; seed <= count; seed++) {
      const schedule = new Schedule(seed);
      try {
        await table(schedule);
        if (stray.length > 0) throw new Error(`Nobody caught: ${String(stray[0])}`, { cause: stray[0] });
      } catch (cause) {
        const text = cause instanceof Error ? cause.message : String(cause);
        throw new Error(`Seed ${seed}: ${text}\nDone was: ${schedule.story.join(", ")}`, { cause });
      }
    }
  } finally {
    process.off("unhandledRejection", note);
  }
}

/** A rule that every schedule keeps. */
export function hold(condition: boolean, rule: string, ...seen: readonly unknown[]): void {
  if (!condition) throw new Error(`${rule}; seen: ${seen.map((one) => JSON.stringify(one)).join(" ")}`);
}

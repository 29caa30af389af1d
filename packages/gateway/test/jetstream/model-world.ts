import { createRandom, type Random } from "@turnkit/testing";
import type { Clock } from "../../src/jetstream/store.js";

type Entry = { readonly time: number; readonly order: number; readonly run: () => void };

/** Virtual time. Steps run one after the other, in an order that the seed decides. */
export class World {
  readonly random: Random;
  time = 0;
  #order = 0;
  readonly #heap: Entry[] = [];

  constructor(seed: number) {
    this.random = createRandom(seed);
  }

  after(ms: number, run: () => void): void {
    const heap = this.#heap;
    const entry = { time: this.time + Math.max(0, ms), order: this.#order++, run };
    let at = heap.length;
    heap.push(entry);
    for (let up = (at - 1) >> 1; at > 0 && isBefore(entry, heap[up] as Entry); up = (at - 1) >> 1) {
      heap[at] = heap[up] as Entry;
      at = up;
    }
    heap[at] = entry;
  }

  /** Runs all steps until `isOver`, and lets every promise go on after each step. */
  async run(isOver: () => boolean): Promise<void> {
    for (let steps = 0; !isOver(); steps += 1) {
      const entry = this.#pop();
      if (entry === undefined || steps > 50_000) throw new Error(`the world stands still at ${this.time} ms`);
      this.time = entry.time;
      entry.run();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #pop(): Entry | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      if (down >= heap.length) break;
      if (down + 1 < heap.length && isBefore(heap[down + 1] as Entry, heap[down] as Entry)) down += 1;
      if (isBefore(last, heap[down] as Entry)) break;
      heap[at] = heap[down] as Entry;
      at = down;
    }
    heap[at] = last;
    return first;
  }
}

const isBefore = (one: Entry, other: Entry): boolean =>
  one.time < other.time || (one.time === other.time && one.order < other.order);

/** Process with a clock of its own speed, which may stand still, be late, or end. */
export class Process {
  readonly #world: World;
  readonly #rate: number;
  #late = 0;
  #asleepUntil = 0;
  isDead = false;

  constructor(world: World) {
    this.#world = world;
    this.#rate = 0.98 + world.random.below(41) / 1000;
  }

  get clock(): Clock {
    return {
      now: () => this.#world.time * this.#rate - this.#late,
      after: (ms, run) => {
        let isStopped = false;
        this.later(ms / this.#rate, () => {
          if (!isStopped) run();
        });
        return () => {
          isStopped = true;
        };
      },
    };
  }

  /** Runs a step of this process, unless the process has ended by then. A sleeping process runs it later. */
  later(ms: number, run: () => void): void {
    this.#world.after(ms, () => {
      if (this.isDead) return;
      if (this.#world.time < this.#asleepUntil) this.later(this.#asleepUntil - this.#world.time, run);
      else run();
    });
  }

  /** Lets the process do nothing. If `withClock`, its clock stands still too, as that of a machine that sleeps. */
  sleep(ms: number, withClock: boolean): void {
    this.#asleepUntil = Math.max(this.#asleepUntil, this.#world.time + ms);
    if (withClock) this.#late += ms * this.#rate;
  }
}

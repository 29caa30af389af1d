import { AcpError } from "@turnkit/transport";
import { nextTurn } from "./patience.js";

/** Clock that moves only when the test calls `advance`. */
export interface ManualClock extends Disposable {
  /** Current time in milliseconds since 1970, as `Date.now()` returns it. */
  readonly time: number;
  /** Number of pending timers. */
  readonly timers: number;
  /**
   * Moves the clock forward, and runs due timers in their order. Messages of memory channels are delivered before each
   * timer, and at the end.
   */
  advance(ms: number): Promise<void>;
  /** Restores the real time. Pending timers are dropped. */
  uninstall(): void;
}

const mostTimers = 100_000;
const mostRuns = 100_000;
const longestDelay = 2 ** 31 - 1;

/**
 * Replaces `setTimeout`, `setInterval`, their `clear` functions, `Date` and `performance.now` by a manual clock. Tests of
 * timeouts, grace periods and retries then take no time. The clock works with any test runner. Only one clock can be
 * installed at a time.
 *
 * These functions still use real time: microtasks, `setImmediate`, timers inside Node's own modules, memory channels, and
 * all waits of this package.
 *
 * @throws AcpError `state` if a clock is already installed
 *
 * @example
 * using clock = installManualClock();
 * const turn = session.prompt("never answered");
 * void turn.cancel();
 * await clock.advance(30_000); // `cancelGraceMs`: the turn ends without the agent
 */
export function installManualClock(options: { readonly time?: number } = {}): ManualClock {
  if (installed) throw new AcpError("state", "A manual clock is already installed. Uninstall it first.");
  installed = true;
  return new GlobalClock(options.time ?? Date.now());
}

let installed = false;

type Timer = { due: number; readonly order: number; readonly every?: number; readonly run: () => void };

class GlobalClock implements ManualClock {
  time: number;
  readonly #timers = new Map<number, Timer>();
  readonly #restore: () => void;
  #started: number;
  #nextId = 1;
  #order = 0;
  #uninstalled = false;

  constructor(time: number) {
    this.time = time;
    this.#started = time - performance.now();
    this.#restore = replaceGlobals(this);
  }

  get timers(): number {
    return this.#timers.size;
  }

  /** Returns the result of `performance.now`. */
  elapsed(): number {
    return this.time - this.#started;
  }

  set(run: () => void, delay: number, repeats: boolean): number {
    if (this.#timers.size >= mostTimers) {
      throw new AcpError(
        "state",
        `${mostTimers} timers are pending on the manual clock. The code under test may set timers without end.`,
      );
    }
    const id = this.#nextId++;
    const wait = delay >= 1 && delay <= longestDelay ? Math.trunc(delay) : 1;
    this.#timers.set(id, { due: this.time + wait, order: this.#order++, run, ...(repeats && { every: wait }) });
    return id;
  }

  clear(id: number): void {
    this.#timers.delete(id);
  }

  has(id: number): boolean {
    return this.#timers.has(id);
  }

  async advance(ms: number): Promise<void> {
    const until = this.time + ms;
    for (let runs = 0; ; runs++) {
      await settled();
      const next = this.#nextBefore(until);
      if (next === undefined) break;
      if (runs >= mostRuns) {
        throw new AcpError(
          "state",
          `${mostRuns} timers ran within ${ms} ms of the manual clock. The code under test may set timers without end.`,
        );
      }
      this.#run(...next);
    }
    this.time = Math.max(this.time, until);
  }

  uninstall(): void {
    if (this.#uninstalled) return;
    this.#uninstalled = true;
    this.#timers.clear();
    this.#restore();
    installed = false;
  }

  [Symbol.dispose](): void {
    this.uninstall();
  }

  #nextBefore(until: number): [number, Timer] | undefined {
    let first: [number, Timer] | undefined;
    for (const entry of this.#timers) {
      const [, { due, order }] = entry;
      if (due > until) continue;
      if (first === undefined || due < first[1].due || (due === first[1].due && order < first[1].order)) first = entry;
    }
    return first;
  }

  #run(id: number, timer: Timer): void {
    this.time = Math.max(this.time, timer.due);
    if (timer.every === undefined) this.#timers.delete(id);
    else this.#timers.set(id, { ...timer, due: timer.due + timer.every, order: this.#order++ });
    timer.run();
  }
}

function settled(): Promise<void> {
  return new Promise(nextTurn);
}

/** Result of `setTimeout`. It converts to a number, and has the methods of Node's timers. */
class TimerHandle {
  readonly #clock: GlobalClock;
  readonly #id: number;

  constructor(clock: GlobalClock, id: number) {
    this.#clock = clock;
    this.#id = id;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return this.#clock.has(this.#id);
  }

  close(): this {
    this.#clock.clear(this.#id);
    return this;
  }

  [Symbol.toPrimitive](): number {
    return this.#id;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

type Callback = (...args: unknown[]) => void;

/** Replaces the globals. Returns a function that restores them. */
function replaceGlobals(clock: GlobalClock): () => void {
  const setter =
    (repeats: boolean) =>
    (callback: Callback, delay = 0, ...args: unknown[]) =>
      new TimerHandle(
        clock,
        clock.set(() => callback(...args), delay, repeats),
      );
  const clear = (timer: unknown): void => {
    // Checked by class: an earlier clock may have made the timer, and numbers repeat.
    if (timer instanceof TimerHandle) timer.close();
    else if (typeof timer === "number") clock.clear(timer);
    else realClear(timer as Parameters<typeof realClear>[0]);
  };
  const { clearTimeout: realClear, Date: realDate } = globalThis;
  const now = () => clock.time;
  const manualDate = new Proxy(realDate, {
    get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver)),
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: (target) => new target(now()).toString(),
  });
  const replacements = {
    setTimeout: setter(false),
    setInterval: setter(true),
    clearTimeout: clear,
    clearInterval: clear,
    Date: manualDate,
  };
  const before = Object.keys(replacements).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  for (const [name, value] of Object.entries(replacements)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true, enumerable: true });
  }
  const realNow = performance.now;
  performance.now = () => clock.elapsed();
  return () => {
    for (const [name, descriptor] of before) if (descriptor) Object.defineProperty(globalThis, name, descriptor);
    performance.now = realNow;
  };
}

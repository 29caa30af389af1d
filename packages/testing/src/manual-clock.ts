import { AcpError } from "@turnkit/transport";
import { nextTurn } from "./patience.js";

/** The time of a test, which stands still unless the test moves it. */
export interface ManualClock extends Disposable {
  /** Milliseconds since the epoch, as `Date.now()` tells them now. */
  readonly time: number;
  /** How many timers are set. */
  readonly timers: number;
  /**
   * Moves the time on and runs the timers that fall due, in their order. Before each of them, and at the end, everything
   * that is on its way in memory arrives.
   */
  advance(ms: number): Promise<void>;
  /** Gives the real time back; timers that did not run are gone. */
  uninstall(): void;
}

const mostTimers = 100_000;
const mostRuns = 100_000;
const longestDelay = 2 ** 31 - 1;

/**
 * Puts a manual clock in the place of `setTimeout`, `setInterval`, what clears them, `Date` and `performance.now` of this
 * realm, for tests of timeouts, grace periods and retries that take no time. It needs no test runner; those that bring
 * fake timers of their own do the same. Microtasks, `setImmediate` and timers of Node's own modules go on as they do, and
 * so do memory channels and every wait of this package. One clock at a time.
 *
 * @throws AcpError `state` if one is installed already
 * @example
 * using clock = installManualClock();
 * const turn = session.prompt("never answered");
 * void turn.cancel();
 * await clock.advance(30_000); // `cancelGraceMs`: it ends without the agent
 */
export function installManualClock(options: { readonly time?: number } = {}): ManualClock {
  if (installed) throw new AcpError("state", "A manual clock is installed already: uninstall it before the next one.");
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

  /** What `performance.now` tells. */
  elapsed(): number {
    return this.time - this.#started;
  }

  set(run: () => void, delay: number, repeats: boolean): number {
    if (this.#timers.size >= mostTimers) {
      throw new AcpError("state", `${mostTimers} timers are set on the manual clock: something sets them without end.`);
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
        throw new AcpError("state", `${mostRuns} timers ran within ${ms} ms of the manual clock: they never end.`);
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

/** What `setTimeout` gives: a number to those who want one, with the methods that Node's timers have. */
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

/** Replaces the globals and returns what puts them back. */
function replaceGlobals(clock: GlobalClock): () => void {
  const setter =
    (repeats: boolean) =>
    (callback: Callback, delay = 0, ...args: unknown[]) =>
      new TimerHandle(
        clock,
        clock.set(() => callback(...args), delay, repeats),
      );
  const clear = (timer: unknown): void => {
    // By itself: it may be of a clock before this one, which gave the same numbers.
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

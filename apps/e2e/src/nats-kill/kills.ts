import { readFileSync } from "node:fs";
import type { Session } from "@turnkit/client";
import { PIECES } from "../gateway-kill/pieces.js";
import { cause, FAULTS, type Fault, pause } from "./faults.js";
import { historyFaults } from "./history-faults.js";
import { type Attached, type KilledGateway, startWorld, type World } from "./world.js";

/** Number of rounds with the same session. */
const ROUNDS_OF_SESSION = 20;

/** Time for the turns that no client waits for, in milliseconds. */
const SETTLE = 10_000;

/** Longest time of a prompt with all its attempts, in milliseconds. */
const BOUND = 60_000;

/** Findings of a run. All lists should be empty. */
export type Losses = {
  rounds: number;
  prompts: number;
  readonly faults: Record<string, number>;
  /**
   * Accepted prompts that a gateway does not show exactly once, incomplete answers of turns that ended without an
   * error, and differences between the histories.
   */
  readonly lost: string[];
  /** Prompts that ran twice. */
  readonly twice: string[];
  /** Prompts that did not end in time. */
  readonly hanging: string[];
  /** Last messages of gateways that ended by themselves, and were started again. */
  readonly failures: string[];
  /** Times from the death of a gateway to the end of a turn at the other gateway, in milliseconds. */
  readonly takeovers: number[];
  /** Times from the end of a gateway after SIGTERM to the end of a turn at the other gateway, in milliseconds. */
  readonly handovers: number[];
};

/** Settings of a run. */
export type KillOptions = { readonly rounds: number; readonly brokers: 1 | 3; readonly faults?: readonly Fault[] };

/** Runs rounds of faults on gateways that share sessions on one broker or three. */
export async function killOnNats(
  { rounds, brokers, faults = FAULTS }: KillOptions,
  folder: string,
  random: () => number,
): Promise<Losses> {
  const world = await startWorld(folder, brokers);
  try {
    const run = new Run(world, { random, faults });
    // After a loss, the storage stays as it was found.
    for (let round = 0; round < rounds && run.losses.lost.length === 0; round += 1) await run.round(round);
    for (const { failures } of world.gateways) run.losses.failures.push(...failures);
    return run.losses;
  } finally {
    await world.end();
  }
}

class Run {
  readonly losses: Losses = {
    rounds: 0,
    prompts: 0,
    faults: {},
    lost: [],
    twice: [],
    hanging: [],
    failures: [],
    takeovers: [],
    handovers: [],
  };
  readonly #world: World;
  readonly #random: () => number;
  readonly #among: readonly Fault[];
  #id = "";
  #accepted = new Set<string>();
  #ended = new Set<string>();
  #attached: (Attached | undefined)[] = [];
  #trail: string[] = [];

  constructor(world: World, { random, faults }: { readonly random: () => number; readonly faults: readonly Fault[] }) {
    this.#world = world;
    this.#random = random;
    this.#among = faults;
  }

  async round(round: number): Promise<void> {
    if (round % ROUNDS_OF_SESSION === 0) await this.#newSession();
    await Promise.all([0, 1].map((at) => this.#attach(at)));
    const fault = this.#pick(this.#among);
    const target = this.#below(2) as 0 | 1;
    const moment = this.#below(2 * (PIECES + 6));
    const diedAt = { ms: 0 };
    const repair = this.#faultAt(moment, { fault, target, diedAt });
    this.#trail.push(`${round} ${fault} ${target}`);
    const names = [`${this.#id}/${round}a`, `${this.#id}/${round}b`];
    const before = performance.now();
    await Promise.all(
      names.map(async (name, at) => {
        const isConfirmed = await this.#prompt(name, at);
        if (!isConfirmed || at === target || diedAt.ms <= before) return;
        if (fault === "gateway") this.losses.takeovers.push(performance.now() - diedAt.ms);
        if (fault === "shutdown") this.losses.handovers.push(performance.now() - diedAt.ms);
      }),
    );
    await repair();
    await this.#check(`round ${round} (${fault})`);
    this.losses.rounds += 1;
    this.losses.prompts += names.length;
    this.losses.faults[fault] = (this.losses.faults[fault] ?? 0) + 1;
  }

  async #newSession(): Promise<void> {
    await Promise.all(this.#attached.map((one) => one?.client.close()));
    this.#accepted = new Set();
    this.#ended = new Set();
    this.#trail = [];
    const { client, session } = await patiently(() => this.#gateway(0).attach());
    this.#id = session.id;
    this.#attached = [{ client, session }, undefined];
    this.#watch(session);
  }

  /** Returns the client that is attached to a gateway, or attaches one. */
  async #attach(at: number): Promise<Attached> {
    const known = this.#attached[at];
    if (known !== undefined && !known.session.state.closed) return known;
    await known?.client.close();
    this.#attached[at] = undefined;
    const attached = await patiently(() => this.#gateway(at).attach(this.#id));
    this.#attached[at] = attached;
    this.#watch(attached.session);
    return attached;
  }

  /** Names of prompts by their ids, for each session object, because ids are unique only there. */
  readonly #names = new WeakMap<Session, Map<string, string>>();
  #onEvent: () => void = () => {};

  #watch(session: Session): void {
    const names = new Map<string, string>();
    this.#names.set(session, names);
    session.onEvent((event) => {
      const name = event.type === "prompt_accepted" ? names.get(event.promptId) : undefined;
      if (name !== undefined) this.#accepted.add(name);
      this.#onEvent();
    });
  }

  /**
   * Sends a prompt with its name as its key, and again after each lost connection. Resolves to true if the agent
   * reported the end of its turn.
   */
  async #prompt(name: string, at: number): Promise<boolean> {
    const until = performance.now() + BOUND;
    for (let attempt = 0; performance.now() < until; attempt += 1) {
      try {
        const { session } = await this.#attach((at + (attempt > 2 ? attempt : 0)) % 2);
        const turn = session.prompt(name, { idempotencyKey: name });
        this.#names.get(session)?.set(turn.promptId, name);
        const { stopReason, error, agentConfirmed } = await turn.ended;
        if (error?.code === -32002) {
          // The gateway has lost the session, so its clients must attach again.
          await this.#attached[at]?.client.close();
          throw error;
        }
        // An agent that already had the prompt does not report the end of its turn.
        if (stopReason === "end_turn" && agentConfirmed && attempt === 0) this.#ended.add(name);
        return agentConfirmed;
      } catch {
        await pause(100);
      }
    }
    this.losses.hanging.push(name);
    return false;
  }

  /**
   * Causes a fault when this number of events has arrived. The returned function causes the fault if fewer events came, and
   * settles after the repair.
   */
  #faultAt(
    moment: number,
    { fault, target, diedAt }: { readonly fault: Fault; readonly target: 0 | 1; readonly diedAt: { ms: number } },
  ): () => Promise<void> {
    let events = 0;
    let repairing: Promise<void> | undefined;
    const begin = () => {
      const died = (): void => {
        diedAt.ms = performance.now();
      };
      repairing ??= cause(this.#world, { fault, target, below: (bound) => this.#below(bound), died });
    };
    this.#onEvent = () => {
      events += 1;
      if (events === moment) begin();
    };
    return async () => {
      this.#onEvent = () => {};
      if (repairing === undefined) begin();
      await repairing;
    };
  }

  /** Compares new attachments at both gateways with the prompts that were acknowledged. */
  async #check(round: string): Promise<void> {
    // A turn whose client has gone may still run.
    const until = performance.now() + SETTLE;
    let faults = await this.#faults();
    while (faults.length > 0 && performance.now() < until) {
      await pause(200);
      faults = await this.#faults();
    }
    for (const fault of faults) note(this.losses.lost, `${round}: ${fault}`);
    if (faults.length > 0) note(this.losses.lost, `faults of this session: ${this.#trail.join(", ")}`);
    const ran = readFileSync(this.#world.ran, "utf8").split("\n").slice(0, -1);
    this.losses.twice.splice(0, this.losses.twice.length, ...ran.filter((name, at) => ran.indexOf(name) !== at));
  }

  async #faults(): Promise<readonly string[]> {
    const fresh = await Promise.all(this.#world.gateways.map((one) => patiently(() => one.attach(this.#id))));
    const states = fresh.map(({ session }) => session.state);
    await Promise.all(fresh.map(({ client }) => client.close()));
    return historyFaults(states, { accepted: this.#accepted, ended: this.#ended });
  }

  #gateway(at: number): KilledGateway {
    return this.#world.gateways[at as 0 | 1];
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }

  #pick<T>(all: readonly T[]): T {
    return all[this.#below(all.length)] as T;
  }
}

function note(list: string[], fault: string): void {
  if (!list.includes(fault)) list.push(fault);
}

/** Repeats a step until it succeeds. After a time in which every fault is repaired, throws the last error. */
async function patiently<T>(act: () => Promise<T>): Promise<T> {
  const until = performance.now() + BOUND;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (performance.now() > until) throw error;
      await pause(100);
    }
  }
}

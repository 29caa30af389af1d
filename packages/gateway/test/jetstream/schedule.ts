import { isSessionLogError } from "@turnkit/agent";
import type { SessionEvent } from "@turnkit/session";
import type { Ownership } from "../../src/engine.js";
import type { Messenger } from "../../src/jetstream/messenger.js";
import { StoredEngine } from "../../src/jetstream/stored-engine.js";
import { ModelServer } from "./model-server.js";
import { type Faults, modelStore } from "./model-store.js";
import { Process, World } from "./model-world.js";
import { Ledger } from "./schedule-ledger.js";

const TTL_MS = 1_000;
const CALM: Faults = { lostRequest: 0, lostAnswer: 0, slow: 0, slowMs: 0 };
const SESSION = "s";

/** Messages to nobody: the schedules are about the log. */
const NOBODY: Messenger = {
  maxBytes: 1024,
  send: () => undefined,
  listen: () => () => undefined,
  ask: () => Promise.reject(new Error("nobody listens")),
};

/** Result of a schedule. */
export type Outcome = {
  readonly problems: readonly string[];
  readonly acknowledged: number;
  readonly ownerships: number;
};

/**
 * Lets several processes open, write, read and sometimes delete one session, on a server and a network with faults. The same
 * seed gives the same schedule.
 */
// NATS-12
export async function runSchedule(seed: number): Promise<Outcome> {
  const schedule = new Schedule(seed);
  await schedule.run();
  const { ledger, server } = schedule;
  return {
    problems: [...ledger.problems, ...server.broken],
    acknowledged: ledger.acknowledged,
    ownerships: ledger.last,
  };
}

class Schedule {
  readonly world: World;
  readonly server = new ModelServer();
  readonly ledger = new Ledger();
  readonly #faults: Faults;
  readonly #deletes: boolean;
  #processes: Process[] = [];
  #started = 0;
  #isOver = false;

  constructor(seed: number) {
    this.world = new World(seed);
    const { random } = this.world;
    const rate = random.pick([0, 0.02, 0.1, 0.3]);
    this.#faults = {
      lostRequest: rate,
      lostAnswer: rate,
      slow: random.pick([0, 0.05, 0.3]),
      slowMs: random.pick([50, 400, 2_500]),
    };
    this.#deletes = random.chance(0.3);
  }

  async run(): Promise<void> {
    const { world } = this;
    for (let number = 0; number < 2 + world.random.below(2); number += 1) this.#start();
    this.#disturb();
    const end = 2_000 + world.random.below(6_000);
    await world.run(() => world.time >= end);
    this.#isOver = true;
    for (const process of this.#processes) process.isDead = true;
    let isChecked = false;
    world.after(4 * TTL_MS, () => void this.#checkAtTheEnd().then(() => (isChecked = true)));
    await world.run(() => isChecked);
  }

  /** Starts a process that works with the session until it ends. */
  #start(): void {
    const process = new Process(this.world);
    this.#processes.push(process);
    void this.#work(process, this.#engine(process));
  }

  #engine(process: Process): StoredEngine {
    this.#started += 1;
    const number = this.#started;
    const faults = () => (this.#isOver ? CALM : this.#faults);
    const store = modelStore({ world: this.world, server: this.server, process, number, faults });
    const layout = { name: "acp", tenant: "t", streams: 1, hash: async () => "00000000" };
    let names = 0;
    const newName = () => {
      names += 1;
      return `${number}:${names}`;
    };
    const settings = { ttlMs: TTL_MS, pageSize: 2, snapshotEvents: 6, mayBeCut: false, clock: process.clock, newName };
    return new StoredEngine(async () => ({ ...store, layout, messenger: NOBODY }), settings);
  }

  async #work(process: Process, engine: StoredEngine): Promise<void> {
    const { random } = this.world;
    while (!process.isDead) {
      await this.#pause(process, random.below(random.chance(0.2) ? 2 * TTL_MS : 100));
      const choice = random.below(10);
      if (this.#deletes && choice === 0) await this.#delete(engine);
      else if (choice < 3) await this.#read(engine);
      else await this.#own(process, engine);
    }
  }

  async #own(process: Process, engine: StoredEngine): Promise<void> {
    const { random } = this.world;
    const info = random.chance(0.5) && !this.ledger.isMade ? { sessionId: SESSION, cwd: "/work" } : undefined;
    const owner = await engine.open(SESSION, info).catch(() => undefined);
    if (owner === undefined) return;
    const number = this.ledger.opened();
    let isDone = false;
    const renew = (): void => {
      if (isDone) return;
      void owner.renew().catch(() => undefined);
      process.later(TTL_MS / 3, renew);
    };
    process.later(TTL_MS / 3, renew);
    await this.#write(process, owner, number).catch((error: unknown) => {
      if (!isSessionLogError(error)) this.ledger.problems.push(`an error of another kind: ${String(error)}`);
    });
    isDone = true;
    await Promise.resolve(owner[Symbol.asyncDispose]()).catch(() => undefined);
  }

  async #write(process: Process, owner: Ownership, number: number): Promise<void> {
    const { random } = this.world;
    let made = 0;
    for (let bursts = random.below(8); bursts > 0; bursts -= 1) {
      const events: string[] = [];
      for (let count = 1 + random.below(6); count > 0; count -= 1) {
        made += 1;
        events.push(`${number}.${made}`);
        void owner.append(eventOf(`${number}.${made}`, random.chance(0.1) ? random.below(600) : 0));
        if (random.chance(0.2)) await this.#pause(process, random.below(20));
      }
      await owner.commit();
      this.ledger.acknowledge(events);
      if (random.chance(0.3)) await this.#pause(process, random.below(random.chance(0.2) ? 2 * TTL_MS : 300));
    }
  }

  async #delete(engine: StoredEngine): Promise<void> {
    this.ledger.deleted();
    await engine.delete(SESSION).catch(() => undefined);
    this.ledger.deleted();
  }

  async #read(engine: StoredEngine): Promise<void> {
    const expected = this.ledger.expected();
    try {
      this.ledger.check(await readAll(engine), expected);
    } catch (error) {
      if (!isSessionLogError(error)) this.ledger.problems.push(`an error of another kind: ${String(error)}`);
    }
  }

  /** Lets processes sleep or end, and the server start again. */
  #disturb(): void {
    const { world } = this;
    const { random } = world;
    world.after(50 + random.below(1_500), () => {
      if (this.#isOver) return;
      const process = random.pick(this.#processes as [Process, ...Process[]]);
      const choice = random.below(4);
      if (choice === 0) this.server.restart();
      else if (choice < 3) process.sleep(random.below(3 * TTL_MS), random.chance(0.4));
      else {
        process.isDead = true;
        // A deletion of this process may still be carried out.
        if (this.#deletes) this.ledger.deleted();
        this.#processes = this.#processes.filter((one) => one !== process);
        this.#start();
      }
      this.#disturb();
    });
  }

  async #checkAtTheEnd(): Promise<void> {
    const process = new Process(this.world);
    const engine = this.#engine(process);
    const { ledger } = this;
    if (!ledger.isMade) return;
    try {
      // The first attempt only sees the last owner.
      await engine.open(SESSION).catch(() => undefined);
      await this.#pause(process, 2 * TTL_MS);
      const owner = await engine.open(SESSION);
      await owner[Symbol.asyncDispose]();
      ledger.check(await readAll(engine), ledger.expected());
    } catch (error) {
      if (!(this.#deletes && isSessionLogError(error, "not_found")))
        ledger.problems.push(`at the end: ${String(error)}`);
    }
  }

  #pause = (process: Process, ms: number): Promise<void> => new Promise((resolve) => process.later(ms, resolve));
}

/** Event with a text that every form of the log keeps. */
const eventOf = (text: string, padding: number): SessionEvent => ({
  type: "agent_message_chunk",
  messageId: text,
  content: { type: "text", text: `<${text}>${"x".repeat(padding)}` },
});

async function readAll(engine: StoredEngine): Promise<string[]> {
  const found: string[] = [];
  for await (const event of engine.read(SESSION)) {
    for (const [, text = ""] of JSON.stringify(event).matchAll(/<(\d+\.\d+)>/g)) found.push(text);
  }
  return found;
}

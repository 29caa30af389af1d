import { createMemoryLog } from "@turnkit/agent";
import { createSessionState, reduce } from "@turnkit/session";
import { createRandom, installManualClock, type ManualClock } from "@turnkit/testing";
import { expect, it, onTestFinished } from "vitest";
import { createMemoryEngine, type Engine } from "../src/index.js";
import { attach, clientOf, type DialectName, gatewayOf } from "./attached-clients.js";
import { mortal } from "./mortal-engine.js";
import { viewOf } from "./view.js";

/** Rounds of each law. In two of three, a gateway dies. A long run: GATEWAY_ROUNDS=30 GATEWAY_SEEDS=300 vitest run … */
const ROUNDS = Number(process.env.GATEWAY_ROUNDS ?? 10);
const TTL = 9_000;
const GATEWAYS = 3;
const CLIENTS = 6;
const DIALECTS: readonly DialectName[] = ["v1", "v2", "seed"];

type Session = Awaited<ReturnType<typeof attach>>;
type Process = ReturnType<typeof gatewayOf> & { die(): void; readonly name: string };
type Watcher = { readonly session: Session; readonly at: Process; readonly dialect: DialectName };

/** Gateways on one engine, clients of one session at all of them, and a clock that the test moves. */
class Law {
  readonly random: ReturnType<typeof createRandom>;
  readonly clock: ManualClock;
  readonly shared: Engine = createMemoryEngine({ ttlMs: TTL });
  readonly store = createMemoryLog();
  /** Number of times that the agent has begun each prompt. */
  readonly ran = new Map<string, number>();
  processes: Process[] = [];
  watchers: Watcher[] = [];
  id = "";
  #words = 0;
  #names = 0;

  constructor(seed: number) {
    this.random = createRandom(seed);
    this.clock = installManualClock();
    onTestFinished(() => this.clock.uninstall());
  }

  pick<T>(items: readonly T[]): T {
    return items[this.random.below(items.length)] as T;
  }

  start(): Process {
    const { engine, die } = mortal(this.shared);
    const opened = gatewayOf(
      {
        log: this.store,
        prompt: async (turn) => {
          const [{ text: words }] = turn.prompt as unknown as readonly [{ readonly text: string }];
          this.ran.set(words, (this.ran.get(words) ?? 0) + 1);
          for (let events = 0; events < 12 && !turn.signal.aborted; events += 1) {
            this.#words += 1;
            if (events % 4 === 3) turn.toolCall({ title: `call-${this.#words}.` }).finish();
            else await (events % 3 === 2 ? turn.think : turn.say).call(turn, `word-${this.#words}. `);
            await new Promise((resolve) => setTimeout(resolve, 10));
          }
        },
      },
      { log: () => engine, onDiagnostic: () => undefined },
    );
    this.#names += 1;
    const made = { ...opened, die, name: `gateway-${this.#names}` };
    this.processes.push(made);
    return made;
  }

  async watch(at: Process, dialect: DialectName): Promise<void> {
    const client = clientOf(at.gateway, dialect, { name: at.name });
    const joining = client.then((joined) => attach(joined, this.id));
    joining.catch(() => undefined);
    await this.clock.advance(TTL * 2);
    this.watchers.push({ session: await joining, at, dialect });
  }

  /** A process dies: its gateway, its agents, and the connections of its clients. */
  kill(dead: Process): void {
    dead.die();
    this.processes = this.processes.filter((one) => one !== dead);
    this.watchers = this.watchers.filter(({ at }) => at !== dead);
    void dead.gateway.close();
    for (const agent of dead.agents) void agent.close();
  }

  async stored(): Promise<ReturnType<typeof createSessionState>> {
    let state = createSessionState();
    for await (const event of this.shared.read(this.id)) state = reduce(state, event);
    return state;
  }
}

const textOf = (session: Pick<Session, "state">): string => JSON.stringify(viewOf(session.state));
const tokensIn = (text: string): string[] => text.match(/(?:word|call|prompt)-\d+\./g) ?? [];

it.each(Array.from({ length: Number(process.env.GATEWAY_SEEDS ?? 4) }, (_, at) => at + 1))(
  "NATS-08 NATS-12 clients of several gateways lose nothing and get nothing twice, whenever an owner dies (seed %i)",
  async (seed) => {
    const law = new Law(seed);
    const first = law.start();
    while (law.processes.length < GATEWAYS) law.start();
    const opener = await (await clientOf(first.gateway)).newSession({ cwd: "/work" });
    law.id = opener.id;
    while (law.watchers.length < CLIENTS) {
      await law.watch(law.pick(law.processes), DIALECTS[law.watchers.length % 3] as DialectName);
    }
    /** Everything that a client has seen that was not at a gateway that died with it. */
    const seen = new Set<string>();
    const acknowledged = new Set<string>();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const words = `prompt-${round}.`;
      const author = law.pick(law.watchers);
      const key = { idempotencyKey: `key-${round}` };
      const turn = author.session.prompt(words, author.dialect === "v2" ? key : {});
      turn.ended.catch(() => undefined);
      let isAccepted = false;
      void turn.accepted.then(
        () => {
          isAccepted = true;
        },
        () => undefined,
      );
      await law.clock.advance(law.random.below(150));
      const dead = law.random.below(3) === 0 ? undefined : law.pick(law.processes);
      if (dead !== undefined) {
        law.kill(dead);
        law.start();
      }
      await law.clock.advance(TTL * 3);
      const isAlive = law.watchers.includes(author);
      if (isAccepted && (author.dialect === "v2" || isAlive)) acknowledged.add(words);
      while (law.watchers.length < CLIENTS) await law.watch(law.pick(law.processes), law.pick(DIALECTS));
      if (!isAlive && author.dialect === "v2" && law.random.below(2) === 0) {
        // The client comes back at another gateway, and sends its prompt again.
        const again = law.watchers.find(({ dialect }) => dialect === "v2");
        const retry = again?.session.prompt(words, key);
        retry?.ended.catch(() => undefined);
        await law.clock.advance(TTL);
      }
      for (const { session } of law.watchers) for (const token of tokensIn(textOf(session))) seen.add(token);
    }
    await law.clock.advance(TTL);
    const stored = tokensIn(textOf({ state: await law.stored() }));
    expect(new Set(stored).size, "doubled in the log").toBe(stored.length);
    expect(
      [...seen].filter((token) => !stored.includes(token)),
      "seen and lost",
    ).toEqual([]);
    expect(
      [...acknowledged].filter((token) => !stored.includes(token)),
      "acknowledged and lost",
    ).toEqual([]);
    expect(
      [...law.ran].filter(([, times]) => times > 1),
      "ran twice",
    ).toEqual([]);
    for (const { session, dialect } of law.watchers) {
      const tokens = tokensIn(textOf(session));
      expect(
        [...new Set(stored)].filter((token) => !tokens.includes(token)),
        `missing at ${dialect}`,
      ).toEqual([]);
      expect(tokens.length, `doubled at ${dialect}`).toBe(stored.length);
      expect(session.state.activity.state).toBe("idle");
    }
    for (const dialect of DIALECTS) {
      const views = law.watchers.filter((one) => one.dialect === dialect).map(({ session }) => textOf(session));
      for (const view of views) expect(view).toBe(views[0]);
    }
  },
  60_000,
);

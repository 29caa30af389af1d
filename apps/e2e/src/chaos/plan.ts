import { type BytePairFaults, createRandom, type Dialect, type FaultPlan, type Random } from "@turnkit/testing";

/**
 * Process that is killed. `agent itself` kills itself in the middle of a tick. The others are killed from outside, at any
 * moment.
 */
export type Victim = "nobody" | "agent itself" | "agent" | "client" | "both";

/** One client and one agent process, up to the end of one of them. */
export type Life = {
  readonly victim: Victim;
  /** Number of frames, of both directions, after which the kill comes. */
  readonly atFrame: number;
  readonly turns: number;
  /** Indices of the turns of this life that are cancelled at their first update. */
  readonly cancelled: readonly number[];
  readonly faults?: FaultPlan;
  readonly bytes?: BytePairFaults;
  /** True if frames may get lost, doubled or changed. Answers may then never arrive, and the transcript may differ. */
  readonly lossy: boolean;
  /** True if the agent has a child process that ignores SIGTERM. */
  readonly stubbornChild: boolean;
};

/** One conversation over several lives. A last life without faults checks the result. */
export type ConversationPlan = {
  readonly seed: number;
  readonly index: number;
  readonly dialect: Dialect;
  readonly lives: readonly Life[];
};

/**
 * Returns the plan of a conversation. The same seed and index give the same plan, but the exact moment of a kill from
 * outside depends on the machine.
 */
export function planConversation(seed: number, index: number): ConversationPlan {
  const random = createRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  const dialect = random.pick<Dialect>(["v1", "v2", "seed"]);
  const lives = Array.from({ length: 1 + random.below(2) }, () => planLife(random));
  return { seed, index, dialect, lives };
}

/** A life in which nothing goes wrong. */
export const calm: Life = { victim: "nobody", atFrame: 0, turns: 1, cancelled: [], lossy: false, stubbornChild: false };

function planLife(random: Random): Life {
  const victim = random.pick<Victim>(["nobody", "agent itself", "agent", "agent", "client", "client", "both"]);
  const life = {
    victim,
    atFrame: 1 + random.below(60),
    turns: 1 + random.below(5),
    cancelled: Array.from({ length: 5 }, (_, turn) => turn).filter(() => random.chance(0.15)),
    stubbornChild: random.chance(0.1),
  };
  return { ...life, ...planFaults(random) };
}

function planFaults(random: Random): Pick<Life, "faults" | "bytes" | "lossy"> {
  const seed = random.below(2 ** 31);
  const late = { seed, delay: random.chance(0.5) ? 0.2 : 0, reorder: random.chance(0.5) ? 0.2 : 0, longestDelay: 4 };
  const split = { seed, split: 1 + random.below(40) };
  switch (random.below(8)) {
    case 0:
      return { lossy: false };
    case 1:
    case 2:
      return { faults: late, lossy: false };
    case 3:
      return { faults: late, bytes: { toFirst: split, toSecond: { ...split, seed: ~seed } }, lossy: false };
    case 4:
      return { faults: { ...late, garble: 0.05, duplicate: 0.03 }, lossy: true };
    case 5:
      return { faults: { ...late, duplicate: 0.1 }, lossy: true };
    case 6:
      return { faults: { ...late, cutAfter: 1 + random.below(60) }, lossy: true };
    default:
      return {
        bytes: { toFirst: { ...split, garble: 0.001 }, toSecond: { ...split, cutAfter: 1 + random.below(8_000) } },
        lossy: true,
      };
  }
}

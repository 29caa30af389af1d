import { type Frame, isCall, nameOf } from "./frame.js";
import { createRandom, type Random } from "./random.js";

/** Kind of a fault. */
export type FaultKind = "delay" | "reorder" | "duplicate" | "garble" | "cut";

/**
 * Faults to inject. `delay`, `reorder`, `duplicate`, `garble` and `cut` are probabilities for every message, from 0 (the
 * default) to 1.
 */
export type FaultPlan = {
  /** Seed of the random decisions. The same seed and messages give the same faults in each direction. */
  readonly seed: number;
  /** Probability that a message and all later messages arrive some turns of the event loop later. */
  readonly delay?: number;
  /**
   * Probability that a message is delayed and calls of other sessions arrive before it. Messages of one session stay in
   * order.
   */
  readonly reorder?: number;
  /** Probability that a message arrives twice. */
  readonly duplicate?: number;
  /** Probability that one value in a message changes. A received message may also become invalid JSON. */
  readonly garble?: number;
  /** Probability that the channel ends instead of sending a message. All messages that have not arrived are lost. */
  readonly cut?: number;
  /** Number of messages in both directions after which the channel ends. */
  readonly cutAfter?: number;
  /** Direction of the faults. @defaultValue `both` */
  readonly direction?: "sent" | "received" | "both";
  /**
   * Longest delay, in turns of the event loop.
   *
   * @defaultValue 8
   */
  readonly longestDelay?: number;
};

/** Fault that was injected. */
export type InjectedFault = {
  readonly kind: FaultKind;
  readonly direction: "sent" | "received";
  /** Number of the message in its direction, counted from 0. */
  readonly at: number;
  /** Label of the message. */
  readonly message: string;
};

/** Faults of one message. */
export type Fate = {
  readonly turns: number;
  readonly mayBeOvertaken: boolean;
  readonly copies: 1 | 2;
  readonly garbled: boolean;
  readonly cut: boolean;
};

const usualLongestDelay = 8;

/** Decision about the faults of one direction. It depends on the seed and on the number of the message. */
export class FateMaker {
  /** Random numbers for garbled messages. A separate sequence keeps the faults of later messages the same. */
  readonly garbler: Random;
  readonly #random: Random;
  readonly #plan: FaultPlan;
  readonly #direction: InjectedFault["direction"];
  readonly #note: (fault: InjectedFault) => void;
  #count = 0;

  constructor(plan: FaultPlan, direction: InjectedFault["direction"], note: (fault: InjectedFault) => void) {
    this.#plan = plan;
    this.#direction = direction;
    this.#note = note;
    // Separate seeds, so that one direction does not affect the other.
    const seed = direction === "sent" ? plan.seed : plan.seed ^ 0x5bd1e995;
    this.#random = createRandom(seed);
    this.garbler = createRandom(~seed);
  }

  next(message: unknown): Fate {
    const { delay = 0, reorder = 0, duplicate = 0, garble = 0, cut = 0, direction = "both" } = this.#plan;
    const { longestDelay = usualLongestDelay } = this.#plan;
    const at = this.#count++;
    const isMeant = direction === "both" || direction === this.#direction;
    const happens = (kind: FaultKind, probability: number): boolean => {
      // Always drawn, so that later faults do not depend on this decision.
      const happening = this.#random.chance(probability) && isMeant;
      if (happening) this.#note({ kind, direction: this.#direction, at, message: nameOf(message) });
      return happening;
    };
    const turns = 1 + this.#random.below(longestDelay);
    const fate = { cut: happens("cut", cut), garbled: happens("garble", garble) };
    const copies = happens("duplicate", duplicate) ? 2 : 1;
    const isLate = happens("delay", delay);
    const mayBeOvertaken = happens("reorder", reorder);
    return { ...fate, copies, mayBeOvertaken, turns: isLate || mayBeOvertaken ? turns : 0 };
  }
}

/** Returns the session id of a call. A call may only overtake calls of other sessions. */
export function sessionOf(message: unknown): string | undefined {
  if (typeof message !== "object" || message === null || !isCall(message as Frame)) return undefined;
  const id: unknown = (message as Frame).params?.sessionId;
  return typeof id === "string" ? id : undefined;
}

const otherValues = [null, 0, "", -1.5, true, [], {}, "\u0000"] as const;

/** Returns a copy of a message in which one value is changed or removed. */
export function garbled(message: unknown, random: Random): unknown {
  if (typeof message !== "object" || message === null) return random.pick(otherValues);
  const names = Object.keys(message);
  if (names.length === 0) return random.pick(otherValues);
  const name = names[random.below(names.length)] as string;
  const copy = (Array.isArray(message) ? [...message] : { ...message }) as Record<string, unknown>;
  const choice = random.below(4);
  if (choice === 0) delete copy[name];
  else copy[name] = choice === 1 ? random.pick(otherValues) : garbled(copy[name], random);
  return copy;
}

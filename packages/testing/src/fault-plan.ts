import { type Frame, isCall, nameOf } from "./frame.js";
import { createRandom, type Random } from "./random.js";

/** What can go wrong with a message. */
export type FaultKind = "delay" | "reorder" | "duplicate" | "garble" | "cut";

/** Which faults to inject, and how often: each a probability per message, from 0 (the default) to 1. */
export type FaultPlan = {
  /** The same seed makes the same faults for the same messages, each direction by itself. */
  readonly seed: number;
  /** The message, and all that follow it, arrive some turns of the event loop later. */
  readonly delay?: number;
  /** The message waits too, and calls that are of other sessions overtake it: within a session the order stays. */
  readonly reorder?: number;
  /** The message arrives twice. */
  readonly duplicate?: number;
  /** A value somewhere in it is another one; when received it may also be no JSON any more. */
  readonly garble?: number;
  /** The channel ends instead, and all that was under way is lost. */
  readonly cut?: number;
  /** The channel ends after so many messages, of both directions. */
  readonly cutAfter?: number;
  /** `both` unless given. */
  readonly direction?: "sent" | "received" | "both";
  /** The longest wait, in turns of the event loop; 8 unless given. */
  readonly longestDelay?: number;
};

/** A fault that was injected. */
export type InjectedFault = {
  readonly kind: FaultKind;
  readonly direction: "sent" | "received";
  /** Counts the messages of its direction, from 0. */
  readonly at: number;
  /** In a few words, the message that it befell. */
  readonly message: string;
};

/** What is to happen with one message. */
export type Fate = {
  readonly turns: number;
  readonly mayBeOvertaken: boolean;
  readonly copies: 1 | 2;
  readonly garbled: boolean;
  readonly cut: boolean;
};

const usualLongestDelay = 8;

/** Decides about the messages of one direction; what it decides depends on the seed and on how many came before. */
export class FateMaker {
  /** For what a garbled message becomes; apart, so that it changes nothing for the messages after it. */
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
    // Apart, so that what one side does changes nothing for the other.
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
      // Drawn always, so that one fault more or less does not move the others.
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

/** The session that a call is about: only calls of different sessions may overtake each other. */
export function sessionOf(message: unknown): string | undefined {
  if (typeof message !== "object" || message === null || !isCall(message as Frame)) return undefined;
  const id: unknown = (message as Frame).params?.sessionId;
  return typeof id === "string" ? id : undefined;
}

const otherValues = [null, 0, "", -1.5, true, [], {}, "\u0000"] as const;

/** A copy of a message with one value in it, somewhere, changed, or taken away. */
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

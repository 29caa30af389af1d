import {
  asSentence,
  type Channel,
  type CloseReason,
  checkArgument,
  checkChannel,
  checkOptions,
  type Message,
  type OptionTypes,
  type Receiver,
  type Room,
} from "@turnkit/transport";
import { type Fate, FateMaker, type FaultPlan, garbled, type InjectedFault } from "./fault-plan.js";
import { LateQueue } from "./late-queue.js";

/** Channel with injected faults. */
export interface FaultyChannel extends Channel {
  /** Latest 10 000 injected faults. Put these faults and the seed into the message of a failing test. */
  readonly faults: readonly InjectedFault[];
  /** Ends the channel immediately, like a broken pipe. Messages that have not arrived are lost. */
  cut(): void;
}

/**
 * Wraps a channel and injects the faults of a plan into its messages, in both directions. For faults in bytes, use
 * `createFaultyBytes`.
 *
 * - While 64 or more messages wait, reading pauses, and `send` returns a promise of room.
 * - Use only the returned channel, and not `channel` itself.
 */
export function createFaultyChannel(channel: Channel, plan: FaultPlan): FaultyChannel {
  checkChannel("createFaultyChannel", channel, "pass one end of createMemoryPair()");
  checkArgument(typeof plan?.seed === "number", "createFaultyChannel plan", {
    got: plan,
    remedy: "pass a plan such as { seed: 1 }",
  });
  checkOptions("createFaultyChannel", plan, { ...PLAN, seed: "any" });
  return new HarmfulChannel(channel, plan);
}

const PLAN: OptionTypes<Omit<FaultPlan, "seed">> = {
  ...{ delay: "number", reorder: "number", duplicate: "number", garble: "number", cut: "number", cutAfter: "number" },
  ...{ direction: ["sent", "received", "both"], longestDelay: "number" },
};

type Arrival = { readonly message: unknown; readonly bytes: number; readonly invalidLine?: string };

const highWater = 64;
const mostFaults = 10_000;

class HarmfulChannel implements FaultyChannel {
  readonly faults: InjectedFault[] = [];
  readonly closed: Promise<CloseReason>;
  readonly #channel: Channel;
  readonly #cutAfter: number;
  readonly #fates: Readonly<Record<InjectedFault["direction"], FateMaker>>;
  readonly #leaving: LateQueue<Message>;
  readonly #arriving: LateQueue<Arrival>;
  #settle!: (reason: CloseReason) => void;
  #receiver: Receiver | undefined;
  #passed = 0;
  #paused = false;
  /** True if reading is paused because too many messages wait. */
  #full = false;
  #done = false;
  #end: CloseReason | undefined;
  #room: Promise<void> | undefined;
  #makeRoom: (() => void) | undefined;

  constructor(channel: Channel, plan: FaultPlan) {
    this.#channel = channel;
    this.#cutAfter = plan.cutAfter ?? Number.POSITIVE_INFINITY;
    const note = (fault: InjectedFault): void => {
      if (this.faults.push(fault) > mostFaults) this.faults.shift();
    };
    this.#fates = { sent: new FateMaker(plan, "sent", note), received: new FateMaker(plan, "received", note) };
    this.closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#leaving = new LateQueue(
      (message) => void channel.send(message),
      () => this.#openRoom(),
    );
    this.#arriving = new LateQueue(
      (arrival) => this.#deliver(arrival),
      () => this.#arrived(),
    );
    void channel.closed.then((reason) => this.#ended(reason));
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
    this.#channel.start({
      message: (message, bytes) => this.#receive(message, bytes),
      invalidLine: (sample) => this.#arriving.push({ message: undefined, bytes: 0, invalidLine: sample }, inTime),
    });
  }

  send(message: Message): Room {
    if (this.#done) return undefined;
    const fate = this.#fateOf("sent", message);
    if (fate === undefined) return undefined;
    const sent = fate.garbled ? (garbled(message, this.#fates.sent.garbler) as Message) : message;
    // Without waiting messages, the channel's own promise is exact.
    if (this.#leaving.length === 0 && fate.turns === 0) {
      const room = this.#channel.send(sent);
      return fate.copies === 2 ? this.#channel.send(sent) : room;
    }
    for (let copy = 0; copy < fate.copies; copy++) this.#leaving.push(sent, fate);
    if (this.#leaving.length < highWater) return undefined;
    this.#room ??= new Promise((resolve) => {
      this.#makeRoom = resolve;
    });
    return this.#room;
  }

  pause(): void {
    this.#paused = true;
    this.#arriving.pause();
    this.#channel.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#arriving.resume();
    if (this.#paused) return;
    if (this.#arriving.length === 0) this.#arrived();
    if (!this.#full) this.#channel.resume();
  }

  async close(reason?: CloseReason): Promise<void> {
    if (!this.#done) {
      this.#arriving.drop();
      this.#leaving.flush();
      this.#done = true;
    }
    await this.#channel.close(reason);
    await this.closed;
  }

  cut(): void {
    if (this.#done) return;
    this.#done = true;
    this.#leaving.drop();
    this.#arriving.drop();
    const message = `The test cut the channel after ${this.#passed} messages.`;
    void this.#channel.close({ kind: "failed", message });
  }

  #receive(message: unknown, bytes: number): void {
    if (this.#done) return;
    const fate = this.#fateOf("received", message);
    if (fate === undefined) return;
    const arrival = fate.garbled ? this.#garbledArrival(message, bytes) : { message, bytes };
    for (let copy = 0; copy < fate.copies; copy++) this.#arriving.push(arrival, fate);
    if (this.#arriving.length < highWater || this.#full) return;
    this.#full = true;
    this.#channel.pause();
  }

  #fateOf(direction: InjectedFault["direction"], message: unknown): Fate | undefined {
    const fate = this.#fates[direction].next(message);
    const isCut = fate.cut || this.#passed >= this.#cutAfter;
    if (isCut) this.cut();
    else this.#passed++;
    return isCut ? undefined : fate;
  }

  #garbledArrival(message: unknown, bytes: number): Arrival {
    const { garbler: random } = this.#fates.received;
    const changed = garbled(message, random);
    if (random.chance(0.5)) return { message: changed, bytes };
    const text = JSON.stringify(message, (_key, value) => (typeof value === "bigint" ? String(value) : value)) ?? "";
    return { message: undefined, bytes, invalidLine: text.slice(1, 1 + random.below(200)) };
  }

  #deliver({ message, bytes, invalidLine }: Arrival): void {
    try {
      if (invalidLine !== undefined) this.#receiver?.invalidLine(invalidLine);
      else this.#receiver?.message(message, bytes);
    } catch (cause) {
      const text = asSentence(`The receiver of a message threw: ${String(cause)}`);
      void this.close({ kind: "local", message: text, cause });
    }
  }

  #arrived(): void {
    // The last delivery may have paused reading. The end then waits for `resume`.
    if (this.#paused) return;
    if (this.#end !== undefined) this.#finish(this.#end);
    else if (this.#full && !this.#done) {
      this.#full = false;
      this.#channel.resume();
    }
  }

  #ended(reason: CloseReason): void {
    this.#end = reason;
    this.#leaving.drop();
    // Delayed messages from before the end still arrive, in order.
    if (!this.#done) this.#arriving.flush();
    if (this.#arriving.length === 0) this.#finish(reason);
  }

  #finish(reason: CloseReason): void {
    this.#done = true;
    this.#openRoom();
    this.#settle(reason);
  }

  #openRoom(): void {
    this.#makeRoom?.();
    this.#room = undefined;
    this.#makeRoom = undefined;
  }
}

const inTime = { turns: 0, mayBeOvertaken: false };

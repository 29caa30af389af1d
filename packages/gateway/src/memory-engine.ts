import { createMemoryLog, SessionLogError, type SessionLogWriter } from "@turnkit/agent";
import { Deferred } from "@turnkit/agent/driver";
import type { SessionEvent } from "@turnkit/session";
import { type Channel, checkOptions, type OptionTypes, type Room } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import type { Engine, Ownership } from "./engine.js";

/** Options of {@link createMemoryEngine}. */
export type MemoryEngineOptions = {
  /**
   * Time after which an owner that has not renewed its ownership loses it, in milliseconds.
   *
   * @defaultValue 15 000
   */
  readonly ttlMs?: number;
};

const OPTIONS: OptionTypes<MemoryEngineOptions> = { ttlMs: "number" };

/**
 * Creates an engine in memory, for the gateways of one process. Use it for tests, and for a server with several gateways.
 */
export function createMemoryEngine(options: MemoryEngineOptions = {}): Engine {
  checkOptions("createMemoryEngine", options, OPTIONS);
  const { ttlMs = 15_000 } = options;
  const log = createMemoryLog({ maxSessions: Number.MAX_SAFE_INTEGER });
  const owners = new Map<string, MemoryOwnership>();
  /** Ends the ownership of an owner whose time has passed. */
  const endExpired = async (sessionId: string): Promise<void> => {
    const owner = owners.get(sessionId);
    if (owner?.isOver === true) await owner[Symbol.asyncDispose]();
  };
  return {
    ...log,
    ttlMs,
    async open(sessionId, info) {
      await endExpired(sessionId);
      const writer = await log.open(sessionId, info);
      const ended = (): void => {
        if (owners.get(sessionId) === owner) owners.delete(sessionId);
      };
      const owner: MemoryOwnership = new MemoryOwnership(sessionId, { writer, ttlMs, ended });
      owners.set(sessionId, owner);
      return owner;
    },
    async delete(sessionId) {
      await endExpired(sessionId);
      await log.delete(sessionId);
    },
    async connect(sessionId) {
      const owner = owners.get(sessionId);
      if (owner === undefined || owner.isOver) {
        throw new SessionLogError("not_found", `Session ${sessionId} has no owner.`);
      }
      return owner.connect();
    },
  };
}

type OwnershipParts = {
  readonly writer: SessionLogWriter;
  readonly ttlMs: number;
  readonly ended: () => void;
};

class MemoryOwnership implements Ownership {
  readonly #sessionId: string;
  readonly #parts: OwnershipParts;
  readonly #lost = new Deferred<void>();
  /** This owner's ends of the channels to other gateways. */
  readonly #channels = new Set<Channel>();
  #handler: ((channel: Channel) => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(sessionId: string, parts: OwnershipParts) {
    this.#sessionId = sessionId;
    this.#parts = parts;
    this.#countDown();
  }

  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  /** True when the time without a renewal has passed. */
  get isOver(): boolean {
    return this.#lost.isSettled;
  }

  append(event: SessionEvent): Room {
    this.#mustOwn();
    return this.#parts.writer.append(event);
  }

  async commit(): Promise<void> {
    this.#mustOwn();
    await this.#parts.writer.commit();
  }

  async renew(): Promise<void> {
    this.#mustOwn();
    this.#countDown();
  }

  onConnect(handler: (channel: Channel) => void): void {
    this.#handler = handler;
  }

  onProblem(listener: (message: string, error: unknown) => void): void {
    this.#parts.writer.onProblem?.(listener);
  }

  /** Opens a channel to this owner. Returns the end of the other gateway. */
  connect(): Channel {
    const [theirs, ours] = createMemoryPair();
    try {
      if (this.#handler === undefined) throw new Error("The owner takes no channels yet.");
      this.#handler(ours);
    } catch (cause) {
      throw new SessionLogError("failed", `The owner of session ${this.#sessionId} refused a channel.`, { cause });
    }
    this.#channels.add(ours);
    void ours.closed.then(() => this.#channels.delete(ours));
    return theirs;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    this.#parts.ended();
    await this.#parts.writer[Symbol.asyncDispose]();
    this.#disconnect();
  }

  #countDown(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#lost.resolve();
      this.#disconnect();
    }, this.#parts.ttlMs);
  }

  #disconnect(): void {
    for (const channel of this.#channels) void channel.close();
  }

  #mustOwn(): void {
    if (this.isOver)
      throw new SessionLogError("failed", `The ownership of session ${this.#sessionId} was not renewed in time.`);
  }
}

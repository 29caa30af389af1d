import type { Channel, CloseReason, Message, RequestId } from "../channel.js";
import { createMemoryPair } from "../channels/memory.js";
import { checkOptions, type OptionTypes } from "../check-options.js";
import { AcpError, textOf } from "../errors.js";
import { redactSecrets } from "./redact.js";
import { readWireLog, type WireEntry } from "./wire-log.js";
import { differenceOf, isObjectOrList, WireNames } from "./wire-names.js";

/** Options of {@link createWirePlayer}. */
export type PlayOptions = {
  /**
   * Direction of the log that the player sends. The player waits for the messages of the other direction. With
   * `received`, the player replaces the peer of the recorded side.
   *
   * @defaultValue `received`
   */
  readonly plays?: "received" | "sent";
  /**
   * Returns `true` if a message can replace a recorded message. Ids of requests are never compared.
   *
   * @defaultValue a comparison of the methods and the values after redaction. Other ids (texts of members such as `id`
   * and `sessionId`) may differ from the log, if they differ everywhere in the same way. The player translates all ids.
   */
  readonly fits?: (recorded: unknown, said: unknown) => boolean;
  /**
   * Number of expected messages that may arrive in another order than in the log.
   *
   * @defaultValue 64
   */
  readonly window?: number;
};

const NAMES: OptionTypes<PlayOptions> = { plays: ["received", "sent"], fits: "function", window: "number" };

/** Player of one side of a recorded connection, as a channel for the other side. */
export interface WirePlayer extends Channel {
  /** Descriptions of the expected messages for people, such as `request session/prompt` or `answer`. */
  readonly awaited: readonly string[];
  /**
   * Resolves to `undefined` at the end of the log. Resolves to an error if the player ends before, because of an
   * unexpected message or a close. Never rejects.
   */
  readonly finished: Promise<AcpError | undefined>;
}

/**
 * Creates a channel that plays one side of a log of `recordChannel`. Messages are sent in order and without delays.
 * Each message waits for all earlier messages of the other side.
 *
 * - A message that is not in the log closes the channel as `failed`. The cause is an `AcpError` `wire_log` with methods
 *   and paths, but without values.
 * - Invalid lines are not replayed.
 * - If the log ends with a close of the played side, the player closes the channel.
 * - The end of a process or a pipe is reported as it was recorded.
 *
 * @throws AcpError `wire_log` for an invalid log
 *
 * @example
 * const player = createWirePlayer(await readFile("wire.jsonl", "utf8"));
 * const client = await connect(player, { info }); // then do as the recorded client did
 */
export function createWirePlayer(log: string | readonly WireEntry[], options: PlayOptions = {}): WirePlayer {
  checkOptions("createWirePlayer", options, NAMES);
  const entries = typeof log === "string" ? readWireLog(log) : log;
  const [channel, end] = createMemoryPair();
  const player = new Player(entries, channel, end, options);
  return {
    start(receiver) {
      channel.start(receiver);
      player.start();
    },
    send: (message) => channel.send(message),
    pause: () => channel.pause(),
    resume: () => channel.resume(),
    close: (reason) => channel.close(reason),
    closed: channel.closed.then((reason) => (reason.kind === "remote" ? (player.recordedEnd ?? reason) : reason)),
    finished: player.finished,
    get awaited() {
      return player.awaited;
    },
  };
}

type Wire = { readonly id?: RequestId; readonly method?: string; readonly params?: unknown };

class Player {
  readonly finished: Promise<AcpError | undefined>;
  /** Recorded end of a process or a pipe. */
  recordedEnd: CloseReason | undefined;
  #finish!: (error?: AcpError) => void;
  readonly #entries: readonly WireEntry[];
  readonly #channel: Channel;
  readonly #end: Channel;
  readonly #plays: "received" | "sent";
  readonly #fits: NonNullable<PlayOptions["fits"]>;
  readonly #names = new WireNames();
  readonly #window: number;
  /** Index of the first entry that was neither sent nor received yet. */
  #at = 0;
  /** Indices of entries after `#at` that were already received. */
  readonly #early = new Set<number>();
  /** Current ids of the other side's requests, by recorded id. */
  readonly #ids = new Map<RequestId, RequestId>();
  #isPlaying = false;
  #isOver = false;

  constructor(entries: readonly WireEntry[], channel: Channel, end: Channel, options: PlayOptions) {
    const { plays = "received", window = 64 } = options;
    this.#entries = entries;
    this.#channel = channel;
    this.#end = end;
    this.#plays = plays;
    this.#fits = options.fits ?? ((recorded, said) => this.#differenceOf(recorded, said) === undefined);
    this.#window = window;
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
    void channel.closed.then(({ message }) => {
      this.#isOver = true;
      const left = this.#entries.length - this.#at;
      this.#finish(failure(`The channel was closed before the end of the log, with ${left} entries left: ${message}`));
    });
  }

  get awaited(): readonly string[] {
    return this.#expected().map(({ recorded }) => labelOf(recorded));
  }

  start(): void {
    this.#end.start({
      message: (message) => {
        try {
          this.#receive(message);
        } catch (cause) {
          this.#stop(`The ${labelOf(message)} of the other side cannot be compared with the log: ${textOf(cause)}`);
        }
      },
      invalidLine: () => undefined,
    });
    void this.#play();
  }

  /** Sends the messages of the log up to the next expected message. */
  async #play(): Promise<void> {
    if (this.#isPlaying) return;
    this.#isPlaying = true;
    for (let entry = this.#entries[this.#at]; entry && !this.#isOver; entry = this.#entries[this.#at]) {
      if ("closed" in entry) {
        this.#playEnd(entry.closed);
        break;
      }
      const said = this.#plays in entry;
      if (!said && isMessage(entry) && !this.#early.delete(this.#at)) break;
      this.#at += 1;
      if (said && !(await this.#say(messageOf(entry)))) return;
    }
    this.#isPlaying = false;
    if (this.#at >= this.#entries.length && !this.#isOver) this.#finish();
  }

  /** Sends a recorded message. Returns `false` and ends the replay if it cannot be sent, for example because of its size. */
  async #say(recorded: unknown): Promise<boolean> {
    try {
      await this.#end.send(this.#translated(recorded));
      return true;
    } catch (cause) {
      this.#stop(`The ${labelOf(recorded)} of the log cannot be replayed: ${textOf(cause)}`);
      return false;
    }
  }

  #playEnd(reason: CloseReason): void {
    this.#at = this.#entries.length;
    this.#finish();
    const byRecorded = reason.kind === "local";
    if (byRecorded !== (this.#plays === "sent")) return;
    if (!byRecorded) this.recordedEnd = reason;
    void this.#end.close();
  }

  /** Finds the recorded entry of a message, and continues the replay. */
  #receive(said: unknown): void {
    const expected = this.#expected();
    const found = expected.find(({ recorded }) => this.#agree(recorded as Wire, said as Wire));
    if (found === undefined) return this.#fail(said, expected[0]?.recorded);
    this.#early.add(found.index);
    this.#learn(found.recorded, said);
    const { id, method } = (found.recorded ?? {}) as Wire;
    if (method !== undefined && id !== undefined) this.#ids.set(id, (said as Wire).id as RequestId);
    void this.#play();
  }

  /** Returns the entries that can match the next message, oldest first. */
  #expected(): readonly { readonly index: number; readonly recorded: unknown }[] {
    const found: { index: number; recorded: unknown }[] = [];
    for (let index = this.#at; index < this.#entries.length && found.length < this.#window; index++) {
      const entry = this.#entries[index] as WireEntry;
      if (isMessage(entry) && !(this.#plays in entry) && !this.#early.has(index)) {
        found.push({ index, recorded: messageOf(entry) });
      }
    }
    return found;
  }

  #agree(recorded: Wire, said: Wire): boolean {
    if (!isObjectOrList(recorded) || !isObjectOrList(said)) return this.#fits(recorded, said);
    if (recorded.method !== said.method || "id" in recorded !== "id" in said) return false;
    // Answers belong to requests of this side, which are sent with their recorded ids.
    if (recorded.method === undefined && recorded.id !== said.id) return false;
    if (recorded.method === "$/cancel_request") {
      const { requestId } = (recorded.params ?? {}) as { requestId?: RequestId };
      return this.#ids.get(requestId as RequestId) === (said.params as { requestId?: RequestId })?.requestId;
    }
    const { id: _, ...one } = recorded;
    const { id: __, ...other } = said;
    return this.#fits(one, other);
  }

  /** Returns a recorded message with current ids. An answer gets the id of its request. */
  #translated(message: unknown): Message {
    if (!isObjectOrList(message) || Array.isArray(message)) return message as Message;
    const { id, ...rest } = message as Wire;
    const said = { ...message, ...(this.#names.renamed(rest) as object) };
    return (id === undefined || "method" in message ? said : { ...said, id: this.#ids.get(id) ?? id }) as Message;
  }

  #learn(recorded: unknown, said: unknown): void {
    if (!isObjectOrList(recorded) || !isObjectOrList(said)) return;
    const [{ id: _, ...one }, { id: __, ...other }] = [recorded, said];
    this.#names.learn(one, other);
  }

  #differenceOf(recorded: unknown, said: unknown): readonly string[] | undefined {
    return differenceOf(recorded, redactSecrets(said), this.#names);
  }

  #fail(said: unknown, next: unknown): void {
    const where = isObjectOrList(next) && isObjectOrList(said) && (next as Wire).method === (said as Wire).method;
    const path = where ? this.#differenceOf(next, said) : undefined;
    const waited = next === undefined ? "nothing more" : labelOf(next);
    this.#stop(
      `The log has ${waited} here, and the other side sent ${labelOf(said)}${path ? `, different at ${path.join(".")}` : ""}.`,
    );
  }

  /** Ends the replay with an error. */
  #stop(message: string): void {
    const error = failure(message);
    this.#finish(error);
    this.#isOver = true;
    void this.#channel.close({ kind: "failed", message, cause: error });
  }
}

const isMessage = (entry: WireEntry): boolean => "sent" in entry || "received" in entry;

const messageOf = (entry: WireEntry): unknown =>
  "sent" in entry ? entry.sent : (entry as { readonly received?: unknown }).received;

/** Returns a description of a message for people. It contains no values. */
function labelOf(message: unknown): string {
  const { id, method } = (message ?? {}) as Wire;
  if (!isObjectOrList(message) || Array.isArray(message)) return "message that is not an object";
  if (method === undefined) return "error" in message ? "error answer" : "answer";
  if (typeof method !== "string") return "message whose method is not a text";
  return id === undefined ? `notification ${method}` : `request ${method}`;
}

function failure(message: string): AcpError {
  return new AcpError("wire_log", message);
}

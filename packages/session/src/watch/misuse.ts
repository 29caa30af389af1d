import { isObject } from "../codec/read.js";

/** Names of the sides, and the messages that each side never sends. */
const NEVER_SENT: ReadonlyMap<unknown, ReadonlySet<unknown>> = new Map([
  ["client", new Set(["session/update", "session/request_permission"])],
  ["agent", new Set(["initialize", "session/new", "session/load", "session/resume", "session/prompt"])],
]);

const OPENING: ReadonlySet<unknown> = new Set(["session/new", "session/load", "session/resume", "session/fork"]);

/** Reports wrong calls of a watch, each kind once. Without a report, the only sign would be empty sessions. */
export class Misuse {
  readonly #report: (error: TypeError) => void;
  readonly #told = new Set<string>();
  #hasOpening = false;

  constructor(report: (error: TypeError) => void) {
    this.#report = report;
  }

  /** Reports a message that is text or bytes, an unknown side, and a message of the other side. */
  check(message: unknown, from: unknown): void {
    const wrongSide = NEVER_SENT.get(from);
    if (wrongSide === undefined)
      return this.#tell('from is neither "client" nor "agent": pass the side that sent the message.');
    if (typeof message === "string") return this.#tell("the message is a text: pass JSON.parse(text).");
    if (ArrayBuffer.isView(message) || message instanceof ArrayBuffer)
      return this.#tell("the message is bytes: decode them, and pass the parsed message.");
    if (isObject(message) && OPENING.has(message.method)) this.#hasOpening = true;
    if (isObject(message) && wrongSide.has(message.method))
      this.#tell(`a message with the method ${message.method} is not from the ${from}: pass the side that sent it.`);
  }

  /** Reports an update of an unknown session, if the watch has seen no request for any session. */
  unknownSession(): void {
    if (!this.#hasOpening)
      this.#tell(
        "an update belongs to no session: pass all messages of both sides, from initialize and session/new on.",
      );
  }

  #tell(why: string): void {
    if (this.#told.has(why)) return;
    this.#told.add(why);
    this.#report(new TypeError(`watch.message: ${why}`));
  }
}

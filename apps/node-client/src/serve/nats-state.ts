import type { Figures } from "@turnkit/gateway";

export type NatsStateParts = {
  readonly figures: Figures;
  readonly note: (text: string) => void;
  /** Settles when the storage has answered. Rejects with an Error if there is no answer. */
  readonly reach: () => Promise<void>;
  /** Waits before the next request to the storage. */
  readonly pause: () => Promise<void>;
};

const SILENT =
  "does not answer. Most servers of its cluster must run. A session that gets no answer for the time of --takeover is given up.";

/**
 * State of the servers of `--nats`: the connection, and the answers of the storage. Each change is reported as a
 * sentence for people and as a figure.
 */
export class NatsState {
  readonly #parts: NatsStateParts;
  /** False until it is known whether the storage answers on a new connection. */
  #isConnected = true;
  #changes = 0;
  #isSilent = false;
  #isOver = false;

  constructor(parts: NatsStateParts) {
    this.#parts = parts;
    const { figures } = parts;
    figures.set("broker_connected", 1);
    figures.set("broker_answers", 1);
  }

  disconnected(server: string): void {
    this.#isConnected = false;
    this.#changes += 1;
    this.#parts.figures.set("broker_connected", 0);
    this.#parts.note(`The connection to NATS at ${server} is lost. Sessions wait until there is another.`);
  }

  /** Records another connection. Settles when it is known whether the storage answers. */
  async reconnected(server: string): Promise<void> {
    const { figures, note, reach } = this.#parts;
    this.#changes += 1;
    const change = this.#changes;
    figures.set("broker_connected", 1);
    figures.add("broker_reconnects");
    const answers = await reach().then(
      () => true,
      () => false,
    );
    if (change !== this.#changes) return;
    this.#isConnected = true;
    this.#set(answers);
    note(answers ? `NATS at ${server} is connected. Sessions go on.` : `NATS at ${server} is connected, but ${SILENT}`);
  }

  /** Records that the storage answers, or has not answered for a time. */
  answers(answers: boolean): void {
    // Without a connection, and directly after a new connection, another sentence reports the state.
    if (!this.#isConnected || this.#isOver || answers !== this.#isSilent) return;
    this.#set(answers);
    this.#parts.note(
      answers ? "The storage of NATS answers again. Sessions go on." : `NATS is connected, but ${SILENT}`,
    );
  }

  ended(): void {
    this.#isOver = true;
    for (const name of ["broker_connected", "broker_answers"] as const) this.#parts.figures.set(name, 0);
  }

  #set(answers: boolean): void {
    this.#parts.figures.set("broker_answers", answers ? 1 : 0);
    if (this.#isSilent === !answers) return;
    this.#isSilent = !answers;
    if (!answers) void this.#waitForAnswer();
  }

  /** Sends requests to the storage until it answers. Perhaps no session is left that sends requests. */
  async #waitForAnswer(): Promise<void> {
    const { pause, reach } = this.#parts;
    while (this.#isSilent && !this.#isOver) {
      await pause();
      await reach().then(
        () => this.answers(true),
        () => undefined,
      );
    }
  }
}

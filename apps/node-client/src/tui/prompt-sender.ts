import type { Turn } from "@turnkit/client";
import type { Actions } from "./actions.js";
import { type Folds, unfolded } from "./model/folds.js";
import { inputOf } from "./model/text-input.js";
import type { Ui } from "./model/ui.js";
import type { ShownSession } from "./unopened-session.js";

export type PromptSenderOptions = {
  readonly session: () => ShownSession;
  readonly ui: () => Ui;
  readonly change: (change: Partial<Ui>) => void;
  readonly content: Actions["content"];
  readonly remember: (text: string) => void;
  /** Called when a prompt was sent or given back. */
  readonly changed: () => void;
  readonly ended: () => void;
};

/** Sender of the person's prompts. Prompts wait in a queue while the agent works. */
export class PromptSender {
  readonly #options: PromptSenderOptions;
  #turn: Turn | undefined;
  /** Number of prompts whose files are read. */
  #preparing = 0;

  constructor(options: PromptSenderOptions) {
    this.#options = options;
  }

  /** `true` while the files of a prompt are read. */
  get isPreparing(): boolean {
    return this.#preparing > 0;
  }

  get hasTurn(): boolean {
    return this.#turn !== undefined;
  }

  /**
   * Sends a prompt. The prompt returns to the input if one of its files cannot be sent, or if the screen shows another
   * conversation before it is sent.
   */
  async send(text: string): Promise<void> {
    const { content, remember, changed, ended } = this.#options;
    const { folds, reasons: waiting } = this.#options.ui();
    const session = this.#options.session();
    if (text !== "") remember(unfolded(text, folds));
    // A command needs its slash at the start, so no reasons precede it.
    const reasons = text.startsWith("/") ? [] : waiting;
    let turn: Turn;
    this.#preparing += 1;
    try {
      const blocks = await content({ text, folds, reasons });
      if (session !== this.#options.session() || session.state.closed) return this.#giveBack(text, folds);
      turn = session.prompt(blocks);
      if (reasons.length > 0) this.#options.change({ reasons: [] });
      this.#turn = turn;
    } catch (error) {
      this.#giveBack(text, folds);
      throw error;
    } finally {
      this.#preparing -= 1;
      changed();
    }
    // The state contains the end of the turn, even if the agent has died.
    await turn.ended.catch(() => undefined);
    if (this.#turn === turn) this.#turn = undefined;
    ended();
  }

  /** Sends the oldest waiting prompt, if there is one. */
  async sendNext(): Promise<void> {
    const [next, ...queue] = this.#options.ui().queue;
    if (next === undefined) return;
    this.#options.change({ queue });
    await this.send(next);
  }

  /** Returns all waiting prompts to the input, so that none is sent without the person. */
  takeBack(): void {
    const { queue, input } = this.#options.ui();
    if (queue.length === 0) return;
    const waiting = [...queue, input.text].filter((text) => text !== "").join("\n");
    this.#options.change({ queue: [], input: inputOf(waiting) });
  }

  /** Forgets the turn of a session that is no longer shown. */
  forgetTurn(): void {
    this.#turn = undefined;
  }

  /** Puts an unsent prompt back into the input. */
  #giveBack(text: string, folds: Folds): void {
    const { input } = this.#options.ui();
    if (input.text === "") this.#options.change({ input: inputOf(text), folds });
    else this.#options.change({ input: inputOf(`${unfolded(text, folds)}\n${input.text}`) });
  }
}

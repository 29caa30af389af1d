import type { Session, Turn } from "@turnkit/client";
import type { Key } from "./model/key.js";
import { press } from "./model/press.js";
import { createUi, type Effect, type Surroundings, type Ui } from "./model/ui.js";

export type ConversationOptions = {
  readonly session: Session;
  /** Earlier prompts, oldest first. */
  readonly history: readonly string[];
  readonly remember: (text: string) => void;
  /** Called after each change; `soon` for a key. */
  readonly changed: (pace?: "soon") => void;
  /** Reports an error that stays on the screen. */
  readonly fault: (message: string) => void;
  /** Called if the person quits. */
  readonly quit: () => void;
};

/** Controller between the keyboard and a session: keys become commands, and prompts wait for their turn. */
export class Conversation {
  readonly #options: ConversationOptions;
  #ui: Ui;
  #turn: Turn | undefined;
  #startedAt: number | undefined;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#ui = createUi(options.history);
  }

  get ui(): Ui {
    return this.#ui;
  }

  /** Returns `true` during a prompt of this program, and while the agent works by itself. */
  get isWorking(): boolean {
    const { state } = this.#options.session.state.activity;
    return this.#turn !== undefined || state === "running" || state === "requires_action";
  }

  /** Whole seconds since the start of the work. */
  get seconds(): number {
    return this.#startedAt === undefined ? 0 : Math.floor((Date.now() - this.#startedAt) / 1000);
  }

  press(key: Key, place: Surroundings["place"]): void {
    const { state } = this.#options.session;
    const { ui, effects } = press(this.#ui, key, { state, isWorking: this.isWorking, place });
    this.#ui = ui;
    for (const effect of effects) this.#do(effect);
    this.advance();
    this.#options.changed("soon");
  }

  /** Follows a change of the session: sends the next waiting prompt if the agent is free. */
  advance(): void {
    if (this.isWorking) {
      this.#startedAt ??= Date.now();
      return;
    }
    this.#startedAt = undefined;
    const [next, ...queue] = this.#ui.queue;
    if (next === undefined || this.#options.session.state.closed) return;
    this.#ui = { ...this.#ui, queue };
    this.#prompt(next);
  }

  #do(effect: Effect): void {
    const { session, quit } = this.#options;
    switch (effect.type) {
      case "prompt":
        return this.#prompt(effect.text);
      case "cancel":
        return this.#follow(session.cancel());
      case "answer":
        return this.#follow(attempt(() => session.answer(effect.requestId, effect.decision)));
      case "set":
        return this.#follow(session.setConfigOption(effect.configId, effect.value));
      case "quit":
        return quit();
    }
  }

  #prompt(text: string): void {
    const { session, remember, changed } = this.#options;
    remember(text);
    this.#follow(
      attempt(async () => {
        const turn = session.prompt(text);
        this.#turn = turn;
        // The state holds the end, even if the agent has ended.
        await turn.ended.catch(() => undefined);
        if (this.#turn === turn) this.#turn = undefined;
        this.advance();
        changed();
      }),
    );
  }

  #follow(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#options.fault(error instanceof Error ? error.message : String(error)));
  }
}

async function attempt(work: () => unknown): Promise<void> {
  await work();
}

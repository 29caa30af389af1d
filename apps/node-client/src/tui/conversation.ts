import type { Session, Turn } from "@turnkit/client";
import { answerQuestion, descendantsOf, withChildQuestions, workingChildren } from "../child-sessions.js";
import type { Key } from "./model/key.js";
import { press } from "./model/press.js";
import { createUi, type Effect, type Surroundings, type Ui } from "./model/ui.js";

export type ConversationOptions = {
  readonly session: Session;
  /** Prompts of earlier sessions, oldest first. */
  readonly history: readonly string[];
  readonly remember: (text: string) => void;
  /** Called after each change. `soon` means that the person pressed a key. */
  readonly changed: (pace?: "soon") => void;
  /** Reports an error that stays on the screen. */
  readonly fault: (message: string) => void;
  /** Called when the person ends the program. */
  readonly quit: () => void;
};

/**
 * Controller between the keyboard and a session. It turns keys into commands, and sends waiting prompts when their turn
 * comes.
 */
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

  /** `true` during a prompt of this program, and while the agent works without a prompt. */
  get isWorking(): boolean {
    const { state } = this.#options.session.state.activity;
    return this.#turn !== undefined || state === "running" || state === "requires_action";
  }

  /** Number of whole seconds since the work began. */
  get seconds(): number {
    return this.#startedAt === undefined ? 0 : Math.floor((Date.now() - this.#startedAt) / 1000);
  }

  press(key: Key, context: Surroundings["context"]): void {
    const state = withChildQuestions(this.#options.session);
    const children = workingChildren(this.#options.session);
    const { ui, effects } = press(this.#ui, key, { state, children, isWorking: this.isWorking, context });
    this.#ui = ui;
    for (const effect of effects) this.#do(effect);
    this.advance();
    this.#options.changed("soon");
  }

  /** Handles a change of the session. Sends the next waiting prompt if the agent is idle. */
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
        return this.#follow(attempt(() => this.#cancelled(effect.childId)?.cancel()));
      case "answer":
        return this.#follow(attempt(() => answerQuestion(session, effect.requestId, effect.decision)));
      case "set":
        return this.#follow(session.setConfigOption(effect.configId, effect.value));
      case "quit":
        return quit();
    }
  }

  /** Returns the session, or the child session, that a key cancels. The child session may have ended since. */
  #cancelled(childId: string | undefined): Session | undefined {
    const { session } = this.#options;
    return childId === undefined ? session : descendantsOf(session).find(({ id }) => id === childId);
  }

  #prompt(text: string): void {
    const { session, remember, changed } = this.#options;
    remember(text);
    this.#follow(
      attempt(async () => {
        const turn = session.prompt(text);
        this.#turn = turn;
        // The state contains the end of the turn, even if the agent has died.
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

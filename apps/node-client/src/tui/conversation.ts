import { answerQuestion, descendantsOf, type OpenQuestion, questionsOf, workingChildren } from "../child-sessions.js";
import type { Actions } from "./actions.js";
import { type AskedQuestions, createQuestionOrder } from "./asked-questions.js";
import { DecisionKeys, type ShownQuestion } from "./decision-keys.js";
import { MentionFiles } from "./mention-files.js";
import { typedMention } from "./model/completion.js";
import { fromEditor, unfolded, withPastes } from "./model/folds.js";
import type { Key } from "./model/key.js";
import { press } from "./model/press.js";
import { insertFold } from "./model/press-prompt.js";
import { shownQuestion } from "./model/press-question.js";
import { edit, inputOf } from "./model/text-input.js";
import { createUi, type Effect, type Surroundings, type Ui } from "./model/ui.js";
import { PersonCommand } from "./person-command.js";
import { PromptSender } from "./prompt-sender.js";
import { createQuitTimer } from "./quit-timer.js";
import { SessionListing } from "./session-listing.js";
import type { ShellCommand } from "./shell-command.js";
import type { ShownSession } from "./unopened-session.js";

export type ConversationOptions = {
  readonly session: () => ShownSession;
  /** Returns `true` until the first session is open. */
  readonly isStarting?: () => boolean;
  readonly isDead: () => boolean;
  /** Questions that the person has to answer. If absent, the person answers all questions. */
  readonly asked?: Pick<AskedQuestions, "visible">;
  /** Prompts of earlier sessions, oldest first. */
  readonly history: readonly string[];
  readonly remember: (text: string) => void;
  /** Called after each change. `soon` means that the person pressed a key. */
  readonly changed: (pace?: "soon") => void;
  /** Reports an error that stays on the screen. */
  readonly fault: (message: string) => void;
  readonly actions: Actions;
  /** Returns the time in milliseconds. Tests have their own. */
  readonly now?: () => number;
};

/** Controller between the keyboard and a session. It turns keys into commands. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #keys: DecisionKeys;
  readonly #order = createQuestionOrder();
  #ui: Ui;
  #startedAt: number | undefined;
  readonly #command: PersonCommand;
  readonly #files: MentionFiles;
  #isOpening = false;
  readonly #listing: SessionListing;
  readonly #prompts: PromptSender;
  readonly #disarmLater: () => void;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#keys = new DecisionKeys(options.changed, options.now);
    this.#ui = createUi(options.history);
    const show = (change: Partial<Ui>) => {
      this.#change(change);
      options.changed();
    };
    this.#disarmLater = createQuitTimer(() => {
      if (this.#ui.quitArmed) show({ quitArmed: false, notice: undefined });
    });
    this.#command = new PersonCommand(options.actions);
    this.#files = new MentionFiles(options.actions.files, (files) => show({ files }));
    this.#listing = new SessionListing({
      ...{ sessions: options.actions.sessions, current: () => this.#session },
      ...{ shown: () => this.#ui.picker, show: (picker) => show({ picker }) },
    });
    this.#prompts = new PromptSender({
      ...{ session: () => this.#session, ui: () => this.#ui, change: (change) => this.#change(change) },
      ...{ content: (prompt) => options.actions.content(prompt), remember: options.remember },
      changed: options.changed,
      ended: () => {
        this.advance();
        options.changed();
      },
    });
  }

  get ui(): Ui {
    return this.#ui;
  }

  /** Questions that the person has to answer, oldest first. A read also records the order of new questions. */
  get questions(): readonly OpenQuestion[] {
    const questions = questionsOf(this.#session);
    return this.#order(this.#options.asked?.visible(questions) ?? questions);
  }

  /** Command of the person that still runs. */
  get command(): ShellCommand | undefined {
    return this.#command.shown;
  }

  /** `true` while a session is opened, or while the agent starts. */
  get isOpening(): boolean {
    return this.#isOpening;
  }

  /** `true` during a prompt of this program, and while the agent works without a prompt. */
  get isWorking(): boolean {
    const { closed, activity } = this.#session.state;
    const isRunning = activity.state === "running" || activity.state === "requires_action";
    return this.#isOpening || this.#prompts.isPreparing || (!closed && (this.#prompts.hasTurn || isRunning));
  }

  /** Number of whole seconds since the work began. */
  get seconds(): number {
    return this.#startedAt === undefined ? 0 : Math.floor((Date.now() - this.#startedAt) / 1000);
  }

  get #session(): ShownSession {
    return this.#options.session();
  }

  /** `true` while the question on the screen takes no keys, so that the person reads it first. */
  get isNew(): boolean {
    return this.#keys.isNew;
  }

  /** Records the question that the last frame has shown. The position in it is limited to its lines. */
  drawn(shown: ShownQuestion | undefined): void {
    this.#keys.drawn(shown);
    const { question } = this.#ui;
    if (shown === undefined || question.requestId !== shown.requestId) return;
    if (shown.scrolled < question.scrolled) this.#change({ question: { ...question, scrolled: shown.scrolled } });
  }

  press(key: Key, context: Surroundings["context"]): void {
    // The person types and no question is shown. The next question therefore does not replace another question.
    if (this.#keys.shown === undefined) this.#keys.left();
    const begun = this.#keys.interrupt(key);
    if (begun !== undefined) this.#change({ question: { scrolled: 0 }, input: edit(this.#ui.input, begun) });
    const { questions, isWorking } = this;
    const { state } = this.#session;
    const around = {
      ...{ state, questions, isWorking, context, hasCommand: this.#command.isRunning },
      ...{ isDead: this.#options.isDead(), children: workingChildren(this.#session) },
      isStarting: this.#options.isStarting?.() === true,
      isUnseen: this.#keys.isUnseen(shownQuestion(this.#ui, questions)),
      imageIn: (pasted: string) => this.#options.actions.imageIn(pasted),
      page: this.#keys.shown?.page,
    };
    const { ui, effects } = press(this.#ui, key, around);
    const hasChanged = ui.question !== this.#ui.question;
    const isLeft = ui.question.requestId !== this.#keys.shown?.requestId;
    // After an answer, the next question also ignores keys for a moment. Otherwise a key that is pressed twice would
    // answer it too.
    const isAnswer = effects.some(({ type }) => type === "answer");
    if (hasChanged && isLeft && !isAnswer) this.#keys.left();
    this.#ui = ui;
    if (ui.quitArmed) this.#disarmLater();
    this.#listing.check();
    if (typedMention(ui.input) !== undefined) this.#follow(() => this.#files.refresh());
    for (const effect of effects) this.#do(effect);
    if (key.name === "text" && hasChanged && ui.question.decided !== undefined)
      this.#keys.decide(key, () => this.#confirm(context));
    this.advance();
    this.#options.changed("soon");
  }

  /** Confirms the decision of a single key, unless its question is closed. */
  #confirm(context: Surroundings["context"]): void {
    const { question } = this.#ui;
    const shown = shownQuestion(this.#ui, this.questions);
    const isOpen = shown?.question.requestId === question.requestId && !this.#keys.isUnseen(shown);
    if (isOpen && question.decided !== undefined) this.press({ name: "enter" }, context);
  }

  /** Handles a change of the session. Sends the next waiting prompt if the agent is idle. */
  advance(): void {
    const { isWorking } = this;
    this.#startedAt = isWorking ? (this.#startedAt ?? Date.now()) : undefined;
    if (!isWorking && !this.#session.state.closed) this.#follow(() => this.#prompts.sendNext());
  }

  /**
   * Handles the end of the agent. Waiting prompts return to the input, so that none is sent without the person. With
   * `goesOn`, the agent is connected again immediately, as by Enter.
   */
  died(goesOn: boolean): void {
    this.#prompts.takeBack();
    this.#change({ picker: undefined });
    if (goesOn) this.#do({ type: "restart" });
  }

  /** Opens a session. Until it is open, typed prompts wait. */
  async open(open: () => Promise<void>): Promise<void> {
    if (this.#isOpening) return;
    this.#isOpening = true;
    try {
      await open();
      this.#prompts.forgetTurn();
      this.#change({
        question: { scrolled: 0 },
        wantedMode: undefined,
        browser: undefined,
        reasons: [],
        notice: undefined,
      });
      this.#files.forget();
    } finally {
      this.#isOpening = false;
      this.advance();
      this.#options.changed();
    }
  }

  /** Typed and waiting prompts that were not sent, oldest first. */
  get unsent(): readonly string[] {
    const { queue, input, folds } = this.#ui;
    return [...queue, input.text].filter((text) => text !== "").map((text) => unfolded(text, folds));
  }

  async end(): Promise<void> {
    this.#keys.interrupt();
    await this.#command.end();
  }

  #do(effect: Effect): void {
    const { actions } = this.#options;
    switch (effect.type) {
      case "prompt":
        return this.#follow(() => this.#prompts.send(effect.text));
      case "cancel":
        return this.#follow(() => this.#cancelled(effect.childId)?.cancel());
      case "answer":
        if (!this.questions.some(({ question }) => question.requestId === effect.requestId)) return;
        return this.#follow(() => answerQuestion(this.#session, effect.requestId, effect.decision));
      case "set":
        return this.#follow(() => this.#set(effect.configId, effect.value));
      case "open":
        return this.#follow(() => this.open(() => actions.open(effect.session)));
      case "restart":
        return this.#follow(() => this.open(() => actions.restart()));
      case "browse":
        return this.#follow(() => this.#listing.open(effect.filter));
      case "edit":
        return this.#follow(() => this.#edit());
      case "suspend":
        return this.#follow(() => actions.suspend());
      case "run":
        return this.#follow(() => this.#command.run(effect.command, this.#options.changed));
      case "end command":
        return this.#follow(() => this.#command.end());
      case "attach":
        return this.#follow(() => this.#attach());
      case "help":
      case "quit":
        return actions[effect.type]();
    }
  }

  /** Returns the session or child session that a key cancels. The child session may have ended in the meantime. */
  #cancelled(childId: string | undefined): Pick<ShownSession, "cancel"> | undefined {
    const session = this.#session;
    return childId === undefined ? session : descendantsOf(session).find(({ id }) => id === childId);
  }

  async #set(configId: string, value: string | boolean): Promise<void> {
    try {
      await this.#session.setConfigOption(configId, value);
    } finally {
      if (this.#ui.wantedMode === value) this.#change({ wantedMode: undefined });
    }
  }

  async #edit(): Promise<void> {
    const { input, folds } = this.#ui;
    const edited = await this.#options.actions.edit(withPastes(input.text, folds));
    this.#change({ input: inputOf(fromEditor(edited, folds)), completionClosed: true });
    this.#options.changed("soon");
  }

  /**
   * Puts the output of the last command into the prompt. If the command still runs, its output follows after its end.
   */
  async #attach(): Promise<void> {
    if (this.#command.isRunning)
      this.#change({ notice: "The output comes into the prompt when the command has ended." });
    const output = await this.#command.outputAtEnd();
    const notice = output ? undefined : "There is no output yet. A command begins with !";
    this.#ui = { ...(output ? insertFold(this.#ui, output).ui : this.#ui), notice };
    this.#options.changed();
  }

  #change(change: Partial<Ui>): void {
    this.#ui = { ...this.#ui, ...change };
  }

  /** Starts work, and reports its error. */
  #follow(work: () => unknown): void {
    const started = (async () => work())();
    started.catch((error: unknown) => this.#options.fault(error instanceof Error ? error.message : String(error)));
  }
}

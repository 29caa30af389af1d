import { MAX_TIMER_MS } from "@turnkit/transport";
import { Cancellation } from "./cancellation.js";
import type { ChildActivity } from "./child-activity.js";
import type { ChildEnd } from "./child-session.js";
import type { ChildOwner, Children } from "./children.js";
import { shortened } from "./cut-text.js";
import { LiveTurn } from "./live-turn.js";
import type { SessionOutput } from "./session-output.js";
import { type TurnSession, TurnWork } from "./turn-work.js";

/** Child session, as its work uses it. */
type WorkingChild = {
  readonly id: string;
  readonly output: SessionOutput;
  readonly children: Children;
  readonly isEnding: boolean;
};

/** Parts of the work of a child session. */
type ChildWorkParts = {
  readonly owner: ChildOwner;
  readonly activity: ChildActivity;
  readonly cancelGraceMs: number;
};

/** Maximum length of a title in a report, in characters. */
const MAX_SHOWN_TITLE = 200;

/** Work of a child session. Each period of work is a turn without a prompt. */
export class ChildWork {
  readonly #child: WorkingChild;
  readonly #parts: ChildWorkParts;
  #turn: LiveTurn<undefined> | undefined;
  /** Work of the current turn. */
  #work: TurnWork<undefined> | undefined;
  /** Turn that was reported as unfinished. */
  #reported: TurnWork<undefined> | undefined;
  #cancellation = new Cancellation();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(child: WorkingChild, parts: ChildWorkParts) {
    this.#child = child;
    this.#parts = parts;
  }

  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }

  get isRunning(): boolean {
    return this.#work?.isOver === false;
  }

  /** True if the current work is cancelled, or if work that begins now would be cancelled immediately. */
  // P-SUB-13
  get isCancelled(): boolean {
    const { owner } = this.#parts;
    if (this.#work !== undefined) return this.#cancellation.isCancelled;
    return owner.isCancelled && !owner.lists(this.#child.id);
  }

  /**
   * True after the end of the session. Also true between the end of the work by the runtime and the call of `idle()`.
   * If the runtime has ended the work of the parent, this is also true, unless background work lists this child
   * session.
   */
  get isOver(): boolean {
    if (this.#work !== undefined) return this.#work.isOver;
    const { owner } = this.#parts;
    return this.#child.isEnding || (owner.isOver === true && !owner.lists(this.#child.id));
  }

  /** Returns the current turn. Begins a turn if there is none. A turn that is over sends nothing. */
  // P-SUB-08
  begin(): LiveTurn<undefined> {
    if (this.#turn !== undefined) return this.#turn;
    const cancellation = new Cancellation();
    // A child session has no prompts, so the turn never reads the members that only a whole session has.
    const session = this.#child as unknown as TurnSession<undefined>;
    const work = new TurnWork(session, cancellation);
    const turn = new LiveTurn(work, { sessionId: this.#child.id, prompt: [] });
    if (this.isOver) {
      cancellation.cancel("The work is over.");
      work.end();
      return turn;
    }
    if (this.isCancelled) cancellation.cancel("The work of the parent was cancelled.");
    this.#cancellation = cancellation;
    this.#turn = turn;
    this.#work = work;
    this.#parts.activity.begin();
    return turn;
  }

  /** Ends the current turn, which stays until {@link release}. Never throws. */
  end(reason: ChildEnd): void {
    const work = this.#work;
    if (work === undefined || work.isOver) return;
    clearTimeout(this.#timer);
    const { children, output } = this.#child;
    const { isCancelled } = this.#cancellation;
    // The child sessions of a cancelled child session end first.
    if (isCancelled) children.settle();
    // In version 1, clients end only the tool calls of the session that they cancel.
    for (const call of work.openCalls) call.endWithTurn();
    if (!isCancelled) work.leaveStreams();
    work.end();
    output.flush();
    output.endMessage();
    this.#parts.activity.end(isCancelled ? "cancelled" : reason);
    this.#parts.owner.relist();
  }

  /** Lets the next output begin a turn. */
  release(): void {
    this.#turn = undefined;
    this.#work = undefined;
  }

  // P-SUB-12
  cancel(): void {
    if (!this.isRunning || this.#cancellation.isCancelled) return;
    const { cancelGraceMs } = this.#parts;
    // This is done before the signal fires, because its listeners may end the turn.
    if (cancelGraceMs <= MAX_TIMER_MS) this.#timer = setTimeout(() => this.end("cancelled"), cancelGraceMs);
    this.#cancellation.cancel("The work was cancelled.");
  }

  /** Ends a turn that was cancelled and did not end by itself. */
  settle(): void {
    if (this.#cancellation.isCancelled) this.end("cancelled");
  }

  /** Reports the current work if it still runs after the end of the parent's turn. Each work is reported once. */
  reportUnfinished(title: string): void {
    if (!this.isRunning || this.#cancellation.isCancelled || this.#reported === this.#work) return;
    this.#reported = this.#work;
    const name = JSON.stringify(shortened(title, MAX_SHOWN_TITLE));
    const message = `Child session ${name} still works after the end of the turn, and is shown as running.`;
    const advice = "Call idle() when its work is done, or list it with setBackground.";
    this.#child.output.onFault(`${message} ${advice}`, undefined, "unfinished");
  }

  /** Ends the current turn as cancelled, at the end of the session. */
  close(): void {
    this.#cancellation.cancel("The session was closed.");
    this.end("cancelled");
  }
}

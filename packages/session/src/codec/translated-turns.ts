import type { ErrorObject } from "../activity.js";
import type { Calls } from "../call.js";
import type { ContentBlock } from "../content.js";
import type { LocalEvent, WireEvent } from "../event.js";
import type { SessionState } from "../state.js";
import { promptKey } from "../timeline.js";
import type { TurnUpdates, WorkEnd } from "./turn-updates.js";

/**
 * Function that sends a prompt to the agent. `received` is called at receipt of the answer. The promise rejects with
 * the agent's error.
 */
export type AskAgent = (received: (result: Calls["prompt"]["result"]) => void) => Promise<unknown>;

/** Answer to the prompt of a client. If the turn ended with an error, this error becomes an error response. */
// V2-BRG-08
export type PromptAnswer = Calls["prompt"]["result"] & { readonly error?: ErrorObject };

/** Members of the translator that its turns need. */
export type TurnHost = {
  readonly state: SessionState;
  /**
   * Functions that report turns with updates. Present if the client needs such updates and the agent does not send
   * them.
   */
  readonly turns: TurnUpdates | undefined;
  /** `true` if updates of the agent end a turn, while the client expects the end as the answer. */
  readonly endsByUpdate: boolean;
  note(event: LocalEvent): void;
  send(event: WireEvent): void;
};

const CANCELLED: ErrorObject = { code: -32800, message: "Request cancelled" };
const FAILED: ErrorObject = { code: -32603, message: "The turn failed" };

/** Prompts of one session between a client and an agent that report the end of a turn in different ways. */
export class TranslatedTurns {
  readonly #host: TurnHost;
  /** Prompts whose client expects the end of the turn in the answer. */
  readonly #waiting = new Map<string, (end: WorkEnd) => void>();
  #prompts = 0;
  #cancels = 0;
  /** Last turn of an agent that handles one prompt at a time. */
  #last: Promise<void> = Promise.resolve();

  constructor(host: TurnHost) {
    this.#host = host;
  }

  prompt(content: readonly ContentBlock[], ask: AskAgent, isWithdrawn: () => boolean): Promise<PromptAnswer> {
    this.#prompts += 1;
    const promptId = `prompt-${this.#prompts}`;
    const { turns } = this.#host;
    if (this.#host.endsByUpdate) return this.#toTheEnd(promptId, content, ask);
    if (turns === undefined) return asIs(ask);
    const cancels = this.#cancels;
    const isOff = () => cancels !== this.#cancels || isWithdrawn();
    const begin = () => {
      for (const event of turns.begun({ messageId: promptId, content })) this.#host.send(event);
      const answer = ask((end) => this.#host.send(turns.ended({ ...end, stopReason: end.stopReason ?? "end_turn" })));
      return answer.catch((failure: unknown) => this.#host.send(turns.ended(endOf(errorOf(failure)))));
    };
    return this.#inTurn(promptId, begin, isOff);
  }

  /** Withdraws the prompts that are still queued. */
  cancel(): void {
    this.#cancels += 1;
  }

  /** Ends the prompts that the agent had accepted before its work ended. */
  // V2-PRM-19
  ended(end: WorkEnd): void {
    for (const [promptId, resolve] of [...this.#waiting]) {
      const entry = this.#host.state.timeline.get(promptKey(promptId));
      if (entry?.type === "message" && entry.prompt?.status !== "accepted") continue;
      this.#waiting.delete(promptId);
      resolve(end);
    }
  }

  async #toTheEnd(promptId: string, content: readonly ContentBlock[], ask: AskAgent): Promise<PromptAnswer> {
    this.#host.note({ type: "prompt_sent", promptId, content });
    const ended = new Promise<WorkEnd>((resolve) => this.#waiting.set(promptId, resolve));
    try {
      await ask(({ messageId }) => this.#host.note({ type: "prompt_accepted", promptId, messageId }));
    } catch (failure) {
      const error = errorOf(failure);
      this.#waiting.delete(promptId);
      this.#host.note({ type: "prompt_failed", promptId, error });
      // Version 1 answers a withdrawn prompt without an error (V1-CANCEL-07).
      return error.code === CANCELLED.code ? { stopReason: "cancelled" } : { error };
    }
    const { stopReason, error = FAILED, usage } = await ended;
    return stopReason === "error" ? { error } : { stopReason, usage };
  }

  async #inTurn(messageId: string, begin: () => Promise<unknown>, isOff: () => boolean): Promise<PromptAnswer> {
    const before = this.#last;
    let over = (): void => {};
    this.#last = new Promise((resolve) => {
      over = resolve;
    });
    await before;
    if (isOff()) {
      over();
      return { error: CANCELLED };
    }
    void begin().then(over);
    return { messageId };
  }
}

/** Returns the answer unchanged, because it has the same meaning for both sides. */
async function asIs(ask: AskAgent): Promise<PromptAnswer> {
  let answer: PromptAnswer = {};
  try {
    await ask((result) => {
      answer = result;
    });
    return answer;
  } catch (failure) {
    return { error: errorOf(failure) };
  }
}

/** Returns the end of the turn for an error answer to its prompt. */
const endOf = (error: ErrorObject): WorkEnd =>
  error.code === CANCELLED.code ? { stopReason: "cancelled" } : { stopReason: "error", error };

function errorOf(failure: unknown): ErrorObject {
  if (!(failure instanceof Error)) return FAILED;
  const { code, message, data } = failure as Error & { readonly code?: unknown; readonly data?: unknown };
  const error = { code: typeof code === "number" ? code : FAILED.code, message };
  return data === undefined ? error : { ...error, data };
}

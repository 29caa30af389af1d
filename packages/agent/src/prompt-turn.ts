import type { StopReason } from "@turnkit/session";
import type { Calls } from "@turnkit/session/codec";
import type { AgentHandlers, TurnResult } from "./agent-handlers.js";
import type { LiveSession } from "./live-session.js";
import { LiveTurn } from "./live-turn.js";
import type { PromptJob, PromptWork, TurnEnd } from "./prompt-job.js";
import { sendableEnd } from "./sendable-end.js";

/** Lets the agent answer one prompt; the turn lasts until the job's end, which a cancel may bring before the handler's. */
export class PromptTurn<S> implements PromptWork {
  readonly #handlers: AgentHandlers<S>;
  #session: LiveSession<S>;
  readonly #request: Calls["prompt"]["params"];
  #messageId = "";
  #turn: LiveTurn<S> | undefined;

  constructor(handlers: AgentHandlers<S>, session: LiveSession<S>, request: Calls["prompt"]["params"]) {
    this.#handlers = handlers;
    this.#session = session;
    this.#request = request;
  }

  begin(job: PromptJob): string {
    const session = this.#session.current;
    this.#session = session;
    session.mustBeOpen();
    session.journal?.mustWork();
    this.#messageId = session.newId("user");
    session.begin({ messageId: this.#messageId, prompt: this.#request.prompt });
    this.#turn = new LiveTurn(session, this.#request, job.cancellation);
    return this.#messageId;
  }

  answer(): TurnResult | StopReason | void | Promise<TurnResult | StopReason | undefined | void> {
    return this.#turn && this.#handlers.prompt(this.#turn);
  }

  drain(): Promise<unknown> | undefined {
    return this.#turn?.drain();
  }

  ended(end: TurnEnd): TurnEnd | Promise<TurnEnd> {
    if (this.#turn === undefined) return end;
    this.#turn.end();
    const session = this.#session;
    return session.endTurn(
      this.#messageId,
      sendableEnd(end, (message, error) => session.onFault(message, error)),
    );
  }
}

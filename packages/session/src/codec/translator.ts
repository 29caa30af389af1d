import type { ClientCapabilities, SessionLists } from "../call.js";
import type { ContentBlock } from "../content.js";
import { createSessionState } from "../create-session-state.js";
import type { SessionEvent, WireEvent } from "../event.js";
import { reduce } from "../reduce.js";
import type { ConfigOption } from "../settings.js";
import type { SessionState } from "../state.js";
import { isSettingCall, optionToChange, type SettingCall, settingCall } from "./calls.js";
import type { Codec, Encoder } from "./codec.js";
import type { OnLoss } from "./losses.js";
import { type AskAgent, type PromptAnswer, TranslatedTurns } from "./translated-turns.js";
import type { TurnUpdates } from "./turn-updates.js";
import type { NamedCall } from "./wire-handlers.js";

/** Options of a translator. */
export type TranslatorOptions = {
  /** Codec of the agent's dialect. */
  readonly from: Codec;
  /** Codec of the client's dialect. */
  readonly to: Codec;
  readonly peer: ClientCapabilities;
  readonly onLoss?: OnLoss | undefined;
  /** Receives each `update` of a `session/update` for the client. */
  readonly send: (update: object) => void;
};

/**
 * Translator of one session between an agent and a client with different dialects. The translator sends updates. The
 * caller sends the calls.
 */
export interface Translator {
  /** State of the session, from all translated updates and calls. */
  readonly state: SessionState;
  /** Translates an `update` of the agent. The function accepts any value, never throws, and drops malformed updates. */
  update(update: unknown): void;
  /**
   * Translates a call of the client. Returns the call to send to the agent. Pass its result to {@link answered}.
   *
   * The result is `undefined` for a replay that does not begin at the start, if the agent cannot do this. Refuse such a
   * call, because the client would get the whole conversation or nothing.
   */
  // V2-SES-09
  callFor(call: NamedCall): NamedCall | undefined;
  /**
   * Applies the agent's answer at its receipt. Returns the answer for the client. After a replay of an agent of version 1 or
   * seed, a client of version 2 gets the marker of its end first.
   */
  answered(call: NamedCall, result: object): object;
  /**
   * Sends updates for the parts of an answer that the answers of the client's dialect cannot contain. Call it after the
   * answer is sent.
   */
  answerSent(): void;
  /**
   * Translates a prompt of the client.
   *
   * - If a turn ends with the answer for the client only, the answer waits for the update that ends the turn.
   * - If a turn ends with the answer for the agent only, the client is answered immediately, and updates report the
   *   turn. Later prompts are queued.
   * - If `isWithdrawn` returns `true` when a queued prompt's turn comes, the prompt is answered with `-32800`.
   */
  prompt(content: readonly ContentBlock[], ask: AskAgent, isWithdrawn: () => boolean): Promise<PromptAnswer>;
  /**
   * Records a question of the agent. If the dialect of the client does not say that a cancel withdraws its questions, a
   * cancel calls `withdraw`. Returns a function to call after the answer.
   */
  asked(call: NamedCall, withdraw: () => void): () => void;
  /** Withdraws queued prompts and questions, because the client has cancelled. */
  cancel(): void;
}

/** Creates the translator of one session. */
export function createTranslator(options: TranslatorOptions): Translator {
  return new SessionTranslator(options);
}

class SessionTranslator implements Translator {
  state = createSessionState();
  /**
   * Functions that report turns with updates. Present if the client needs such updates and the agent does not send
   * them.
   */
  readonly turns: TurnUpdates | undefined;
  readonly endsByUpdate: boolean;
  readonly #options: TranslatorOptions;
  readonly #turns: TranslatedTurns;
  /** Questions that a cancel withdraws. */
  readonly #questions = new Map<string, () => void>();
  #encode!: Encoder;
  #serial = 0;
  /**
   * `true` if the agent's answer contained commands that the client has not received. Only an answer of version 2 can
   * contain commands.
   */
  #owesCommands = false;

  constructor(options: TranslatorOptions) {
    this.#options = options;
    this.turns = options.from.turns === undefined ? options.to.turns : undefined;
    this.endsByUpdate = options.from.turns !== undefined && options.to.turns === undefined;
    this.#turns = new TranslatedTurns(this);
    this.#begin();
  }

  update(update: unknown): void {
    for (const event of this.#options.from.decode(update)) {
      const isMalformed = event.type === "unknown" && event.reason !== undefined;
      // A decoder never returns events of this side.
      if (!isMalformed) this.send(event as WireEvent);
    }
  }

  /** Applies an event, and sends it to the client. */
  send(event: WireEvent): void {
    const before = this.state;
    this.note(event);
    for (const update of this.#encode(event, { before, after: this.state })) this.#options.send(update);
    const end = this.#options.from.turns?.endIn(event, withoutReason(before));
    if (end !== undefined) this.#turns.ended(end);
  }

  /** Applies the event of a call. Later updates are decoded against the new state. */
  note(event: SessionEvent): void {
    this.state = reduce(this.state, event);
  }

  callFor(call: NamedCall): NamedCall | undefined {
    switch (call.name) {
      case "loadSession":
        this.#begin();
        return call;
      case "resumeSession": {
        const { replayFrom, ...params } = call.params;
        const fromStart = replayFrom?.type === "start";
        if (replayFrom != null && !fromStart && this.#options.from.turns === undefined) return undefined;
        this.#begin();
        return fromStart ? { name: "loadSession", params } : call;
      }
      default:
        return isSettingCall(call) ? this.#settingFor(call) : call;
    }
  }

  answered(call: NamedCall, result: object): object {
    switch (call.name) {
      case "newSession":
      case "loadSession":
      case "resumeSession": {
        const { cwd, additionalDirectories = [] } = call.params;
        const { sessionId } = { ...call.params, ...result } as { readonly sessionId: string };
        this.note({ type: "session_opened", cwd, additionalDirectories, ...(result as SessionLists), sessionId });
        this.#owesCommands = "availableCommands" in result && this.#options.to.turns === undefined;
        if (this.turns !== undefined && call.name === "loadSession") this.#markReplay();
        if (this.turns !== undefined && call.name !== "newSession") this.send(this.turns.unchanged(this.state));
        return result;
      }
      default:
        return isSettingCall(call) ? this.#optionsAfter(call, result) : result;
    }
  }

  answerSent(): void {
    const { availableCommands } = this.state;
    if (this.#owesCommands && availableCommands) this.send({ type: "available_commands_update", availableCommands });
    this.#owesCommands = false;
  }

  prompt(content: readonly ContentBlock[], ask: AskAgent, isWithdrawn: () => boolean): Promise<PromptAnswer> {
    return this.#turns.prompt(content, ask, isWithdrawn);
  }

  asked(call: NamedCall, withdraw: () => void): () => void {
    this.#serial += 1;
    const requestId = `ask-${this.#serial}`;
    if (call.name === "askPermission") this.note({ type: "permission_asked", requestId, ...call.params });
    this.#questions.set(requestId, withdraw);
    if (this.turns !== undefined && this.state.activity.state === "running") this.send(this.turns.waiting(true));
    return () => {
      this.note({ type: "permission_answered", requestId, outcome: { outcome: "cancelled" } });
      this.#questions.delete(requestId);
      // The turn may have ended since then.
      const goesOn = this.state.activity.state === "requires_action" && this.#questions.size === 0;
      if (this.turns !== undefined && goesOn) this.send(this.turns.waiting(false));
    };
  }

  cancel(): void {
    this.#turns.cancel();
    // Agents that report their turns withdraw their questions themselves (V2-PERM-12).
    if (this.turns !== undefined) for (const withdraw of this.#questions.values()) withdraw();
  }

  /** Resets the translation, for a client that has no state of this session. */
  #begin(): void {
    const { to, peer, onLoss = () => undefined } = this.#options;
    this.state = createSessionState();
    this.#encode = to.createEncoder(peer, onLoss);
    this.#owesCommands = false;
  }

  /**
   * Sends the marker at the end of a replay. The marker is not applied, because the translator's state has no history.
   */
  // P-REPLAY-01, P-REPLAY-18
  #markReplay(): void {
    const { state } = this;
    const updates = this.#encode({ type: "replay_complete" }, { before: state, after: state });
    for (const update of updates) this.#options.send(update);
  }

  #settingFor(call: SettingCall): NamedCall {
    const option = optionToChange(call, this.state.configOptions);
    if (option === undefined) return call;
    const { sessionId, value: chosen } = call.params;
    // For clients without boolean options, the option is a choice between these two values.
    const value = option.type === "boolean" && typeof chosen === "string" ? chosen === "on" : chosen;
    return settingCall(option, { sessionId, value });
  }

  #optionsAfter(call: SettingCall, result: object): object {
    const { configId = "" } = optionToChange(call, this.state.configOptions) ?? {};
    if ("configOptions" in result) this.note({ type: "config_option_update", ...(result as Options) });
    else this.note({ type: "config_option_set", configId, value: call.params.value });
    return { configOptions: this.state.configOptions ?? [] };
  }
}

type Options = { readonly configOptions: readonly ConfigOption[] };

/**
 * Returns a state in which a repeated stop reason counts as new. A translator has no timer for silence, and its client
 * would wait forever for a turn without work.
 */
function withoutReason(state: SessionState): SessionState {
  if (state.activity.stopReason === undefined) return state;
  const { stopReason: _, ...activity } = state.activity;
  return { ...state, activity };
}

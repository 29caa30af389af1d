import type { Activity, ContentBlock, SessionEvent, SessionLists, SessionPlace, SessionState } from "@turnkit/session";
import { type Calls, v2ClientCodec } from "@turnkit/session/codec";
import { InvalidMessageError, type RequestSignal } from "@turnkit/transport";
import type { LiveSession } from "../live-session.js";
import type { LiveTurn } from "../live-turn.js";
import { AgentDriver } from "./agent-driver.js";
import { agentRoutes } from "./agent-routes.js";
import { checkCancels, checkPlace } from "./capability-checks.js";
import { draftContract, initialize } from "./draft.js";
import type { Answered, Dialect, LostTurn, Work } from "./driver.js";
import { PromptWatch } from "./prompt-watch.js";
import { endOf } from "./turn-end.js";

/** Version 2 of the protocol, as a client speaks it; drafts since August 2026 are read too. */
export const v2Dialect: Dialect = {
  dialect: "v2",
  version: 2,
  since: "2026-08",
  hello: (introduction) => initialize.encodeParams({ protocolVersion: 2, ...introduction }),
  dialectOf: (answer) => initialize.decodeResult(answer).dialect,
  createDriver(connection, desk, answer) {
    const { info, capabilities, authMethods } = initialize.decodeResult(answer);
    const peer = { dialect: "v2", info, capabilities, authMethods } as const;
    const routes = agentRoutes(desk, draftContract, v2ClientCodec);
    return new V2Driver({ connection, peer, codec: v2ClientCodec, contract: draftContract, routes });
  },
};

const CANCELLED = { code: -32800, message: "The session was closed before the agent took the prompt." };

/** The signal that a prompt is taken back. One of an `AbortController` would take 6 µs of every prompt. */
class Withdrawal implements RequestSignal {
  aborted = false;
  #listener: (() => void) | undefined;

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    this.#listener?.();
  }

  addEventListener(_type: "abort", listener: () => void): void {
    this.#listener = listener;
  }

  removeEventListener(): void {
    this.#listener = undefined;
  }
}

class V2Driver extends AgentDriver {
  readonly holdsPrompts = true;
  readonly nullIds = false;
  readonly #watches = new WeakMap<LiveSession, PromptWatch>();
  readonly #withdrawals = new WeakMap<LiveTurn, Withdrawal>();
  /** It names the message of a prompt, so it is no older draft: it withdraws its own questions (V2-SEED-11). */
  #namesMessages = false;

  planRestore(place: SessionPlace): { replays: boolean } {
    checkPlace(this.peer, place);
    return { replays: true };
  }

  async restoreSession(sessionId: string, place: SessionPlace, on: Answered<SessionLists>) {
    await this.call("resumeSession", { ...place, sessionId, replayFrom: { type: "start" } }, on);
  }

  /** It has to say something (V2-PRM-08). */
  override checkPrompt(content: readonly ContentBlock[]): void {
    const issues = [{ path: ["prompt"], message: "expected at least one block" }];
    if (content.length === 0) throw new InvalidMessageError("session/prompt", "params", issues);
    super.checkPrompt(content);
  }

  /** The answer says that the message has its place; an idle state ends the turn. */
  prompt(session: LiveSession, turn: LiveTurn): void {
    const { promptId, message } = turn;
    const withdrawal = new Withdrawal();
    this.#withdrawals.set(turn, withdrawal);
    this.#watch(session).sent(turn);
    const failed = (failure: unknown) => {
      if (turn.isOver) return;
      this.#watch(session).forget(turn);
      const { error, end } = endOf(failure);
      session.tell({ type: "prompt_failed", promptId, error });
      turn.finish(end);
    };
    // Before listeners hear of the prompt: one of them may cancel, and the cancel has to follow the prompt.
    const answered = this.call(
      "prompt",
      { sessionId: session.id, ...message },
      {
        received: (result) => {
          if (!turn.isOver) this.#answered(session, turn, result);
        },
        failed,
        signal: withdrawal,
      },
    );
    session.tell({ type: "prompt_sent", promptId, content: message.prompt });
    // A prompt that was refused before it was sent fails only here.
    answered.catch(failed);
  }

  async cancelToolCall({ id: sessionId, state }: LiveSession, toolCallId: string): Promise<void> {
    const entry = state.timeline.get(`tool_call:${toolCallId}`);
    const isOffered = entry?.type === "tool_call" && entry.capabilities?.cancel != null;
    checkCancels(this.peer, isOffered, `tool call ${toolCallId}`);
    await this.call("cancelToolCall", { sessionId, toolCallId });
  }

  async cancelTerminal({ id: sessionId, state }: LiveSession, terminalId: string): Promise<void> {
    const isOffered = state.terminals.get(terminalId)?.capabilities?.cancel != null;
    checkCancels(this.peer, isOffered, `terminal ${terminalId}`);
    await this.call("cancelTerminal", { sessionId, terminalId });
  }

  signOfLife(): void {
    // The answer says that the prompt was taken.
  }

  updated(session: LiveSession, event: SessionEvent, before: Activity | undefined): void {
    this.#watches.get(session)?.updated(event, before);
  }

  /** A prompt that the agent holds is taken back alone (V2-PRM-07); one that it works on ends with all work. */
  withdraw(turn: LiveTurn): boolean {
    if (turn.isAccepted) return false;
    this.#withdrawals.get(turn)?.abort();
    return true;
  }

  lose(session: LiveSession, turn: LiveTurn, { stopReason, error }: LostTurn): void {
    this.#watch(session).forget(turn);
    const { promptId } = turn;
    if (turn.isAccepted) session.tell({ type: "turn_ended", promptId, stopReason, ...(error && { error }) });
    else session.tell({ type: "prompt_failed", promptId, error: error ?? CANCELLED });
  }

  /** Listed background work goes on (V2-CAN-01), and who does not say what belongs to it says it itself (V2-PERM-12). */
  endsWithCancel({ toolCallId, terminalId }: Work, { activity }: SessionState): boolean {
    const { background } = activity;
    if (background === undefined) return !this.#namesMessages;
    if (background.length === 0) return true;
    if (toolCallId == null && terminalId == null) return false;
    return !background.some(
      (work) =>
        ("toolCallId" in work && work.toolCallId === toolCallId) ||
        ("terminalId" in work && work.terminalId === terminalId),
    );
  }

  #answered(session: LiveSession, turn: LiveTurn, result: Calls["prompt"]["result"]): void {
    const { promptId } = turn;
    const { stopReason, messageId, usage } = result;
    if (stopReason !== undefined) {
      // An agent of the seed draft that introduced itself like a later one.
      this.#watch(session).forget(turn);
      session.tell({ type: "prompt_accepted", promptId, ...(messageId !== undefined && { messageId }) });
      session.tell({ type: "turn_ended", promptId, stopReason, usage });
      turn.finish({ stopReason, agentConfirmed: true });
      return;
    }
    this.#namesMessages ||= messageId !== undefined;
    this.#watch(session).inserted(turn, messageId);
    // The withdrawal came too late: what is left is to cancel the work.
    if (!turn.isOver && this.#withdrawals.get(turn)?.aborted) session.cancelWork();
  }

  #watch(session: LiveSession): PromptWatch {
    const known = this.#watches.get(session);
    if (known !== undefined) return known;
    const watch = new PromptWatch(session);
    this.#watches.set(session, watch);
    return watch;
  }
}

import type { Conversation } from "../conversation.js";
import type { Ability, ClientAbility, Dialect } from "../dialects/dialect.js";
import {
  type Entry,
  errorOf,
  type Frame,
  frameOf,
  labelOf,
  paramsOf,
  resultOf,
  show,
  updateKind,
  updateOf,
} from "../entry.js";
import { settlesWithin } from "../patience.js";
import { FLOOD, PeerLine } from "../peer-line.js";
import type { PromptName, Prompts } from "../prompts.js";
import { CheckFailed, expect, expectResult, fail, skip } from "../verdict.js";
import type { AgentPipe } from "./agent-pipe.js";
import { defaultReplies, type Replier, type Reply } from "./replies.js";
import { NO_TURN_ENDS, type TurnEnds } from "./turn-ends.js";

/** Facts of a run that every conversation of it shares. */
export type AgentTrialOptions = {
  readonly dialect: Dialect;
  /** Folder of the sessions. */
  readonly cwd: string;
  /** Longest wait for one answer or turn, in milliseconds. */
  readonly timeoutMs: number;
  readonly prompts: Prompts;
  readonly profile: Profile;
  /** Returns an integer from 0 to `limit - 1`, the same in every run with the same seed. */
  readonly random: (limit: number) => number;
  readonly turnEnds: TurnEnds;
};

/** Prompts of a run: all prompts, only the prompt for a short answer, or none. */
export type Profile = "steered" | "plain" | "silent";

/** End of a turn. */
export type TurnEnd = {
  /** Answer to the prompt. */
  readonly answer: Entry;
  /** Entry that ended the turn. */
  readonly last: Entry;
  readonly stopReason: unknown;
};

/** Turn that runs. */
export type Turn = { readonly request: Entry; readonly sessionId: string; ended(): Promise<TurnEnd> };

/** Turn that a check wanted to cancel. `ms` is the time of its last sign. */
export type LongTurn = { readonly name: PromptName; readonly turn: Turn; readonly ms: number };

/** Longest wait for the end of the agent after the end of its input, in milliseconds. */
const GRACE_MS = 2_000;
/** Longest wait for an update that comes too late, in milliseconds. Many agents send nothing after the end of input. */
const LATE_MS = 200;
/** Longest wait for a sign that a turn goes on, in milliseconds. */
const RUNS_MS = 1_000;

/** Conversation of one check with an agent. The runner is the client. */
export class AgentTrial {
  readonly dialect: Dialect;
  readonly options: AgentTrialOptions;
  readonly line: PeerLine;
  readonly talk: Conversation;
  readonly pipe: AgentPipe;
  /** Turns of {@link longTurn}, in order. */
  readonly longTurns: LongTurn[] = [];
  #replies = defaultReplies([]);
  #hello: Frame = {};
  #nextId = 1;
  #hasPrompted = false;

  constructor(pipe: AgentPipe, options: AgentTrialOptions) {
    this.options = options;
    this.dialect = options.dialect;
    this.pipe = pipe;
    this.line = new PeerLine(pipe, "client");
    this.talk = this.line.talk;
    this.line.onEntry = (entry) => this.#answer(entry);
  }

  /** Sends a request without waiting. Params that are wrong on purpose need `deliberate`. */
  begin(method: string, params?: unknown, deliberate?: "deliberate"): Entry {
    if (method === "session/prompt") this.#beginPrompt();
    const frame = { jsonrpc: "2.0", id: this.#nextId++, method, ...(params !== undefined && { params }) };
    return this.line.frame(frame, deliberate && true);
  }

  /** Sends a request, and returns its answer. Fails without an answer. */
  ask(method: string, params?: unknown, deliberate?: "deliberate"): Promise<Entry> {
    return this.answerTo(this.begin(method, params, deliberate));
  }

  notify(method: string, params?: unknown, deliberate?: "deliberate"): Entry {
    return this.line.frame({ jsonrpc: "2.0", method, ...(params !== undefined && { params }) }, deliberate && true);
  }

  /** Returns the answer to a request of the runner. Fails without an answer. */
  async answerTo(request: Entry): Promise<Entry> {
    return this.next((entry) => entry.request === request, `answer to ${request.method}`, request);
  }

  /** Returns the first fitting entry of the agent after another entry. Fails if none comes. */
  async next(fits: (entry: Entry) => boolean, what: string, after?: Entry): Promise<Entry> {
    const from = after?.index ?? 0;
    const found = await this.talk.when((entry) => entry.by === "agent" && fits(entry), {
      ms: this.options.timeoutMs,
      from,
    });
    if (found !== undefined) return found;
    const { flooded, ended } = this.talk;
    if (!ended && after?.method === "session/prompt") this.options.turnEnds.missed();
    const end = flooded ? `before the agent had sent more than ${FLOOD}` : "before the agent ended";
    const when = ended ? end : `within ${this.options.timeoutMs / 1000} s`;
    return fail(`no ${what} came ${when}`, after, ...this.talk.of("agent", from).slice(-3));
  }

  /** Replaces the answers to a method of the agent. */
  serve(method: string, replier: Replier): void {
    this.#replies.set(method, replier);
  }

  reply(request: Entry, reply: Reply): void {
    this.line.frame({ jsonrpc: "2.0", id: frameOf(request).id, ...reply });
  }

  /** Agrees on the dialect, and returns the result of `initialize`. Fails without an agreement. */
  async hello(...abilities: readonly ClientAbility[]): Promise<Frame> {
    this.#replies = new Map([...defaultReplies(abilities), ...this.#replies]);
    const answer = await this.ask("initialize", this.dialect.hello(abilities));
    expectResult(answer);
    this.#hello = resultOf(answer);
    return this.#hello;
  }

  /** Does the same as {@link hello}, but skips the check without an agreement. */
  async ready(...abilities: readonly ClientAbility[]): Promise<Frame> {
    const hello = await needed(this.hello(...abilities));
    if (!this.dialect.agrees(hello)) skip(`The agent answered initialize with version ${show(hello.protocolVersion)}.`);
    if (!this.dialect.hasSessions(hello)) skip("The agent offers no sessions.");
    return hello;
  }

  /** Agrees on the dialect and opens a session. Skips the check if this does not work. */
  async open(...abilities: readonly ClientAbility[]): Promise<string> {
    await this.ready(...abilities);
    return this.newSession();
  }

  /** Opens a session on a connection that is ready, and returns its id. Skips the check if this does not work. */
  async newSession(): Promise<string> {
    const answer = await needed(this.ask("session/new", this.dialect.newSession(this.options.cwd)));
    if (errorOf(answer).code === -32000) skip("The agent requires a login.");
    const { sessionId } = resultOf(answer);
    if (typeof sessionId !== "string") skip(`session/new gave no session: ${show(answer.frame)}`);
    return sessionId as string;
  }

  /** `true` if the agent is not steered by prompts. */
  get isPlain(): boolean {
    return this.options.profile !== "steered";
  }

  offers(ability: Ability): boolean {
    return this.dialect.offers(this.#hello, ability);
  }

  /** Skips the check if the agent does not offer an ability. */
  requires(ability: Ability): void {
    if (!this.offers(ability)) skip(`The agent does not offer ${ability}.`);
  }

  /** Starts a turn. A prompt by name is a text of the run; checks that steer the agent skip in the profile `plain`. */
  prompt(sessionId: string, prompt: PromptName | readonly object[], more: object = {}): Turn {
    if (typeof prompt === "string" && prompt !== "say" && this.isPlain)
      skip("The agent is not steered (profile plain).");
    const blocks = typeof prompt === "string" ? [{ type: "text", text: this.options.prompts[prompt] }] : prompt;
    const request = this.begin("session/prompt", { sessionId, prompt: blocks, ...more });
    return { request, sessionId, ended: () => this.#endOf(request, sessionId) };
  }

  /** Runs a turn to its end. Fails if it does not end, or ends with an error. */
  turn(sessionId: string, prompt: PromptName | readonly object[], more?: object): Promise<TurnEnd> {
    return this.prompt(sessionId, prompt, more).ended();
  }

  /**
   * Starts a turn that runs until it is cancelled. Skips the check if the agent sends nothing, or if the turn ends by
   * itself before the agent has answered a further request. A turn that ends at the same moment as the cancel would
   * look as if it was not cancelled.
   */
  async longTurn(sessionId: string, name: PromptName = "long"): Promise<Turn> {
    const turn = this.prompt(sessionId, name);
    const isEnd = (entry: Entry) =>
      entry.request === turn.request
        ? this.dialect.turnEnd === "answer" || entry.kind === "error"
        : paramsOf(entry).sessionId === sessionId && updateOf(entry)?.state === "idle";
    const isSign = (entry: Entry) => isEnd(entry) || (isWork(entry) && paramsOf(entry).sessionId === sessionId);
    const sign = await needed(this.next(isSign, "update of the turn", turn.request));
    const proof = this.begin("_turnkit/runs", {});
    // An agent that reads nothing during a turn does not answer, and its turn goes on.
    const ms = Math.min(RUNS_MS, this.options.timeoutMs);
    const from = sign.index;
    await this.talk.when((entry) => entry.request === proof || isEnd(entry), { ms, from });
    const end = this.talk.of("agent", from).find(isEnd);
    if (end) skip(`The turn of the prompt ${name} was over before its cancel, at: ${labelOf(end)}.`);
    this.longTurns.push({ name, turn, ms: this.talk.entries.at(-1)?.ms ?? 0 });
    return turn;
  }

  cancel(sessionId: string): Entry {
    return this.notify("session/cancel", { sessionId });
  }

  /** Waits for the answer to an extension request, after which all earlier messages are handled. */
  async settle(): Promise<Entry> {
    return needed(this.ask("_turnkit/settled", {}));
  }

  /** Calls a method that a check needs but does not judge. Skips the check if it fails. */
  async did(method: string, params: object): Promise<Entry> {
    const answer = await needed(this.ask(method, params));
    if (answer.kind !== "result") skip(`An earlier step failed with ${labelOf(answer)}: ${show(answer.frame)}.`);
    return answer;
  }

  /** Waits until the agent has written all output. Returns its last answer before the end of input. */
  async drain(): Promise<Entry> {
    const settled = await this.settle();
    await this.line.end(Math.min(GRACE_MS, this.options.timeoutMs));
    return settled;
  }

  /** Gives the agent a moment for updates that it sends too late, and then does the same as {@link drain}. */
  async drainLate(): Promise<Entry> {
    await this.settle();
    await settlesWithin(this.line.ended, Math.min(LATE_MS, this.options.timeoutMs / 10));
    return this.drain();
  }

  /** Fails unless the connection still works. */
  async expectUsable(after?: Entry): Promise<void> {
    const answered = await this.ask("_turnkit/usable", {}).catch((error: unknown) => {
      if (error instanceof CheckFailed)
        return fail(`the connection stopped working: ${error.message}`, after, ...error.entries);
      throw error;
    });
    expect(answered.request !== undefined, "the connection stopped working", after);
  }

  async #endOf(request: Entry, sessionId: string): Promise<TurnEnd> {
    const answer = await this.answerTo(request);
    expectResult(answer);
    if (this.dialect.turnEnd === "answer") return { answer, last: answer, stopReason: resultOf(answer).stopReason };
    const isIdle = (entry: Entry) => paramsOf(entry).sessionId === sessionId && updateOf(entry)?.state === "idle";
    const last = await this.next(isIdle, "idle state", request);
    return { answer, last, stopReason: updateOf(last)?.stopReason };
  }

  #beginPrompt(): void {
    if (this.options.profile === "silent") skip("No prompt is sent (profile silent).");
    if (this.options.turnEnds.areMissing) skip(NO_TURN_ENDS);
    this.#hasPrompted = true;
  }

  #answer(request: Entry): void {
    if (this.#hasPrompted) this.options.turnEnds.saw(request, this.dialect.turnEnd);
    if (request.kind !== "request") return;
    const replier = this.#replies.get(request.method as string) ?? refuse;
    const reply = replier(request);
    if (reply !== undefined) this.reply(request, reply);
  }

  /** Ends the conversation, and with it the agent. */
  close(): Promise<void> {
    return this.line.close(Math.min(GRACE_MS, this.options.timeoutMs));
  }
}

const refuse: Replier = ({ method }) => ({ error: { code: -32601, message: `Method not found: ${method}` } });

/** Returns `true` for updates that show that a turn is running. Settings may change at any time. */
function isWork(entry: Entry): boolean {
  return /^(agent_|tool_call|plan|terminal_|state_)/.test(updateKind(entry) ?? "");
}

/** Returns the result of a step that a check needs but does not judge. If the step fails, the check is skipped. */
export async function needed<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (!(error instanceof CheckFailed)) throw error;
    const [entry] = error.entries;
    return skip(`An earlier step failed: ${error.message}${entry ? ` (${labelOf(entry)})` : ""}.`);
  }
}

import {
  type Calls,
  findOption,
  type KeyedMessage,
  PromptKeys,
  type PromptReceipt,
  promptHash,
  readConfigValue,
  receiptOfInserted,
} from "@turnkit/agent/driver";
import type { Session } from "@turnkit/client";
import type { SessionEvent, SessionLists, SessionState, SessionWorkspace, WireEvent } from "@turnkit/session";
import { type Room, RpcError } from "@turnkit/transport";
import { isWire, withoutMark } from "./agent-events.js";
import type { AgentLink } from "./agent-link.js";
import { Attachment, type AttachmentParts } from "./attachment.js";
import { Audience } from "./audience.js";
import type { Settings } from "./gateway-options.js";
import { MessageIds } from "./message-ids.js";
import { type Answer, type AskedIn, Questions } from "./questions.js";
import type { SessionRecord } from "./session-record.js";
import { SharedPrompt } from "./shared-prompt.js";
import { type JoinedPrompt, SharedPrompts } from "./shared-prompts.js";
import { type States, WatchedStates } from "./watched-states.js";

/** Parts of a shared session. */
export type SharedSessionParts = {
  readonly id: string;
  readonly settings: Settings;
  readonly link: AgentLink;
  readonly record: SessionRecord;
  readonly workspace: SessionWorkspace;
  readonly state: SessionState;
  readonly children?: ReadonlyMap<string, SessionState>;
  readonly keys?: ReadonlyMap<string, KeyedMessage>;
  /** Called when the session has left its agent and its log is closed. */
  readonly released: (session: SharedSession) => void;
};

/** What a client brings to an attachment. */
export type Watcher = Pick<AttachmentParts, "connection" | "driver" | "principal" | "giveUp">;

/**
 * Owner of one session: its state, its log, its prompts and its open questions. Attachments come and go. The session in the
 * agent is opened when it is first needed, and again after the agent has ended.
 */
// SHARE-01
export class SharedSession {
  readonly id: string;
  readonly #parts: SharedSessionParts;
  readonly #states: WatchedStates;
  readonly #audience = new Audience();
  readonly #prompts = new SharedPrompts();
  readonly #questions: Questions;
  readonly #keys: PromptKeys;
  readonly #messageIds = new Map<string, MessageIds>();
  #workspace: SessionWorkspace;
  #session: Session | undefined;
  #opening: Promise<Session> | undefined;
  #isReplaying = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #releasing: Promise<void> | undefined;

  constructor(parts: SharedSessionParts, session?: Session) {
    this.#parts = parts;
    this.id = parts.id;
    this.#workspace = parts.workspace;
    this.#session = session;
    this.#states = new WatchedStates(parts.id, parts.state);
    for (const [id, state] of parts.children ?? []) this.#states.set(id, state);
    this.#keys = new PromptKeys(parts.id);
    if (parts.keys) this.#keys.restore(parts.keys, true);
    this.#questions = new Questions({
      settings: parts.settings,
      attachments: () => this.#audience.all,
      author: () => this.#prompts.author,
      answer: (asked, answer, by) => this.#answer(asked, answer, by),
    });
    if (session !== undefined) this.#watch(session);
  }

  get state(): SessionState {
    return this.#states.get(this.id);
  }

  get lists(): SessionLists {
    const { configOptions, availableCommands } = this.state;
    return { ...(configOptions && { configOptions }), ...(availableCommands && { availableCommands }) };
  }

  /** Promise of the end of this owner, if it is ending. */
  get releasing(): Promise<void> | undefined {
    return this.#releasing;
  }

  // SHARE-02
  /**
   * Attaches a client.
   *
   * - `new`: the client opened the session. It gets everything since its answer.
   * - `replay`: it gets the whole conversation, then every later event.
   * - `resume`: it gets every later event.
   *
   * @throws RpcError `-32600` if there are too many attachments
   */
  attach(watcher: Watcher, how: "new" | "replay" | "resume"): { readonly attachment: Attachment; done: Promise<void> } {
    const { limits } = this.#parts.settings;
    if (this.#audience.size >= limits.attachments) throw RpcError.invalidRequest("too many clients watch this session");
    const attachment: Attachment = new Attachment({
      ...watcher,
      limits,
      states: () => this.#states.now(),
      follow: (each, own) => this.#audience.follow(each, own),
    });
    clearTimeout(this.#timer);
    this.#audience.add(attachment);
    const seen: States = how === "resume" ? this.#states.now() : new Map();
    const done = attachment.start(seen, how);
    void done.then(() => this.#questions.attached(attachment));
    return { attachment, done };
  }

  // SHARE-09
  detach(attachment: Attachment): void {
    if (!this.#audience.remove(attachment)) return;
    this.#questions.detached(attachment);
    this.#restSoon();
  }

  /** Workspace that the next restore in the agent uses. */
  use(workspace: SessionWorkspace): void {
    const { cwd, additionalDirectories } = this.#parts.workspace;
    this.#workspace = { ...workspace, cwd, ...(additionalDirectories && { additionalDirectories }) };
  }

  // SHARE-07
  /** @throws RpcError `-32602` for a key of another prompt, and `-32603` if the session cannot be stored */
  prompt(author: Attachment, params: Calls["prompt"]["params"]): PromptReceipt {
    this.#parts.record.mustWork();
    const { idempotencyKey: key } = params;
    if (key === undefined) return this.#send(new SharedPrompt(author, params, undefined));
    const promptKey = { key, hash: promptHash(params.prompt) };
    const before = this.#keys.message(promptKey, "error");
    if (before !== undefined) return receiptOfInserted(before.messageId);
    const further = this.#keys.attempt(promptKey, "error", () => () => undefined);
    if (further !== undefined) return further;
    const prompt = new SharedPrompt(author, params, promptKey);
    const receipt = this.#keys.begin(promptKey, prompt);
    this.#send(prompt);
    return receipt;
  }

  cancel(): void {
    this.#prompts.cancelUnsent();
    void this.#session?.cancel();
  }

  /** @throws RpcError `-32602` for an option or a value that the session does not have */
  async setOption(
    name: Parameters<typeof findOption>[1],
    value: string | boolean,
    author: Attachment,
  ): Promise<Calls["setConfigOption"]["result"]> {
    const session = await this.live();
    const option = findOption(session.state.configOptions ?? this.state.configOptions ?? [], name);
    const { capabilities } = author.driver.client;
    await session.setConfigOption(option.configId, readConfigValue(option, value, capabilities));
    return { configOptions: session.state.configOptions ?? [] };
  }

  /**
   * Returns the session in the agent. Restores it if the agent does not have it open.
   *
   * @throws RpcError `-32603` if the agent does not start, or cannot restore the session
   */
  live(): Promise<Session> {
    if (this.#session !== undefined) return Promise.resolve(this.#session);
    this.#opening ??= this.#restore().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Ends the session in the agent, and closes its log. Attachments stay until their clients leave. */
  release(): Promise<void> {
    this.#releasing ??= this.#release();
    return this.#releasing;
  }

  async #release(): Promise<void> {
    clearTimeout(this.#timer);
    const session = this.#session;
    this.#session = undefined;
    this.#prompts.fail(RpcError.requestCancelled());
    this.#questions.close();
    await session?.close().catch((error: unknown) => this.#fault("A session could not be closed in its agent.", error));
    for (const attachment of [...this.#audience.all]) this.#audience.remove(attachment);
    await this.#parts.record.close();
    this.#parts.released(this);
  }

  #restSoon(): void {
    clearTimeout(this.#timer);
    if (this.#audience.size > 0 || this.#releasing !== undefined) return;
    this.#timer = setTimeout(() => {
      const isIdle = this.#prompts.isEmpty && this.#questions.isEmpty && this.state.activity.state === "idle";
      if (isIdle) void this.release();
      else this.#restSoon();
    }, this.#parts.settings.idleMs);
  }

  async #restore(): Promise<Session> {
    const client = await this.#parts.link.client();
    const outcome = await client.restore(this.id, this.#workspace, (event) => this.receive(event));
    if (outcome.status === "unavailable") {
      const { message } = outcome.error;
      throw RpcError.internalError(`the agent could not restore the session: ${message}`);
    }
    this.#session = outcome.session;
    this.#watch(outcome.session);
    return outcome.session;
  }

  /** Receives the events of all child sessions too. */
  #watch(session: Session): void {
    session.onChild((child) => {
      child.onEvent((event) => this.receive(event, child.id));
      this.#watch(child);
    });
  }

  #send<P extends SharedPrompt>(prompt: P): P {
    clearTimeout(this.#timer);
    this.#prompts.add(prompt);
    void this.#pass(prompt).catch((error: unknown) => prompt.fail(error));
    void prompt.ended.then(() => this.#restSoon());
    return prompt;
  }

  async #pass(prompt: SharedPrompt): Promise<void> {
    const session = await this.live();
    const { sendsPromptKeys } = await this.#parts.link.client();
    prompt.send(session, sendsPromptKeys);
  }

  /** Receives an event of the agent. Returns a promise if the next one must wait. */
  receive(event: SessionEvent, sessionId = this.id): Room {
    // The owner has the history already.
    if (event.type === "replay_started" || event.type === "replay_ended") {
      if (sessionId === this.id) this.#isReplaying = event.type === "replay_started" && event.keeps !== true;
      return undefined;
    }
    if (this.#isReplaying || this.#releasing !== undefined) return undefined;
    switch (event.type) {
      case "session_opened":
        return this.#opened(event, sessionId);
      case "prompt_accepted": {
        const joined = event.messageId && this.#prompts.accepted(event.promptId, event.messageId);
        return joined ? this.#join(joined, sessionId) : undefined;
      }
      case "permission_asked":
      case "elicitation_asked":
        this.#states.add(sessionId, event);
        this.#questions.asked(event, sessionId);
        return undefined;
      case "permission_answered":
      case "elicitation_answered":
        this.#states.add(sessionId, event);
        this.#questions.settled(event.requestId);
        return this.#parts.record.add(sessionId, event);
      case "elicitation_completed":
        this.#states.add(sessionId, event);
        this.#questions.completed(event.elicitationId);
        return undefined;
      case "config_option_set": {
        const { configOptions = [] } = this.#states.add(sessionId, event).after;
        return this.#tell({ type: "config_option_update", configOptions }, sessionId);
      }
      case "session_closed":
        return sessionId === this.id ? this.#lost(event.reason) : undefined;
      default:
        return isWire(event) ? this.#join(this.#prompts.recognise(event), sessionId) : undefined;
    }
  }

  #opened(event: SessionEvent & { readonly type: "session_opened" }, sessionId: string): Room {
    const { configOptions, availableCommands } = event;
    const rooms = [
      configOptions && this.#tell({ type: "config_option_update", configOptions }, sessionId),
      availableCommands && this.#tell({ type: "available_commands_update", availableCommands }, sessionId),
    ];
    return rooms.find((room) => room != null) ?? undefined;
  }

  /** Tells an event. What a client relies on later is stored before. */
  // NATS-08
  #join({ event, prompt }: JoinedPrompt, sessionId: string): Room {
    const told = this.#identified(withoutMark(event), sessionId);
    const isFirst = prompt !== undefined && !prompt.hasJoined;
    const isDurable = isFirst || (told.type === "state_update" && told.state === "idle");
    if (!isDurable) return this.#tell(told, sessionId);
    void this.#parts.record.add(sessionId, told, isFirst ? prompt.promptKey : undefined);
    return this.#parts.record.commit().then((isStored) => {
      this.#show(told, sessionId);
      if (!isFirst) return;
      if (isStored && prompt.promptKey && prompt.messageId) this.#keys.add(prompt.promptKey, prompt.messageId);
      prompt.joined();
    });
  }

  /** Stores and shows an event. */
  #tell(event: WireEvent, sessionId = this.id): Room {
    const room = this.#parts.record.add(sessionId, event);
    this.#show(event, sessionId);
    return room;
  }

  #show(event: WireEvent, sessionId: string): void {
    const around = this.#states.add(sessionId, event);
    this.#audience.tell({ sessionId, event, around, before: () => this.#states.before(sessionId) });
  }

  #identified(event: WireEvent, sessionId: string): WireEvent {
    const ids = this.#messageIds.get(sessionId) ?? new MessageIds();
    this.#messageIds.set(sessionId, ids);
    return ids.identified(event);
  }

  #answer({ sessionId, event }: AskedIn, answer: Answer, by: Attachment | undefined): void {
    const session = sessionId === this.id ? this.#session : this.#child(sessionId);
    try {
      session?.answer(event.requestId, answer);
    } catch (error) {
      // The answer names an option that was not offered, or does not conform to the form.
      this.#fault("An answer to a question of the agent was not valid, and the question was cancelled.", error);
      session?.answer(
        event.requestId,
        event.type === "permission_asked" ? { outcome: "cancelled" } : { action: "cancel" },
      );
    }
    const name = by?.principal.name;
    const toolCallId = toolCallOf(event);
    if (name === undefined || toolCallId === undefined) return;
    void this.#tell({ type: "tool_call_update", toolCallId, _meta: { "turnkit.answeredBy": name } }, sessionId);
  }

  #child(id: string): Session | undefined {
    const open = [...(this.#session?.children ?? [])];
    for (const child of open) {
      if (child.id === id) return child;
      open.push(...child.children);
    }
    return undefined;
  }

  // SHARE-11
  /** The agent has ended, or has closed the session. Everybody is told. The next prompt starts the agent again. */
  #lost(reason = "the agent has ended"): Room {
    this.#session = undefined;
    this.#questions.close();
    const error = { code: -32603, message: `The agent has lost the session: ${reason}` };
    this.#prompts.fail(new RpcError(error.code, error.message));
    for (const entry of this.state.timeline) {
      if (entry.type !== "tool_call" || FINAL.includes(entry.status)) continue;
      void this.#tell({ type: "tool_call_update", toolCallId: entry.toolCallId, status: "cancelled" });
    }
    if (this.state.activity.state !== "idle") {
      void this.#tell({ type: "state_update", state: "idle", stopReason: "error", error });
    }
    void this.#tell({ type: "notice", severity: "error", title: "The agent has ended", description: error.message });
    return this.#parts.record.commit().then(() => undefined);
  }

  #fault(message: string, error: unknown): void {
    this.#parts.settings.report({ code: "handler_failed", sessionId: this.id, message, error });
  }
}

const FINAL: readonly string[] = ["completed", "failed", "cancelled"];

function toolCallOf(event: AskedIn["event"]): string | undefined {
  if (event.type === "elicitation_asked") return event.toolCallId ?? undefined;
  const { subject } = event;
  if (subject?.type === "tool_call" && "toolCall" in subject) return subject.toolCall.toolCallId;
  return undefined;
}

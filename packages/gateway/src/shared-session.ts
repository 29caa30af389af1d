import { type Calls, findOption, type KeyedMessage, type PromptReceipt, readConfigValue } from "@turnkit/agent/driver";
import type { Session } from "@turnkit/client";
import type { SessionEvent, SessionLists, SessionState, SessionWorkspace } from "@turnkit/session";
import { type Room, RpcError } from "@turnkit/transport";
import { isWire } from "./agent-events.js";
import type { AgentLink } from "./agent-link.js";
import { Attachment, type AttachmentParts } from "./attachment.js";
import { Conversation } from "./conversation.js";
import type { Settings } from "./gateway-options.js";
import { type Answer, type AskedIn, Questions, toolCallOf } from "./questions.js";
import { SessionInAgent } from "./session-in-agent.js";
import type { SessionRecord } from "./session-record.js";
import type { SharedPrompt } from "./shared-prompt.js";
import { type JoinedPrompt, SharedPrompts } from "./shared-prompts.js";
import type { States } from "./watched-states.js";

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

/** Parts of an attachment that its client brings. */
export type Watcher = Pick<AttachmentParts, "connection" | "driver" | "principal" | "giveUp" | "ended">;

/**
 * Owner of one session: its state, its log, its prompts and its open questions. Attachments come and go. The session in the
 * agent is opened when it is first needed, and again after the agent has ended.
 */
// SHARE-01
export class SharedSession {
  readonly id: string;
  readonly #parts: SharedSessionParts;
  readonly #conversation: Conversation;
  readonly #prompts: SharedPrompts;
  readonly #questions: Questions;
  readonly #agent: SessionInAgent;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #releasing: Promise<void> | undefined;
  #isReleased = false;

  constructor(parts: SharedSessionParts, session?: Session) {
    this.#parts = parts;
    this.id = parts.id;
    const receive = (event: SessionEvent, sessionId: string): Room => this.receive(event, sessionId);
    this.#agent = new SessionInAgent({ ...parts, receive }, session);
    this.#conversation = new Conversation(parts);
    this.#prompts = new SharedPrompts(parts.id, parts.keys);
    this.#questions = new Questions({
      rootId: parts.id,
      settings: parts.settings,
      attachments: () => this.#conversation.audience.all,
      author: () => this.#prompts.author,
      answer: (asked, answer, by) => this.#answer(asked, answer, by),
    });
    // Nobody may ever attach.
    this.#restSoon();
  }

  get state(): SessionState {
    return this.#conversation.state;
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
    const { limits, report } = this.#parts.settings;
    if (this.#conversation.audience.size >= limits.attachments)
      throw RpcError.invalidRequest("too many clients watch this session");
    const attachment: Attachment = new Attachment({
      ...watcher,
      sessionId: this.id,
      limits,
      report,
      states: () => this.#conversation.states.now(),
      follow: (each, own) => this.#conversation.audience.follow(each, own),
    });
    clearTimeout(this.#timer);
    this.#conversation.audience.add(attachment);
    const seen: States = how === "resume" ? this.#conversation.states.now() : new Map();
    const done = attachment.start(seen, how);
    void done.then(() => this.#questions.attached(attachment));
    return { attachment, done };
  }

  // SHARE-09
  detach(attachment: Attachment): void {
    if (!this.#conversation.audience.remove(attachment)) return;
    this.#questions.detached(attachment);
    this.#restSoon();
  }

  /** Attachment that sent the prompt on which the agent works, unless it has left. */
  get author(): Attachment | undefined {
    const { author } = this.#prompts;
    return author?.isOver === true ? undefined : author;
  }

  get agent(): SessionInAgent {
    return this.#agent;
  }

  // SHARE-07
  /**
   * @throws RpcError `-32602` for a key of another prompt, `-32603` if the session cannot be stored, `-32002` if it is being
   * closed, and `-32600` if too many prompts wait
   */
  prompt(author: Attachment, params: Calls["prompt"]["params"]): PromptReceipt {
    if (this.#releasing !== undefined) throw RpcError.resourceNotFound({ sessionId: this.id });
    this.#parts.record.mustWork();
    return this.#prompts.receive(author, params, (prompt) => this.#send(prompt));
  }

  cancel(): void {
    this.#prompts.cancelUnsent();
    this.#agent.cancel();
  }

  /** @throws RpcError `-32602` for an option or a value that the session does not have */
  async setOption(
    name: Parameters<typeof findOption>[1],
    value: string | boolean,
    author: Attachment,
  ): Promise<Calls["setConfigOption"]["result"]> {
    const session = await this.#agent.live();
    const option = findOption(session.state.configOptions ?? this.state.configOptions ?? [], name);
    const { capabilities } = author.driver.client;
    await session.setConfigOption(option.configId, readConfigValue(option, value, capabilities));
    return { configOptions: session.state.configOptions ?? [] };
  }

  /** Ends the session in the agent, tells everybody how its work ended, and closes its log. */
  release(): Promise<void> {
    this.#releasing ??= this.#release();
    return this.#releasing;
  }

  async #release(): Promise<void> {
    clearTimeout(this.#timer);
    this.#prompts.cancelUnsent();
    await this.#agent
      .close()
      .catch((error: unknown) => this.#fault("A session could not be closed in its agent.", error));
    // Events of the agent arrive until then.
    await this.#prompts.ended();
    if (this.state.activity.state !== "idle") {
      await this.#conversation.tellStored({ type: "state_update", state: "idle", stopReason: "cancelled" }, this.id);
    }
    this.#isReleased = true;
    this.#questions.close();
    for (const attachment of [...this.#conversation.audience.all]) this.#conversation.audience.remove(attachment);
    await this.#parts.record.close();
    this.#parts.released(this);
  }

  #restSoon(): void {
    clearTimeout(this.#timer);
    if (this.#conversation.audience.size > 0 || this.#releasing !== undefined) return;
    this.#timer = setTimeout(() => {
      const isIdle = this.#prompts.isEmpty && this.#questions.isEmpty && this.state.activity.state === "idle";
      if (isIdle) void this.release();
      else this.#restSoon();
    }, this.#parts.settings.idleMs);
  }

  #send(prompt: SharedPrompt): void {
    clearTimeout(this.#timer);
    void this.#pass(prompt).catch((error: unknown) => prompt.fail(error));
    void prompt.ended.then(() => this.#restSoon());
  }

  async #pass(prompt: SharedPrompt): Promise<void> {
    const session = await this.#agent.live();
    const { sendsPromptKeys } = await this.#parts.link.client();
    prompt.send(session, sendsPromptKeys);
  }

  /** Receives an event of the agent. Returns a promise if the next one must wait. */
  receive(event: SessionEvent, sessionId = this.id): Room {
    if (this.#isReleased) return undefined;
    switch (event.type) {
      case "session_opened":
        return this.#conversation.tellLists(event, sessionId);
      case "prompt_accepted": {
        const joined = event.messageId && this.#prompts.accepted(event.promptId, event.messageId);
        return joined ? this.#join(joined, sessionId) : undefined;
      }
      case "permission_asked":
      case "elicitation_asked": {
        // Clients that are not asked see the tool call of the question too.
        const call = toolCallOf(event);
        const room = call && this.#conversation.tell({ type: "tool_call_update", ...call }, sessionId);
        this.#conversation.states.add(sessionId, event);
        this.#questions.asked(event, sessionId);
        return room;
      }
      case "permission_answered":
      case "elicitation_answered":
        this.#conversation.states.add(sessionId, event);
        this.#questions.settled(event.requestId);
        return this.#parts.record.add(sessionId, event);
      case "elicitation_completed":
        this.#conversation.states.add(sessionId, event);
        this.#questions.completed(event.elicitationId);
        return undefined;
      case "config_option_set": {
        const { configOptions = [] } = this.#conversation.states.add(sessionId, event).after;
        return this.#conversation.tell({ type: "config_option_update", configOptions }, sessionId);
      }
      case "session_closed":
        return sessionId === this.id && this.#releasing === undefined ? this.#lost(event.reason) : undefined;
      default:
        return isWire(event) ? this.#join(this.#prompts.recognise(event), sessionId) : undefined;
    }
  }

  /** Tells an event of the agent. A client relies later on the messages of prompts and the ends of turns. */
  // NATS-08
  #join({ event, prompt }: JoinedPrompt, sessionId: string): Room {
    const isFirst = prompt !== undefined && !prompt.hasJoined;
    const isEnd = event.type === "state_update" && event.state === "idle";
    if (!isFirst && !isEnd) return this.#conversation.tell(event, sessionId);
    return this.#conversation.tellStored(event, sessionId, isFirst ? prompt.promptKey : undefined).then((isStored) => {
      if (!isFirst) return;
      this.#prompts.joined(prompt, isStored);
    });
  }

  #answer({ sessionId, event }: AskedIn, answer: Answer, by: Attachment | undefined): void {
    try {
      this.#agent.answer(sessionId, event.requestId, answer);
    } catch (error) {
      // The answer names an option that was not offered, or does not conform to the form.
      this.#fault("An answer to a question of the agent was not valid, and the question was cancelled.", error);
      const cancelled = event.type === "permission_asked" ? { outcome: "cancelled" } : { action: "cancel" };
      return this.#agent.answer(sessionId, event.requestId, cancelled as Answer);
    }
    const name = by?.principal.name;
    const toolCallId = event.type === "elicitation_asked" ? event.toolCallId : toolCallOf(event)?.toolCallId;
    if (name === undefined || toolCallId == null) return;
    void this.#conversation.tell(
      { type: "tool_call_update", toolCallId, _meta: { "turnkit.answeredBy": name } },
      sessionId,
    );
  }

  // SHARE-11
  /** The agent has ended, or has closed the session. Everybody is told. The next prompt starts the agent again. */
  #lost(reason = "the agent has ended"): Room {
    this.#agent.forget();
    this.#questions.close();
    const error = { code: -32603, message: `The agent has lost the session: ${reason}` };
    this.#prompts.fail(new RpcError(error.code, error.message));
    this.#conversation.endWork(error);
    void this.#conversation.tell({
      type: "notice",
      severity: "error",
      title: "The agent has ended",
      description: error.message,
    });
    return this.#parts.record.commit().then(() => undefined);
  }

  #fault(message: string, error: unknown): void {
    this.#parts.settings.report({ code: "handler_failed", sessionId: this.id, message, error });
  }
}

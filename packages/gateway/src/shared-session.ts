import type { SessionLog } from "@turnkit/agent";
import { type Calls, findOption, type PromptReceipt, readConfigValue } from "@turnkit/agent/driver";
import type { Session } from "@turnkit/client";
import type { SessionEvent, SessionLists, SessionState, SessionWorkspace } from "@turnkit/session";
import { type Channel, type Room, RpcError } from "@turnkit/transport";
import { AgentIntake } from "./agent-intake.js";
import type { AgentLink } from "./agent-link.js";
import { Attachment, type AttachmentParts } from "./attachment.js";
import type { QuestionNote } from "./between-gateways.js";
import { Conversation, type Ending } from "./conversation.js";
import { DurableChannel } from "./durable-channel.js";
import type { Figures } from "./figures.js";
import type { Settings } from "./gateway-options.js";
import type { LeftOut } from "./newest-entries.js";
import { Questions } from "./questions.js";
import { SessionEnd } from "./session-end.js";
import { SessionInAgent } from "./session-in-agent.js";
import { SessionPlace } from "./session-place.js";
import type { SessionRecord } from "./session-record.js";
import type { SharedPrompt } from "./shared-prompt.js";
import { SharedPrompts } from "./shared-prompts.js";
import type { States } from "./watched-states.js";

/** Parts of a shared session. */
export type SharedSessionParts = {
  readonly id: string;
  readonly settings: Settings;
  readonly link: AgentLink;
  readonly log: SessionLog;
  readonly record: SessionRecord;
  readonly state: SessionState;
  /** Workspace of a session that was just opened. */
  readonly workspace?: SessionWorkspace;
  /** Called when the session is closed in its agent, and its log is closed. */
  readonly released: (session: SharedSession) => void;
};

/** Parts of an attachment that depend on its client. */
export type Watcher = Pick<AttachmentParts, "connection" | "driver" | "principal" | "isGateway" | "giveUp" | "ended">;

/** Maximum number of other gateways that have one session open at its owner. */
const MAX_GATEWAYS = 1_000;

/**
 * One session: its state, its log, its prompts and its open questions. Attachments may begin and end at any time. The
 * session in the agent is opened at its first use, and again at the first use after the end of the agent. If another
 * gateway owns the session, that gateway is used in place of the agent.
 */
// SHARE-01
export class SharedSession {
  readonly id: string;
  readonly #parts: SharedSessionParts;
  readonly #conversation: Conversation;
  readonly #prompts: SharedPrompts;
  readonly #questions: Questions;
  readonly #agent: SessionInAgent;
  readonly #intake: AgentIntake;
  readonly #place: SessionPlace;
  /** Channels to other gateways that have this session open. */
  readonly #gateways = new Set<DurableChannel>();
  readonly #end: SessionEnd;

  constructor(parts: SharedSessionParts, session?: Session) {
    this.#parts = parts;
    this.id = parts.id;
    const { id, settings, log, record } = parts;
    const receive = (event: SessionEvent, sessionId: string): Room => this.receive(event, sessionId);
    this.#agent = new SessionInAgent({ ...parts, receive }, session);
    this.#conversation = new Conversation(parts);
    this.#prompts = new SharedPrompts(id, () => record.works);
    this.#questions = new Questions({
      rootId: id,
      settings,
      attachments: () => this.#conversation.audience.all,
      state: (sessionId) => this.#conversation.states.get(sessionId),
      author: () => this.#prompts.author,
      answer: (asked, answer, name) => this.#intake.answer(asked, answer, name),
      reportToOwner: (asked, isAttended) => this.#place.reportToOwner(asked, isAttended),
    });
    const ended = (ending: Ending): void => void this.release(ending);
    const its = {
      ...{ id, settings, log, record, agent: this.#agent },
      ...{ conversation: this.#conversation, prompts: this.#prompts, questions: this.#questions },
    };
    this.#intake = new AgentIntake({ ...its, owner: () => this.#place.owner, endedByOwner: ended });
    const send = (prompt: SharedPrompt): void => this.#send(prompt);
    this.#place = new SessionPlace({ ...its, intake: this.#intake, send, ended }, session !== undefined);
    this.#end = new SessionEnd({
      ...{ ...its, intake: this.#intake, place: this.#place, gateways: this.#gateways },
      left: (attachment) => void this.#left(attachment),
      released: () => parts.released(this),
    });
    // The wait for the end of an unused session begins, because perhaps no client attaches.
    if (session !== undefined) this.#end.restSoon();
  }

  /** Opens a stored session, here or at its owner. Call it once. Rejects with the errors of `SessionPlace.enter`. */
  async enter(): Promise<void> {
    try {
      await this.#place.enter();
      this.#end.restSoon();
    } catch (error) {
      this.#end.stay();
      await this.#parts.record.close();
      throw error;
    }
  }

  /**
   * Takes the `channel` that another gateway opened to this owner. Returns the channel on which to serve that gateway.
   *
   * @throws RpcError `-32600` while the session begins or ends, and for too many gateways
   */
  acceptGateway(channel: Channel): Channel {
    if (!this.#place.isHere || this.#gateways.size >= MAX_GATEWAYS)
      throw RpcError.invalidRequest("the session begins or ends, or too many gateways have it open");
    const { record, settings } = this.#parts;
    const durable = new DurableChannel(channel, { commit: () => record.commit(), report: settings.report });
    this.#gateways.add(durable);
    void channel.closed.then(() => this.#gateways.delete(durable));
    return durable;
  }

  /** Takes the report of another gateway about a question that it got. */
  noted(requestId: string, attachment: Attachment, note: QuestionNote): void {
    this.#questions.noted(requestId, attachment, note);
  }

  get state(): SessionState {
    return this.#conversation.state;
  }

  get lists(): SessionLists {
    const { configOptions, availableCommands } = this.state;
    return { ...(configOptions && { configOptions }), ...(availableCommands && { availableCommands }) };
  }

  /** Promise of the end of the session at this gateway, if it is ending. */
  get releasing(): Promise<void> | undefined {
    return this.#end.releasing;
  }

  // SHARE-02
  /**
   * Attaches a client.
   *
   * - `new`: the client opened the session. The client gets every event after the answer.
   * - `replay`: the client gets the conversation without the `leftOut` entries, then every later event.
   * - `resume`: the client gets every later event.
   *
   * @throws RpcError `-32600` if there are too many attachments, and `-32002` if the session is being closed
   */
  attach(
    watcher: Watcher,
    how: "new" | "replay" | "resume",
    leftOut?: LeftOut,
  ): { readonly attachment: Attachment; done: Promise<void> } {
    if (this.releasing !== undefined) throw RpcError.resourceNotFound({ sessionId: this.id });
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
    this.#end.stay();
    this.#conversation.audience.add(attachment);
    if (!watcher.isGateway) this.#parts.settings.figures.change("attachments", 1);
    const seen: States = how === "resume" ? this.#conversation.states.now() : new Map();
    const done = attachment.start(seen, how, leftOut);
    void done.then(() => this.#questions.attached(attachment));
    return { attachment, done };
  }

  // SHARE-09
  detach(attachment: Attachment): void {
    if (!this.#left(attachment)) return;
    this.#questions.detached(attachment);
    this.#end.restSoon();
  }

  /** Removes an attachment. Returns false if the attachment was removed before. */
  #left(attachment: Attachment): boolean {
    const wasThere = this.#conversation.audience.remove(attachment);
    if (wasThere && !attachment.isGateway) this.#parts.settings.figures.change("attachments", -1);
    return wasThere;
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
   * Receives a prompt of a client.
   *
   * @throws RpcError `-32602` for a key of another prompt, `-32603` if the session cannot be stored, `-32002` if it is being
   * closed, and `-32600` if too many prompts wait
   */
  prompt(author: Attachment, params: Calls["prompt"]["params"]): PromptReceipt {
    if (this.releasing !== undefined) throw this.#end.refusal(author);
    this.#parts.record.mustWork();
    const receipt = this.#prompts.receive(author, params, (prompt) => this.#send(prompt));
    // Another gateway has already counted the prompt of its client.
    if (!author.isGateway) countPrompt(receipt, this.#parts.settings.figures);
    return receipt;
  }

  cancel(): void {
    this.#prompts.sessionCancelled();
    this.#agent.cancel();
  }

  /** Cancels a prompt that another gateway has withdrawn, by its key. */
  cancelByKey(key: string): void {
    this.#prompts.cancelByKey(key);
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

  /** Receives an event of the agent. If a promise is returned, await it before the next event. */
  receive(event: SessionEvent, sessionId = this.id): Room {
    return this.#place.receive(event, sessionId);
  }

  /** Ends the session in the agent, sends the end of its work to all clients, and closes its log. */
  release(ending?: Ending): Promise<void> {
    return this.#end.release(ending);
  }

  /** Stops waiting for the storage. */
  abandon(): void {
    this.#parts.record.abandon();
  }

  #send(prompt: SharedPrompt): void {
    this.#end.stay();
    void this.#agent.reach((receiver) => prompt.send(receiver)).catch((error: unknown) => prompt.fail(error));
    void prompt.ended.then(() => this.#end.restSoon());
  }
}

function countPrompt({ ended }: PromptReceipt, figures: Figures): void {
  const since = performance.now();
  figures.add("prompts");
  void ended.then(() => figures.took("turn_seconds", performance.now() - since));
}

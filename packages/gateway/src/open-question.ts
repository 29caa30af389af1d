import {
  type ElicitationAnswer,
  type PermissionOutcome,
  type PermissionQuestion,
  pendingQuestions,
  type SessionEvent,
  type SessionState,
  type ToolCallPatch,
} from "@turnkit/session";
import { RpcError } from "@turnkit/transport";
import type { Attachment } from "./attachment.js";
import { QUESTION, type QuestionNote } from "./between-gateways.js";
import type { Settings } from "./gateway-options.js";
import { isObserver, type Principal } from "./principal.js";

/** Event of a question of the agent. */
export type Asked = Extract<SessionEvent, { readonly type: "permission_asked" | "elicitation_asked" }>;

/** Answer to a question. */
export type Answer = PermissionOutcome | ElicitationAnswer;

/** Question, and the session or child session that asks it. */
export type AskedIn = { readonly sessionId: string; readonly event: Asked };

/** Parts of the questions of a session. */
export type QuestionsParts = {
  /** Id of the root session. */
  readonly rootId: string;
  readonly settings: Settings;
  readonly attachments: () => Iterable<Attachment>;
  /** Returns the current state of the session or of a child session. */
  readonly state: (sessionId: string) => SessionState;
  /** Attachment whose prompt the agent works on. */
  readonly author: () => Attachment | undefined;
  /** Passes the answer to the agent. `name` is the name of the principal that answered. */
  readonly answer: (asked: AskedIn, answer: Answer, name: string | undefined) => void;
  /**
   * Reports to the gateway that owns the session whether a client can answer. Returns false if this gateway is the
   * owner, which decides about unattended questions.
   */
  readonly reportToOwner: (asked: Asked, isAttended: boolean) => boolean;
};

/** One question. The first answer counts, and the question is withdrawn from the other attachments. */
export class OpenQuestion {
  readonly #question: AskedIn;
  readonly #parts: QuestionsParts;
  readonly #asked = new Map<Attachment, AbortController>();
  /** Attachments that have cancelled or refused the question, so that others can answer. */
  readonly #passed = new Set<Attachment>();
  /** Gateways that have no client that can answer now. */
  readonly #unattended = new Set<Attachment>();
  /** Names of the principals that answer at other gateways. */
  readonly #names = new Map<Attachment, string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSettled = false;

  constructor(question: AskedIn, parts: QuestionsParts) {
    this.#question = question;
    this.#parts = parts;
  }

  ask(attachment: Attachment): void {
    if (this.#isSettled || this.#asked.has(attachment) || this.#passed.has(attachment)) return;
    if (!this.#mayAnswer(attachment) || !this.#canAnswer(attachment)) return;
    clearTimeout(this.#timer);
    if (!this.#isAttended) this.#parts.reportToOwner(this.#question.event, true);
    const withdrawal = new AbortController();
    this.#asked.set(attachment, withdrawal);
    void this.#answerOf(attachment, withdrawal.signal).then(
      (answer) => {
        if (this.#isSettled || !this.#asked.delete(attachment)) return;
        const name = attachment.isGateway ? this.#names.get(attachment) : attachment.principal.name;
        if (isDecision(answer)) return this.#parts.answer(this.#question, answer, name);
        this.#passed.add(attachment);
        // All attachments got the question, and none decided it.
        if (this.#asked.size === 0) this.#parts.answer(this.#question, answer, name);
      },
      () => {
        // The client refused the question, or has left.
        if (!this.#asked.delete(attachment)) return;
        this.#passed.add(attachment);
        this.wait();
      },
    );
  }

  left(attachment: Attachment): void {
    this.#asked.get(attachment)?.abort();
    this.#asked.delete(attachment);
    this.#passed.delete(attachment);
    this.#unattended.delete(attachment);
    if (this.#isSettled) return;
    if (this.#parts.settings.options.answers === "prompter" && this.#asked.size === 0) {
      for (const other of this.#parts.attachments()) if (other !== attachment) this.ask(other);
    }
    this.wait();
  }

  noted(attachment: Attachment, { name, isAttended }: QuestionNote): void {
    if (!this.#asked.has(attachment)) return;
    if (name !== undefined) this.#names.set(attachment, name);
    if (isAttended === true) {
      this.#unattended.delete(attachment);
      clearTimeout(this.#timer);
    } else if (isAttended === false) {
      this.#unattended.add(attachment);
      this.wait();
    }
  }

  get #isAttended(): boolean {
    return [...this.#asked.keys()].some((attachment) => !this.#unattended.has(attachment));
  }

  /** Starts the time after which an unattended question is decided, if no attachment has the question. */
  wait(): void {
    if (this.#isSettled || this.#isAttended) return;
    clearTimeout(this.#timer);
    if (this.#parts.reportToOwner(this.#question.event, false)) return;
    this.#timer = setTimeout(() => this.#decide(), this.#parts.settings.unattendedMs);
  }

  settle(): void {
    this.#isSettled = true;
    clearTimeout(this.#timer);
    for (const withdrawal of this.#asked.values()) withdrawal.abort();
    this.#asked.clear();
  }

  #decide(): void {
    const { event, sessionId } = this.#question;
    if (event.type === "elicitation_asked") return this.#parts.answer(this.#question, { action: "cancel" }, undefined);
    const { unattended = reject } = this.#parts.settings.options;
    try {
      this.#parts.answer(this.#question, unattended(event), undefined);
    } catch (error) {
      const message = "The policy for unattended questions failed, and the question was cancelled.";
      this.#parts.settings.report({ code: "handler_failed", sessionId, message, error });
      this.#parts.answer(this.#question, { outcome: "cancelled" }, undefined);
    }
  }

  #mayAnswer(attachment: Attachment): boolean {
    if (attachment.isOver || isObserver(attachment.principal)) return false;
    const { answers = "first" } = this.#parts.settings.options;
    // Another gateway applies the function to the principals of its clients.
    if (typeof answers === "function" && attachment.isGateway) return true;
    if (typeof answers === "function") return this.#accepts(answers, attachment.principal);
    const author = this.#parts.author();
    return answers === "first" || author === undefined || author.isOver || author === attachment;
  }

  #accepts(policy: (principal: Principal) => boolean, principal: Principal): boolean {
    try {
      return policy(principal);
    } catch (error) {
      const { sessionId } = this.#question;
      const message = "The policy for answers failed, and the client was not asked.";
      this.#parts.settings.report({ code: "handler_failed", sessionId, message, error });
      return false;
    }
  }

  #canAnswer({ driver }: Attachment): boolean {
    const { event } = this.#question;
    if (event.type === "permission_asked") return true;
    const { form, url } = driver.client.capabilities.elicitation;
    return (event.mode === "form" && form) || (event.mode === "url" && url);
  }

  /** Sends the question to one attachment, after every earlier update, and returns its answer. */
  async #answerOf(attachment: Attachment, signal: AbortSignal): Promise<Answer> {
    await attachment.whenCurrent();
    if (signal.aborted) throw RpcError.requestCancelled();
    const { event } = this.#question;
    // A client without support for child sessions is asked in the session itself.
    const { childStates } = attachment.driver;
    const sessionId = childStates === undefined ? this.#parts.rootId : this.#question.sessionId;
    const _meta = attachment.isGateway ? { ...event._meta, [QUESTION]: event.requestId } : event._meta;
    if (event.type === "permission_asked") {
      const { type: _, requestId: __, ...asked } = event;
      const subject = currentSubject(event, this.#parts.state(this.#question.sessionId));
      const question = { ...asked, ...(subject && { subject }), ...(_meta != null && { _meta }) };
      return attachment.driver.askPermission(sessionId, question, signal);
    }
    const { type: _, requestId: __, toolCallId, ...asked } = event;
    const question = { ...asked, ...(_meta != null && { _meta }) };
    return attachment.driver.elicit({ ...question, scope: { sessionId, ...(toolCallId && { toolCallId }) } }, signal);
  }
}

/**
 * Returns the subject of a question, with the current status of its tool call. The status may have changed since the
 * question.
 */
function currentSubject(
  { subject, requestId }: Extract<Asked, { readonly type: "permission_asked" }>,
  state: SessionState,
): PermissionQuestion["subject"] {
  if (subject?.type !== "tool_call" || !("toolCall" in subject) || subject.toolCall.status == null) return subject;
  const { toolCall } = pendingQuestions(state).find(({ question }) => question.requestId === requestId) ?? {};
  return toolCall ? { ...subject, toolCall: { ...subject.toolCall, status: toolCall.status } } : subject;
}

const isDecision = (answer: Answer): boolean =>
  "outcome" in answer ? answer.outcome === "selected" : answer.action !== "cancel";

/** Selects the only option that rejects once. */
function reject({ options }: PermissionQuestion): PermissionOutcome {
  const [option, another] = options.filter(({ kind }) => kind === "reject_once");
  if (option === undefined || another !== undefined) return { outcome: "cancelled" };
  return { outcome: "selected", optionId: option.optionId };
}

/** Returns the tool call that a question describes. */
export function toolCallOf(event: Asked): ToolCallPatch | undefined {
  if (event.type === "elicitation_asked") return undefined;
  const { subject } = event;
  return subject?.type === "tool_call" && "toolCall" in subject ? subject.toolCall : undefined;
}

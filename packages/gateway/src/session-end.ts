import { RpcError } from "@turnkit/transport";
import type { AgentIntake } from "./agent-intake.js";
import type { Attachment } from "./attachment.js";
import { LEAVING } from "./between-gateways.js";
import type { Conversation, Ending } from "./conversation.js";
import type { DurableChannel } from "./durable-channel.js";
import type { Settings } from "./gateway-options.js";
import type { Questions } from "./questions.js";
import type { SessionPlace } from "./session-place.js";
import type { SessionRecord } from "./session-record.js";
import type { SharedPrompts } from "./shared-prompts.js";
import { shutDown } from "./stored-turns.js";

/** Parts of the end of a session. */
export type SessionEndParts = {
  readonly id: string;
  readonly settings: Settings;
  readonly record: SessionRecord;
  readonly conversation: Conversation;
  readonly prompts: SharedPrompts;
  readonly questions: Questions;
  readonly intake: AgentIntake;
  readonly place: SessionPlace;
  /** Channels to other gateways that have the session open. */
  readonly gateways: ReadonlySet<DurableChannel>;
  /** Removes an attachment. Called at the end for each remaining attachment. */
  readonly left: (attachment: Attachment) => void;
  /** Called when the session is closed in its agent, and its log is closed. */
  readonly released: () => void;
};

/**
 * End of a session at this gateway: a client ends the session, the gateway ends, or the session was unused for a time.
 */
// SHARE-09
export class SessionEnd {
  readonly #parts: SessionEndParts;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #releasing: Promise<void> | undefined;
  /** True if the session ends only at this gateway, and may continue at another gateway. */
  #goesOn = false;

  constructor(parts: SessionEndParts) {
    this.#parts = parts;
  }

  /** Promise of the end, if the session is ending. */
  get releasing(): Promise<void> | undefined {
    return this.#releasing;
  }

  /** Ends the session after a time without attachments, prompts and questions. */
  restSoon(): void {
    clearTimeout(this.#timer);
    const { conversation, prompts, questions, settings } = this.#parts;
    if (conversation.audience.size > 0 || this.#releasing !== undefined) return;
    this.#timer = setTimeout(() => {
      const isIdle = prompts.isEmpty && questions.isEmpty && conversation.state.activity.state === "idle";
      if (isIdle) void this.release();
      else this.restSoon();
    }, settings.idleMs);
  }

  /** Stops the wait of {@link restSoon}, because the session is used. */
  stay(): void {
    clearTimeout(this.#timer);
  }

  /** Ends the session in the agent, sends the end of its work to all clients, and closes its log. */
  release(ending?: Ending): Promise<void> {
    if (this.#releasing !== undefined) return this.#releasing;
    this.#goesOn = ending === undefined;
    this.#releasing = this.#release(ending);
    return this.#releasing;
  }

  /**
   * Returns the error for a prompt while the session ends. If the session can continue, another gateway then sends the
   * prompt to the next owner.
   */
  refusal({ isGateway }: Attachment): RpcError {
    const leaving = isGateway && this.#goesOn && { [LEAVING]: true };
    return RpcError.resourceNotFound({ sessionId: this.#parts.id, ...leaving });
  }

  async #release(ending: Ending | undefined): Promise<void> {
    const { id, settings, record, conversation, prompts, questions, intake, place, gateways } = this.#parts;
    this.stay();
    // A turn that no client has cancelled is reported as interrupted.
    const end = this.#goesOn && place.isHere ? shutDown : { stopReason: "cancelled" as const };
    intake.sessionCloses(end);
    prompts.sessionCloses(end);
    prompts.cancelUnsent();
    await place.leave(ending).catch((error: unknown) => {
      const message = "A session could not be closed in its agent.";
      settings.report({ code: "handler_failed", sessionId: id, message, error });
    });
    // The agent may send events until its prompts have ended.
    await prompts.allEnded();
    if (conversation.state.activity.state !== "idle")
      await conversation.publishEnd({ type: "state_update", state: "idle", ...end }, id);
    intake.close();
    questions.close();
    if (ending !== undefined) conversation.publishEnding(ending);
    await Promise.all([...gateways].map((gateway) => gateway.settled()));
    for (const attachment of [...conversation.audience.all]) this.#parts.left(attachment);
    await record.close();
    this.#parts.released();
  }
}

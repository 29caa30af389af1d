import type { ElicitationAnswer } from "@turnkit/session";
import {
  createElicitations,
  type ElicitationHandler,
  type ElicitationHandlers,
  type Elicitations,
  type FormRequest,
  type UrlRequest,
} from "../elicitations.js";
import { askWithTimeout } from "./ask-with-timeout.js";
import type { AuditEvent } from "./audit-event.js";

/** How questions for the person are brokered. What is present is advertised. */
export type ElicitationBrokerOptions = ElicitationHandlers & {
  /** How long a person may take, in milliseconds; then the question is cancelled. No limit unless given. */
  readonly timeoutMs?: number;
  /** Told every decision, without the person's answers. If it throws, the question is cancelled. */
  readonly audit?: (event: AuditEvent) => void;
};

/**
 * Puts the agent's questions to a person, for `options.elicitations`, within a time and with an audit trail. There are no
 * rules here: what is for a person is never answered without one.
 */
export function createElicitationBroker(options: ElicitationBrokerOptions): Elicitations {
  const { form, url } = options;
  return createElicitations({
    ...(form && { form: brokered(form, options) }),
    ...(url && { url: brokered(url, options) }),
  });
}

function brokered<R extends FormRequest | UrlRequest>(
  ask: ElicitationHandler<R>,
  { timeoutMs, audit }: ElicitationBrokerOptions,
): ElicitationHandler<R> {
  return async (request, signal) => {
    const { session } = request;
    const about = session && { sessionId: session.id, requestId: request.requestId };
    let told: ElicitationAnswer["action"] | undefined;
    const tell = (by: Decided["by"], outcome: ElicitationAnswer["action"], error?: unknown) => {
      told = outcome;
      audit?.({
        type: "decided",
        at: Date.now(),
        question: request.mode,
        ...about,
        by,
        outcome,
        ...(error ? { error } : {}),
      });
    };
    const actual = () => (signal.reason as Partial<ElicitationAnswer> | undefined)?.action ?? "cancel";
    const correct = () => {
      if (session === undefined || told === undefined || told === actual()) return;
      try {
        tell("elsewhere", actual());
      } catch {
        // It is settled: there is nothing left to cancel.
      }
    };
    // Fires when the question is settled, by whomever: something else may be quicker by a moment.
    signal.addEventListener("abort", correct, { once: true });
    const isShown = () =>
      session?.state.pendingElicitations.some(({ requestId }) => requestId === request.requestId) === true;
    try {
      const reply = await askWithTimeout((withdrawn) => ask(request, withdrawn), { signal, timeoutMs, isShown });
      if (reply.by === "elsewhere" || signal.aborted) {
        tell("elsewhere", actual());
        return undefined;
      }
      if (reply.by === "person") {
        tell("person", reply.answer.action);
        return reply.answer;
      }
      tell(reply.by, "cancel");
      return { action: "cancel" };
    } catch (error) {
      tell("failure", "cancel", error);
      throw error;
    }
  };
}

type Decided = Extract<AuditEvent, { type: "decided" }>;

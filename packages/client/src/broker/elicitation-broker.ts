import type { ElicitationAnswer } from "@turnkit/session";
import { checkArgument, checkOptions, type OptionTypes, reporter } from "@turnkit/transport";
import {
  createElicitations,
  type ElicitationHandler,
  type ElicitationHandlers,
  type Elicitations,
  type FormRequest,
  type UrlRequest,
} from "../elicitations.js";
import { askWithTimeout } from "./ask-with-timeout.js";
import type { Audit, Decided } from "./audit-trail.js";

/** Handlers of an elicitation broker, with its options. The client advertises the modes of the handlers. */
export type ElicitationBrokerOptions = ElicitationHandlers & {
  /**
   * Time for the person's answer, in milliseconds. After this time the question is cancelled.
   * @defaultValue no limit
   */
  readonly timeoutMs?: number;
  /** Receives every decision, without the person's answers. An exception or a rejected promise cancels the question. */
  readonly audit?: Audit;
};

const NAMES: OptionTypes<ElicitationBrokerOptions> = {
  ...{ form: "function", url: "function", timeoutMs: "count", audit: "function" },
};

/**
 * Makes elicitation handlers with a timeout and an audit trail, for `options.elicitations`. Unlike the permission broker,
 * this broker has no rules: only a person answers.
 */
export function createElicitationBroker(options: ElicitationBrokerOptions): Elicitations {
  checkArgument(typeof options === "object" && options !== null, "createElicitationBroker", {
    ...{ got: options, remedy: "pass handlers such as { form: (question) => ask(question) }" },
  });
  checkOptions("createElicitationBroker", options, NAMES);
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
  const report = reporter(undefined);
  return async (request, signal) => {
    const { session } = request;
    const about = session && { sessionId: session.id, requestId: request.requestId };
    let recorded: ElicitationAnswer["action"] | undefined;
    const record = async (by: Decided["by"], outcome: ElicitationAnswer["action"], error?: unknown) => {
      recorded = outcome;
      await audit?.({
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
    const correct = async () => {
      if (session === undefined || recorded === undefined || recorded === actual()) return;
      try {
        await record("elsewhere", actual());
      } catch {
        // The question is settled: nothing is left to cancel.
      }
    };
    // Aborts when the question is settled: another decision may come first.
    signal.addEventListener("abort", () => void correct(), { once: true });
    // A question of a session that ended is settled, or a restored session shows it.
    const isShown = () =>
      session !== undefined &&
      (session.state.closed ||
        session.state.pendingElicitations.some(({ requestId }) => requestId === request.requestId));
    try {
      const patience = { signal, timeoutMs, isShown, report };
      const reply = await askWithTimeout((withdrawn) => ask(request, withdrawn), patience);
      if (reply.by === "elsewhere" || signal.aborted) {
        await record("elsewhere", actual());
        return undefined;
      }
      if (reply.by === "person") {
        await record("person", reply.answer.action);
        return reply.answer;
      }
      await record(reply.by, "cancel");
      return { action: "cancel" };
    } catch (error) {
      // The audit may reject after the question was settled. The agent has that decision.
      await (signal.aborted ? record("elsewhere", actual(), error) : record("failure", "cancel", error));
      throw error;
    }
  };
}

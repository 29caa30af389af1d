import type { ElicitationAnswer, ElicitationQuestion } from "@turnkit/session";
import type { InboundCall } from "@turnkit/transport";
import { Cancellation } from "./cancellation.js";
import type { ClientInfo, Driver } from "./driver/driver.js";
import { Elicitations } from "./elicitations.js";

/** A request of the client that belongs to no session, while it is being answered. */
export interface ClientCall {
  /** Who asks, and what it can do. */
  readonly client: ClientInfo;
  /**
   * Asks the person for what this request needs, such as the account to log in with; never for secrets in a form. Like
   * {@link Turn.elicit}: never rejects, and withdrawn when the request is cancelled or was answered.
   *
   * @throws AcpError `capability` if the client lacks the mode: have another way
   */
  elicit(question: ElicitationQuestion): Promise<ElicitationAnswer>;
  /** What a person was asked to do at a URL, by this request, is done. */
  completeElicitation(elicitationId: string): void;
}

/** A call as the handler that answers it sees it. */
export function openClientCall(driver: Driver, call: InboundCall): ClientCall {
  const elicitations = new Elicitations(driver);
  const lifetime = new Cancellation();
  const end = (): void => lifetime.cancel("The request is over.");
  call.afterResponse(end);
  let watched = false;
  return {
    client: driver.client,
    async elicit(question) {
      elicitations.check(question);
      if (!watched) call.signal.addEventListener("abort", end, { once: true });
      watched = true;
      const { id: requestId = null } = call.message;
      // Ids above 2^53 can be answered, and not be named in params.
      const canAsk = typeof requestId !== "bigint" && !call.signal.aborted && !lifetime.isCancelled;
      return canAsk ? elicitations.ask(question, { requestId }, lifetime.signal) : { action: "cancel" };
    },
    completeElicitation: (elicitationId) => void elicitations.complete(elicitationId),
  };
}

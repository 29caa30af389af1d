import type { ElicitationAnswer, ElicitationQuestion } from "@turnkit/session";
import type { InboundCall } from "@turnkit/transport";
import { Cancellation } from "./cancellation.js";
import type { ClientInfo } from "./client-info.js";
import type { Driver } from "./driver/driver.js";
import { Elicitations } from "./elicitations.js";

/** Request of the client that belongs to no session, while it is being answered. */
export interface ClientCall {
  /** Client that sent the request. */
  readonly client: ClientInfo;
  /**
   * Asks the person for input that this request needs, such as the account to log in with. Never ask for secrets in a form.
   * A refusal and a failure count as a cancel, as in {@link Turn.elicit}. The question is withdrawn when the request is cancelled or answered.
   *
   * @throws AcpError `capability` if the client lacks the mode: have another way
   */
  elicit(question: ElicitationQuestion): Promise<ElicitationAnswer>;
  /** Reports that the person did what this request asked for at a URL. */
  completeElicitation(elicitationId: string): void;
}

/** Returns a call as the handler that answers it sees it. `report` receives failures of its questions. */
export function openClientCall(
  driver: Driver,
  call: InboundCall,
  report: (message: string, error: unknown) => void,
): ClientCall {
  const elicitations = new Elicitations(driver, report);
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
      // Ids above 2^53 can be answered, but params cannot name them.
      const canAsk = typeof requestId !== "bigint" && !call.signal.aborted && !lifetime.isCancelled;
      return canAsk ? elicitations.ask(question, { requestId }, lifetime.signal) : { action: "cancel" };
    },
    completeElicitation: (elicitationId) => void elicitations.complete(elicitationId),
  };
}

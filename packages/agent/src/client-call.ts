import type { ElicitationAnswer, ElicitationQuestion } from "@turnkit/session";
import type { InboundCall } from "@turnkit/transport";
import { Cancellation } from "./cancellation.js";
import type { ClientInfo } from "./client-info.js";
import type { Driver } from "./driver/driver.js";
import { Elicitations } from "./elicitations.js";

/** Request of the client that is being answered and belongs to no session. */
export interface ClientCall {
  /** Client that sent the request. */
  readonly client: ClientInfo;
  /**
   * Asks a person for input that this request needs, such as the account for the login. Never ask for secrets in a form. A
   * refusal or a failure is returned as a cancel, as in {@link Turn.elicit}. The question is withdrawn when the request is
   * cancelled or answered.
   *
   * @throws AcpError `capability` if the client does not support the mode of the question
   */
  elicit(question: ElicitationQuestion): Promise<ElicitationAnswer>;
  /** Reports that a person finished the work at the URL of an earlier question. */
  completeElicitation(elicitationId: string): void;
}

/** Returns the object that the handler of a call gets. `report` receives failures of the call's questions. */
export function openClientCall(
  driver: Driver,
  call: InboundCall,
  report: (message: string, error: unknown, code?: "invalid_message") => void,
): ClientCall {
  const elicitations = new Elicitations(driver, report);
  const lifetime = new Cancellation();
  const end = (): void => lifetime.cancel("The request has ended.");
  call.afterResponse(end);
  let watched = false;
  return {
    client: driver.client,
    async elicit(question) {
      elicitations.check(question);
      if (!watched) call.signal.addEventListener("abort", end, { once: true });
      watched = true;
      const { id: requestId = null } = call.message;
      // An id above 2^53 can be answered, but the params of a question cannot contain the id.
      const canAsk = typeof requestId !== "bigint" && !call.signal.aborted && !lifetime.isCancelled;
      return canAsk ? elicitations.ask(question, { requestId }, lifetime.signal) : { action: "cancel" };
    },
    completeElicitation: (elicitationId) => void elicitations.complete(elicitationId),
  };
}

import type { ElicitationAnswer, ElicitationQuestion, ElicitationScope } from "@turnkit/session";
import { checkFormAnswer } from "@turnkit/session/form";
import {
  AcpError,
  asSentence,
  CapabilityError,
  checkArgument,
  dropOldest,
  isAcpError,
  isRpcError,
  rpcErrorCode,
  textOf,
} from "@turnkit/transport";
import type { Driver } from "./driver/driver.js";

const CANCEL: ElicitationAnswer = { action: "cancel" };

/**
 * Maximum number of open requests at a URL. A further request removes the oldest, because a person may never finish one.
 */
const MAX_URL_REQUESTS = 1_000;

const BREAKS_RULES =
  "The client accepted an elicitation with content that its form does not allow. It counts as cancelled.";

type Report = (message: string, error: unknown, code?: "invalid_message") => void;

// V1-ELIC-20
/**
 * Questions to a person, for one session or one request. Only the client that got a question gets the report of its end.
 */
export class Elicitations {
  readonly #driver: Driver;
  /** Reports a failed question. A failed question counts as cancelled. */
  readonly failed: (error: unknown) => void;
  readonly #report: Report;
  /** Ids of the open requests at a URL that this session or request made. */
  readonly #urlRequests = new Set<string>();

  /** @param report receives failures of questions, also error answers of the client */
  constructor(driver: Driver, report: Report) {
    this.#driver = driver;
    this.#report = report;
    this.failed = (error) =>
      report(`An elicitation failed, and counts as cancelled: ${sentenceOf(error)}`, error, faultOf(error));
  }

  // V1-ELIC-17, V1-ELIC-11, V2-ELI-09
  /**
   * Checks a question before it is sent.
   *
   * @throws CapabilityError if the client does not support the mode
   * @throws AcpError `invalid_message` for a URL with credentials
   * @throws AcpError `state` if an open request at a URL has the same id
   */
  check(question: ElicitationQuestion): void {
    const { mode } = question;
    const modes: Readonly<Record<string, boolean>> = this.#driver.client.capabilities.elicitation;
    checkArgument(modes[mode] !== undefined, "elicit mode", { got: mode, remedy: "pass form or url" });
    if (modes[mode] !== true) {
      throw new CapabilityError(`The client does not support elicitation by ${mode}. Check its capabilities first.`);
    }
    if ("url" in question && holdsCredentials(question.url)) {
      // The error does not contain the URL, because a log must not contain a password.
      throw new AcpError(
        "invalid_message",
        "The URL of an elicitation contains credentials. Let the person log in at the URL.",
      );
    }
    if ("elicitationId" in question && this.#driver.urlRequests.has(question.elicitationId)) {
      throw new AcpError(
        "state",
        `An open elicitation already has the id ${question.elicitationId}. Complete it, or use another id.`,
      );
    }
  }

  /** Asks a person. Never rejects. Returns `cancel` after a failure, and for content that the form does not allow. */
  async ask(question: ElicitationQuestion, scope: ElicitationScope, signal: AbortSignal): Promise<ElicitationAnswer> {
    const id = "elicitationId" in question ? question.elicitationId : undefined;
    if (id !== undefined) {
      for (const ids of [this.#urlRequests, this.#driver.urlRequests]) {
        ids.add(id);
        dropOldest(ids, MAX_URL_REQUESTS);
      }
    }
    let answer = CANCEL;
    try {
      const given = await this.#driver.elicit({ ...question, scope }, signal);
      if (conforms(question, given)) answer = given;
      else this.#report(BREAKS_RULES, undefined, "invalid_message");
    } catch (error) {
      // A failed question must not count as consent.
      if (isFault(error, signal)) this.failed(error);
    }
    // Without consent, no work at the URL begins, so it cannot be completed.
    if (id !== undefined && answer.action !== "accept") this.#driver.urlRequests.delete(id);
    return answer;
  }

  /** Reports once that the work at a URL is done. Returns true if this session or request had asked for the work. */
  complete(elicitationId: string): boolean {
    if (!this.#urlRequests.delete(elicitationId)) return false;
    this.#driver.urlRequests.delete(elicitationId);
    this.#driver.completeElicitation(elicitationId);
    return true;
  }
}

/**
 * Returns true for a failure of a question that must be reported. Withdrawals by either side, and the end of the
 * connection, are not reported.
 */
export function isFault(error: unknown, { aborted }: AbortSignal): boolean {
  return !aborted && !isRpcError(error, rpcErrorCode.requestCancelled) && !isAcpError(error, "connection_closed");
}

/** Returns the code for the diagnostic about a malformed answer of the client. */
export function faultOf(error: unknown): "invalid_message" | undefined {
  return isAcpError(error, "invalid_message") ? "invalid_message" : undefined;
}

/** Returns the message of an error as a sentence. */
export const sentenceOf = (error: unknown): string => asSentence(textOf(error));

// V1-ELIC-13: the client has checked the content; it is checked again.
/** Returns true unless accepted content breaks the rules of its form. */
function conforms(question: ElicitationQuestion, answer: ElicitationAnswer): boolean {
  if (answer.action !== "accept" || !("requestedSchema" in question)) return true;
  return checkFormAnswer(question.requestedSchema, answer.content ?? {}).length === 0;
}

/** Returns true for a URL with a name or a password before the host. The schema has already refused text that is not a URL. */
function holdsCredentials(url: string): boolean {
  return /^[a-z][a-z\d+.-]*:[\\/]*[^\\/?#]*@/i.test(url) && !/^(mailto|tel|sip|xmpp):/i.test(url);
}

import type { ElicitationAnswer, ElicitationQuestion, ElicitationScope } from "@turnkit/session";
import { checkFormAnswer } from "@turnkit/session/form";
import { AcpError, CapabilityError, isAcpError, isRpcError } from "@turnkit/transport";
import type { Driver } from "./driver/driver.js";

const CANCEL: ElicitationAnswer = { action: "cancel" };

/** Most requests at a URL that are open. Beyond it the oldest is forgotten, since a person may never come back. */
const MAX_URL_REQUESTS = 1_000;

// V1-ELIC-20
/** Questions to the person, of one session or one request. Their ends are reported only to the client that was asked. */
export class Elicitations {
  readonly #driver: Driver;
  /** Reports a failed question, which counts as cancelled. */
  readonly failed: (error: unknown) => void;
  /** Ids of the open requests at a URL, of this session or request. */
  readonly #urlRequests = new Set<string>();

  /** @param report receives failures of questions other than an error answer of the client */
  constructor(driver: Driver, report: (message: string, error: unknown) => void) {
    this.#driver = driver;
    this.failed = (error) => report("An elicitation failed, and counts as cancelled.", error);
  }

  // V1-ELIC-17, V1-ELIC-11, V2-ELI-09
  /**
   * Checks a question before it is asked.
   *
   * @throws CapabilityError if the client does not take the mode
   * @throws AcpError `invalid_message` for a URL with credentials
   * @throws AcpError `state` for the id of an open request at a URL
   */
  check(question: ElicitationQuestion): void {
    const { mode } = question;
    const modes: Readonly<Record<string, boolean>> = this.#driver.client.capabilities.elicitation;
    if (modes[mode] !== true) {
      throw new CapabilityError(`The client takes no elicitation by ${mode}: look at its capabilities first.`);
    }
    if ("url" in question && holdsCredentials(question.url)) {
      // Without the URL: a log of the message must not hold a password.
      throw new AcpError("invalid_message", "An elicitation's URL holds credentials: let the person log in at it.");
    }
    if ("elicitationId" in question && this.#driver.urlRequests.has(question.elicitationId)) {
      throw new AcpError(
        "state",
        `An elicitation has the id ${question.elicitationId} already: complete it, or take another.`,
      );
    }
  }

  /** Asks the person. Never rejects: a failure, and content that the form does not allow, are `cancel`. */
  async ask(question: ElicitationQuestion, scope: ElicitationScope, signal: AbortSignal): Promise<ElicitationAnswer> {
    const id = "elicitationId" in question ? question.elicitationId : undefined;
    if (id !== undefined) {
      addWithin(this.#urlRequests, id);
      addWithin(this.#driver.urlRequests, id);
    }
    let answer = CANCEL;
    try {
      const given = await this.#driver.elicit({ ...question, scope }, signal);
      if (conforms(question, given)) answer = given;
    } catch (error) {
      // A failure is no consent.
      if (isFault(error, signal)) this.failed(error);
    }
    // Without consent there is nothing to complete.
    if (id !== undefined && answer.action !== "accept") this.#driver.urlRequests.delete(id);
    return answer;
  }

  /** Reports, once, that a request at a URL is done. Returns true if it was asked for here. */
  complete(elicitationId: string): boolean {
    if (!this.#urlRequests.delete(elicitationId)) return false;
    this.#driver.urlRequests.delete(elicitationId);
    this.#driver.completeElicitation(elicitationId);
    return true;
  }
}

/** Returns true for a failure of a question on this side: no error answer, no withdrawal and no end of the connection. */
export function isFault(error: unknown, { aborted }: AbortSignal): boolean {
  return !aborted && !isRpcError(error) && !isAcpError(error, "connection_closed");
}

function addWithin(ids: Set<string>, id: string): void {
  ids.add(id);
  const [oldest] = ids.size > MAX_URL_REQUESTS ? ids : [];
  if (oldest !== undefined) ids.delete(oldest);
}

// V1-ELIC-13: the client has checked the content; it is checked again.
/** Returns true unless accepted content breaks the rules of its form. */
function conforms(question: ElicitationQuestion, answer: ElicitationAnswer): boolean {
  if (answer.action !== "accept" || !("requestedSchema" in question)) return true;
  return checkFormAnswer(question.requestedSchema, answer.content ?? {}).length === 0;
}

/** Returns true for a URL with a name or a password before the host. The schema refuses text that is no URL. */
function holdsCredentials(url: string): boolean {
  return /^[a-z][a-z\d+.-]*:[\\/]*[^\\/?#]*@/i.test(url) && !/^(mailto|tel|sip|xmpp):/i.test(url);
}

import type { ElicitationAnswer, ElicitationQuestion, ElicitationScope } from "@turnkit/session";
import { checkFormAnswer } from "@turnkit/session/form";
import { AcpError, CapabilityError } from "@turnkit/transport";
import type { Driver } from "./driver/driver.js";

const CANCEL: ElicitationAnswer = { action: "cancel" };

/** Errands of one connection whose end was not told; beyond it the oldest is forgotten. Nobody has to come back from one. */
const MAX_ERRANDS = 1_000;

/** Ids of the errands that are not over, all sessions and requests together: a driver serves one connection. */
const outstanding = new WeakMap<Driver, Set<string>>();

/**
 * What the person is asked in one session, or for one request. It belongs to the connection: answers come back to the
 * questions that were sent over it, and ends are told to nobody but the client that was asked (V1-ELIC-20).
 */
export class Elicitations {
  readonly #driver: Driver;
  /** Errands at a URL whose end was not told. */
  readonly #errands = new Set<string>();
  readonly #outstanding: Set<string>;

  constructor(driver: Driver) {
    this.#driver = driver;
    this.#outstanding = outstanding.get(driver) ?? new Set();
    outstanding.set(driver, this.#outstanding);
  }

  /**
   * @throws CapabilityError if the client does not take such questions: nothing is asked in another way (V1-ELIC-17)
   * @throws AcpError `invalid_message` for a URL with credentials
   * @throws AcpError `state` for an id that an errand has which is not over (V1-ELIC-11, V2-ELI-09)
   */
  check(question: ElicitationQuestion): void {
    const { mode } = question;
    const modes: Readonly<Record<string, boolean>> = this.#driver.client.capabilities.elicitation;
    if (modes[mode] !== true) {
      throw new CapabilityError(`The client takes no elicitation by ${mode}: look at its capabilities first.`);
    }
    if ("url" in question && holdsCredentials(question.url)) {
      // Without the URL: whoever logs the message must not log a password.
      throw new AcpError("invalid_message", "An elicitation's URL holds credentials: let the person log in at it.");
    }
    if ("elicitationId" in question && this.#outstanding.has(question.elicitationId)) {
      throw new AcpError(
        "state",
        `An elicitation has the id ${question.elicitationId} already: complete it, or take another.`,
      );
    }
  }

  /** Never rejects: whoever fails to answer, or answers with what the form does not allow, did not say yes. */
  async ask(question: ElicitationQuestion, scope: ElicitationScope, signal: AbortSignal): Promise<ElicitationAnswer> {
    const id = "elicitationId" in question ? question.elicitationId : undefined;
    if (id !== undefined) {
      addWithin(this.#errands, id);
      addWithin(this.#outstanding, id);
    }
    let answer = CANCEL;
    try {
      const given = await this.#driver.elicit({ ...question, scope }, signal);
      if (conforms(question, given)) answer = given;
    } catch {
      // A client that fails to answer did not say yes.
    }
    // Who agreed to an errand is on it now; without that there is none.
    if (id !== undefined && answer.action !== "accept") this.#outstanding.delete(id);
    return answer;
  }

  /** Tells that an errand is done, once. Tells whether it was asked for here. */
  complete(elicitationId: string): boolean {
    if (!this.#errands.delete(elicitationId)) return false;
    this.#outstanding.delete(elicitationId);
    this.#driver.completeElicitation(elicitationId);
    return true;
  }
}

function addWithin(errands: Set<string>, id: string): void {
  errands.add(id);
  const [oldest] = errands.size > MAX_ERRANDS ? errands : [];
  if (oldest !== undefined) errands.delete(oldest);
}

/** The client has checked it; it is checked again here (V1-ELIC-13). */
function conforms(question: ElicitationQuestion, answer: ElicitationAnswer): boolean {
  if (answer.action !== "accept" || !("requestedSchema" in question)) return true;
  return checkFormAnswer(question.requestedSchema, answer.content ?? {}).length === 0;
}

/** A name or a password in front of the host. What is no URL at all is for the schema to say. */
function holdsCredentials(url: string): boolean {
  return /^[a-z][a-z\d+.-]*:[\\/]*[^\\/?#]*@/i.test(url) && !/^(mailto|tel|sip|xmpp):/i.test(url);
}

import type { PermissionOption, PermissionOutcome } from "@turnkit/session";
import { AcpError, checkArgument, checkOptions, type OptionTypes, reporter, withinGrace } from "@turnkit/transport";
import { redactSecrets } from "@turnkit/transport/trace";
import type { PermissionPolicy, PermissionRequest } from "../permissions.js";
import type { PermissionDecision } from "../session.js";
import { askWithTimeout } from "./ask-with-timeout.js";
import type { AuditEvent } from "./audit-event.js";
import { type Audit, auditTrail, type Decided, outcomeOf } from "./audit-trail.js";
import { checkRemember, DecisionMemory, type DecisionScope, type RememberOptions } from "./decision-store.js";
import { oneOf, optionNamed, verdictOfOption } from "./offered-options.js";
import { askedCall, factsOf, type IsInside, liesInside, type PermissionFacts } from "./permission-facts.js";

type Awaitable<T> = T | Promise<T>;

/**
 * Result of a rule. `undefined` leaves the question to the next step. `"ask"` leaves the question to the person, and no
 * decision about it is remembered.
 */
export type PermissionVerdict = "allow" | "reject" | "ask" | undefined;

/** Facts about a question for the interface that asks it. */
export type AskedAbout = {
  readonly facts: PermissionFacts;
  /** Scope and expiry of a permanent answer to the question. Absent if the broker would not remember the answer. */
  readonly always?: { readonly scope: DecisionScope; readonly expiresAt: number };
};

/** Options of a permission broker. The broker tries `policy`, then `remember`, then `ask`. */
export type PermissionBrokerOptions = {
  /** Rule that decides by machine-readable facts. */
  readonly policy?: (facts: PermissionFacts) => Awaitable<PermissionVerdict>;
  /**
   * Remembers permanent decisions of a person, and applies them to the same question.
   * @defaultValue nothing is remembered
   */
  readonly remember?: RememberOptions;
  /**
   * Asks a person. `"wait"` leaves the question in the state until `session.answer`.
   *
   * - In an interface that draws the state, use `() => "wait"`.
   * - In a program without a person, use `rejectOnce`.
   */
  readonly ask: (question: PermissionRequest, signal: AbortSignal, about: AskedAbout) => ReturnType<PermissionPolicy>;
  /**
   * Time in milliseconds for rules and memory, and the same time again for the person. After either time the question is
   * cancelled.
   * @defaultValue no limit
   */
  readonly timeoutMs?: number;
  /**
   * Checks whether a path is inside the roots. `isInsideRoots` of `./node` follows links.
   * @defaultValue a comparison of the text
   */
  readonly isInside?: IsInside;
  /** Receives every decision, before the broker returns it. An exception or a rejected promise cancels the question. */
  readonly audit?: Audit;
};

/**
 * Makes a permission policy, for `options.permissions`. The policy tries rules, then remembered decisions, then a person.
 * Every failure cancels the question.
 *
 * - A rule selects an `allow_once` or `reject_once` option. A remembered decision repeats the person's choice.
 * - Only a person selects an option of an unknown kind.
 * - Only a person answers a change of mode, or a choice between several ways to continue.
 *
 * @throws TypeError for an option of another type, and for an unknown scope of decisions
 *
 * @example
 * const permissions = createPermissionBroker({
 *   policy: ({ kind, place }) => (kind === "read" && place === "inside" ? "allow" : undefined),
 *   ask: () => "wait", // the interface draws `state.pendingPermissions`
 *   timeoutMs: 10 * 60_000,
 * });
 */
export function createPermissionBroker(options: PermissionBrokerOptions): PermissionPolicy {
  const remedy = "pass { ask }, such as { ask: rejectOnce }";
  checkArgument(typeof options === "object" && options !== null, "createPermissionBroker", { got: options, remedy });
  if (options.remember) checkRemember(options.remember);
  checkOptions("createPermissionBroker", options, NAMES, { remedies: { rules: "Do you mean policy?" } });
  const broker = new PermissionBroker(options);
  let isReported = false;
  return async (request, signal) => {
    const decision = await broker.decide(request, signal);
    if (!broker.lacksPerson || isReported) return decision;
    isReported = true;
    // The session cancels the question and reports the error, which a cancel alone would not do.
    throw new AcpError("state", "The broker has no `ask`, so nobody can answer. Pass `ask`, such as rejectOnce.");
  };
}

const NAMES: OptionTypes<PermissionBrokerOptions> = {
  ...{
    policy: "function",
    remember: "any",
    ask: "function",
    timeoutMs: "count",
    isInside: "function",
    audit: "function",
  },
};

type Case = {
  readonly request: PermissionRequest;
  readonly facts: PermissionFacts;
  readonly signal: AbortSignal;
  /** False until the rule has decided, and if the rule returns `"ask"`. Such a decision is not remembered. */
  mayRemember: boolean;
  /** True if the state still shows the tool call of the facts. Fixed when the question is settled. */
  isUnchanged: () => boolean;
  /** Last decision that `audit` received. */
  decision?: Pick<Decided, "outcome" | "optionId">;
};

/** Decision without a person. A decision without an option is a cancel. */
type Own = { readonly by: "policy" | "memory"; readonly option: PermissionOption | undefined };

const CANCEL: PermissionDecision = { outcome: "cancelled" };

class PermissionBroker {
  /** True after a question that only a person could answer, if there is no `ask`. */
  lacksPerson = false;
  readonly #options: PermissionBrokerOptions;
  readonly #memory: DecisionMemory | undefined;
  readonly #report = reporter(undefined);
  readonly #send: Audit;

  constructor(options: PermissionBrokerOptions) {
    this.#options = options;
    this.#send = auditTrail(options.audit, this.#report);
    this.#memory = options.remember && new DecisionMemory(options.remember);
  }

  async decide(request: PermissionRequest, signal: AbortSignal): Promise<PermissionDecision | undefined> {
    const call = askedCall(request);
    // A restored session shows the question from then on, with a call of its own.
    let isUnchanged = (): boolean =>
      call === undefined || (!request.session.state.closed && askedCall(request) === call);
    // Aborts when the question is settled. The agent may change the call afterwards.
    const settle = (): void => {
      const atEnd = isUnchanged();
      isUnchanged = () => atEnd;
    };
    signal.addEventListener("abort", settle, { once: true });
    const facts = await factsOf(request, this.#options.isInside ?? liesInside);
    const one: Case = { request, facts, signal, mayRemember: false, isUnchanged: () => isUnchanged() };
    // The reason of the signal is the answer.
    signal.addEventListener("abort", () => void this.#correct(one), { once: true });
    try {
      const own = await inTime(this.#byItself(one), signal, this.#options.timeoutMs);
      if (signal.aborted) return await this.#settled(one);
      if (own === LATE) return await this.#choose(one, "timeout");
      return own === undefined || !one.isUnchanged()
        ? await this.#byPerson(one)
        : await this.#choose(one, own.by, own.option);
    } catch (error) {
      // The audit may reject after the question was settled. The agent has that decision.
      const valid = signal.aborted
        ? ({ by: "elsewhere", ...outcomeOf(settledBy(one)) } as const)
        : ({ by: "failure", outcome: "cancel" } as const);
      await this.#audit(one, { type: "decided", ...valid, error });
      throw error;
    }
  }

  async #byItself(one: Case): Promise<Own | undefined> {
    const { request, facts } = one;
    if (asksPerson(request, facts)) return undefined;
    const verdict = await this.#options.policy?.(facts);
    const isVerdict = verdict == null || verdict === "allow" || verdict === "reject" || verdict === "ask";
    const remedy = 'return "allow", "reject", "ask" or undefined';
    checkArgument(isVerdict, "createPermissionBroker policy", { got: verdict, remedy });
    if (verdict === "ask") return undefined;
    one.mayRemember = facts.subject !== "unknown";
    if (verdict === "reject") return { by: "policy", option: oneOf(request.options, ["reject_once"]) };
    if (verdict === "allow" && facts.subject !== "unknown") {
      const option = oneOf(request.options, ["allow_once"]);
      if (option !== undefined) return { by: "policy", option };
    }
    return this.#byMemory(one);
  }

  async #byMemory(one: Case): Promise<Own | undefined> {
    const { request, facts } = one;
    if (facts.subject === "unknown") return undefined;
    const verdict = await this.#stored(one, () => this.#memory?.recall(request.session, facts));
    if (verdict === undefined) return undefined;
    const option = oneOf(request.options, [`${verdict}_once`, `${verdict}_always`]);
    return option === undefined && verdict === "allow" ? undefined : { by: "memory", option };
  }

  async #byPerson(one: Case): Promise<PermissionDecision | undefined> {
    const { request, signal } = one;
    const { ask, timeoutMs } = this.#options;
    if (ask === undefined) {
      this.lacksPerson = true;
      return this.#choose(one, "nobody");
    }
    const { session, requestId } = request;
    // A question of a session that ended is settled, or a restored session shows it.
    const isShown = () =>
      session.state.closed || session.state.pendingPermissions.some((shown) => shown.requestId === requestId);
    const patience = { signal, timeoutMs, isShown, report: this.#report };
    const always = one.mayRemember ? this.#memory?.describe(session, one.facts) : undefined;
    const about = { facts: one.facts, ...(always && { always }) };
    const reply = await askWithTimeout((withdrawn) => ask(request, withdrawn, about), patience);
    if (reply.by === "elsewhere" || signal.aborted) return this.#settled(one);
    if (reply.by !== "person") return this.#choose(one, reply.by);
    const { answer } = reply;
    await this.#heed(one, "person", answer.outcome === "selected" ? optionNamed(request, answer.optionId) : undefined);
    // The session refuses an option that was not offered.
    return answer;
  }

  async #choose(one: Case, by: Decided["by"], option?: PermissionOption): Promise<PermissionDecision> {
    await this.#audit(one, { type: "decided", by, ...outcomeOf(option) });
    return option === undefined ? CANCEL : { outcome: "selected", optionId: option.optionId };
  }

  /** Records a decision that was made elsewhere. */
  async #settled(one: Case): Promise<undefined> {
    await this.#heed(one, "elsewhere", settledBy(one));
  }

  /** Reports the valid decision to `audit` if another decision was made first. */
  async #correct(one: Case): Promise<void> {
    const actual = outcomeOf(settledBy(one));
    if (one.decision === undefined || one.decision.optionId === actual.optionId) return;
    try {
      await this.#audit(one, { type: "decided", by: "elsewhere", ...actual });
    } catch {
      // The question is settled: nothing is left to cancel.
    }
  }

  /** Records the decision of a person. Remembers a permanent decision. */
  async #heed(one: Case, by: "person" | "elsewhere", chosen: PermissionOption | undefined): Promise<void> {
    const { request, facts, signal } = one;
    await this.#audit(one, { type: "decided", by, ...outcomeOf(chosen) });
    // Another decision may have settled the question during the audit.
    const option = signal.aborted ? settledBy(one) : chosen;
    if (option === undefined || !option.kind.endsWith("_always") || !one.mayRemember) return;
    // The person saw a newer version of the call than the facts describe.
    if (!one.isUnchanged()) return;
    const verdict = verdictOfOption(option);
    if (verdict === undefined) return;
    const kept = await this.#stored(one, () => this.#memory?.keep(request.session, facts, verdict));
    if (kept === undefined) return;
    await this.#audit(one, { type: "remembered", verdict: kept.verdict, expiresAt: kept.expiresAt });
  }

  /** Runs a store operation. Reports an exception to the audit and returns `undefined`. */
  async #stored<T>(one: Case, work: () => Promise<T> | undefined): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      await this.#audit(one, { type: "store_failed", error });
      return undefined;
    }
  }

  #audit(one: Case, event: AuditedEvent): unknown {
    const { input: _, ...facts } = one.facts;
    const { requestId, session } = one.request;
    const about = { at: Date.now(), question: "permission", sessionId: session.id, requestId } as const;
    if (event.type === "decided") one.decision = event;
    return this.#send({ ...about, facts: redactSecrets(facts) as typeof facts, ...event });
  }
}

/** Marker of a result that arrived after the timeout. */
const LATE = Symbol("late");

async function inTime<T>(
  work: Promise<T>,
  signal: AbortSignal,
  limitMs = Number.POSITIVE_INFINITY,
): Promise<T | typeof LATE> {
  const settled = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  const isInTime = await withinGrace(Promise.race([work, settled]), limitMs);
  return isInTime && !signal.aborted ? work : LATE;
}

type Of<E> = E extends AuditEvent ? Omit<E, "at" | "question" | "sessionId" | "requestId" | "facts"> : never;
type AuditedEvent = Of<AuditEvent>;

/** Returns true if only a person can answer, because the choice itself is the answer. */
// V1-PERM-10
function asksPerson({ options }: PermissionRequest, { kind }: PermissionFacts): boolean {
  return kind === "switch_mode" || options.filter((option) => option.kind === "allow_once").length > 1;
}

/** Returns the option that settled a question, or `undefined` if the question was cancelled. */
function settledBy({ request, signal }: Case): PermissionOption | undefined {
  const outcome = signal.reason as Partial<PermissionOutcome> | undefined;
  return outcome?.outcome === "selected" ? optionNamed(request, outcome.optionId as string) : undefined;
}

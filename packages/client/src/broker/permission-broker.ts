import type { PermissionOption, PermissionOutcome } from "@turnkit/session";
import { withinGrace } from "@turnkit/transport";
import { redactSecrets } from "@turnkit/transport/trace";
import type { PermissionDecision } from "../permission-decision.js";
import type { PermissionPolicy, PermissionRequest } from "../permissions.js";
import { askWithTimeout } from "./ask-with-timeout.js";
import type { AuditEvent } from "./audit-event.js";
import { DecisionMemory, type RememberOptions } from "./decision-store.js";
import { liesInside } from "./path-place.js";
import { factsOf, type IsInside, type PermissionFacts } from "./permission-facts.js";

type Awaitable<T> = T | Promise<T>;

/** What a rule says about a question; `undefined` leaves it to the next one who is asked. */
export type PermissionVerdict = "allow" | "reject" | undefined;

/** How permission questions are brokered. Who is asked first stands first. */
export type PermissionBrokerOptions = {
  /** Decides by what programs can read. */
  readonly policy?: (facts: PermissionFacts) => Awaitable<PermissionVerdict>;
  /** Keeps what a person decided for good, and decides the same question by it. Unless given, nothing is kept. */
  readonly remember?: RememberOptions;
  /**
   * Asks a person. `undefined` leaves the question in the state until `session.answer`: `() => undefined` for an
   * interface that draws the state. Absent: there is nobody, and what reaches this is cancelled.
   */
  readonly ask?: PermissionPolicy;
  /**
   * How long rules and the memory may take, and after them a person, each in milliseconds; then the question is cancelled.
   * No limit unless given.
   */
  readonly timeoutMs?: number;
  /** By the text of the path unless given; `isInsideRoots` of `./node` follows links. */
  readonly isInside?: IsInside;
  /** Told every decision, before it is sent where the broker makes it; if it throws then, the question is cancelled. */
  readonly audit?: (event: AuditEvent) => void;
};

/**
 * Answers permission questions, for `options.permissions`: by rules, by what a person decided for good before, then by a
 * person, and else not at all. It fails closed: whatever goes wrong cancels the question.
 *
 * By itself it only ever chooses an option for this once, or one for good that a person chose before; it never chooses
 * one whose kind nobody here knows. What is a question to a person goes to a person: a change of mode, and a choice
 * between several ways to go on.
 *
 * @example
 * const permissions = createPermissionBroker({
 *   policy: ({ kind, place }) => (kind === "read" && place === "inside" ? "allow" : undefined),
 *   ask: () => undefined, // the interface draws `state.pendingPermissions`
 *   timeoutMs: 10 * 60_000,
 * });
 */
export function createPermissionBroker(options: PermissionBrokerOptions): PermissionPolicy {
  const broker = new PermissionBroker(options);
  return (request, signal) => broker.decide(request, signal);
}

type Decided = Extract<AuditEvent, { type: "decided" }>;
type Case = {
  readonly request: PermissionRequest;
  readonly facts: PermissionFacts;
  readonly signal: AbortSignal;
  /** What the audit was told last. */
  told?: Pick<Decided, "outcome" | "optionId">;
};

/** What the broker decides without a person; without an option it cancels. */
type Own = { readonly by: "policy" | "memory"; readonly option: PermissionOption | undefined };

const CANCEL: PermissionDecision = { outcome: "cancelled" };

class PermissionBroker {
  readonly #options: PermissionBrokerOptions;
  readonly #memory: DecisionMemory | undefined;

  constructor(options: PermissionBrokerOptions) {
    this.#options = options;
    this.#memory = options.remember && new DecisionMemory(options.remember);
  }

  async decide(request: PermissionRequest, signal: AbortSignal): Promise<PermissionDecision | undefined> {
    const facts = await factsOf(request, this.#options.isInside ?? liesInside);
    const one: Case = { request, facts, signal };
    // Fires when the question is settled, by whomever; its reason is the answer.
    signal.addEventListener("abort", () => this.#correct(one), { once: true });
    try {
      const own = await inTime(this.#byItself(one), signal, this.#options.timeoutMs);
      if (signal.aborted) return await this.#settled(one);
      if (own === LATE) return this.#choose(one, "timeout");
      return own === undefined ? await this.#byPerson(one) : this.#choose(one, own.by, own.option);
    } catch (error) {
      this.#tell(one, { type: "decided", by: "failure", outcome: "cancel", error });
      throw error;
    }
  }

  async #byItself(one: Case): Promise<Own | undefined> {
    const { request, facts } = one;
    if (asksPerson(request, facts)) return undefined;
    const verdict = await this.#options.policy?.(facts);
    if (verdict === "reject") return { by: "policy", option: oneOf(request.options, ["reject_once"]) };
    if (verdict === "allow" && facts.subject !== "unknown") {
      const option = oneOf(request.options, ["allow_once"]);
      if (option !== undefined) return { by: "policy", option };
    }
    return this.#byMemory(one);
  }

  async #byMemory(one: Case): Promise<Own | undefined> {
    const { request, facts } = one;
    const verdict = await this.#stored(one, () => this.#memory?.recall(request.session, facts));
    if (verdict === undefined) return undefined;
    const option = oneOf(request.options, [`${verdict}_once`, `${verdict}_always`]);
    return option === undefined && verdict === "allow" ? undefined : { by: "memory", option };
  }

  async #byPerson(one: Case): Promise<PermissionDecision | undefined> {
    const { request, signal } = one;
    const { ask, timeoutMs } = this.#options;
    if (ask === undefined) return this.#choose(one, "nobody");
    const { session, requestId } = request;
    const isShown = () => session.state.pendingPermissions.some((shown) => shown.requestId === requestId);
    const reply = await askWithTimeout((withdrawn) => ask(request, withdrawn), { signal, timeoutMs, isShown });
    if (reply.by === "elsewhere" || signal.aborted) return this.#settled(one);
    if (reply.by === "timeout") return this.#choose(one, "timeout");
    if (reply.by === "nobody") return this.#choose(one, "nobody");
    const { answer } = reply;
    await this.#heed(one, "person", answer.outcome === "selected" ? optionNamed(request, answer.optionId) : undefined);
    // An option that was not offered is refused where every answer is checked.
    return answer;
  }

  #choose(one: Case, by: Decided["by"], option?: PermissionOption): PermissionDecision {
    this.#tell(one, { type: "decided", by, ...outcomeOf(option) });
    return option === undefined ? CANCEL : { outcome: "selected", optionId: option.optionId };
  }

  /** The first decision counted already: this one is only written down. */
  async #settled(one: Case): Promise<undefined> {
    await this.#heed(one, "elsewhere", settledBy(one));
  }

  /** Something else was quicker than what the audit was told in the same moment. */
  #correct(one: Case): void {
    const actual = outcomeOf(settledBy(one));
    if (one.told === undefined || one.told.optionId === actual.optionId) return;
    try {
      this.#tell(one, { type: "decided", by: "elsewhere", ...actual });
    } catch {
      // It is settled: there is nothing left to cancel.
    }
  }

  /** What a person decided is written down, and kept if it was for good. */
  async #heed(one: Case, by: "person" | "elsewhere", option: PermissionOption | undefined): Promise<void> {
    const { request, facts } = one;
    this.#tell(one, { type: "decided", by, ...outcomeOf(option) });
    if (option === undefined || !option.kind.endsWith("_always") || asksPerson(request, facts)) return;
    const verdict = verdictOf(option);
    if (verdict === undefined) return;
    const kept = await this.#stored(one, () => this.#memory?.keep(request.session, facts, verdict));
    if (kept !== undefined) this.#tell(one, { type: "remembered", ...kept });
  }

  /** A store that fails is as good as none. */
  async #stored<T>(one: Case, work: () => Promise<T> | undefined): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#tell(one, { type: "store_failed", error });
      return undefined;
    }
  }

  #tell(one: Case, event: Told): void {
    const { input: _, ...facts } = one.facts;
    const { requestId, session } = one.request;
    const about = { at: Date.now(), question: "permission", sessionId: session.id, requestId } as const;
    if (event.type === "decided") one.told = event;
    this.#options.audit?.({ ...about, facts: redactSecrets(facts) as typeof facts, ...event });
  }
}

/** Stands for what took too long, or longer than anybody waited. */
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
type Told = Of<AuditEvent>;

/** The choice itself is the answer, and only a person can make it (V1-PERM-10). */
function asksPerson({ options }: PermissionRequest, { kind }: PermissionFacts): boolean {
  return kind === "switch_mode" || options.filter((option) => option.kind === "allow_once").length > 1;
}

/** The first option of the first of these kinds that there is; not one whose id is another option's too. */
function oneOf(options: readonly PermissionOption[], kinds: readonly string[]): PermissionOption | undefined {
  const counts = new Map<string, number>();
  for (const { optionId } of options) counts.set(optionId, (counts.get(optionId) ?? 0) + 1);
  return kinds
    .map((kind) => options.find((option) => option.kind === kind && counts.get(option.optionId) === 1))
    .find((option) => option !== undefined);
}

/** The option that settled a question, by whomever; none where it was cancelled. */
function settledBy({ request, signal }: Case): PermissionOption | undefined {
  const outcome = signal.reason as Partial<PermissionOutcome> | undefined;
  return outcome?.outcome === "selected" ? optionNamed(request, outcome.optionId as string) : undefined;
}

function optionNamed({ options }: PermissionRequest, optionId: string): PermissionOption | undefined {
  return options.find((option) => option.optionId === optionId);
}

function verdictOf({ kind }: PermissionOption): PermissionVerdict {
  if (kind === "allow_once" || kind === "allow_always") return "allow";
  return kind === "reject_once" || kind === "reject_always" ? "reject" : undefined;
}

function outcomeOf(option: PermissionOption | undefined): Pick<Decided, "outcome" | "optionId"> {
  if (option === undefined) return { outcome: "cancel" };
  return { outcome: verdictOf(option) ?? "other", optionId: option.optionId };
}

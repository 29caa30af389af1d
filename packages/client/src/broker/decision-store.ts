import type { Session } from "../session.js";
import type { PermissionFacts } from "./permission-facts.js";

type Awaitable<T> = T | Promise<T>;

/** What a person decided for good, and until when: milliseconds since 1970. */
export type StoredDecision = { readonly verdict: "allow" | "reject"; readonly expiresAt: number };

/**
 * Keeps decisions by a key, such as a file or a settings service. What it throws is told to `audit`, and the person is
 * asked. What it answers is checked; it need not look at `expiresAt`.
 */
export interface DecisionStore {
  get(key: string): Awaitable<StoredDecision | undefined>;
  set(key: string, decision: StoredDecision): Awaitable<void>;
  delete(key: string): Awaitable<void>;
}

/** What is remembered of decisions that a person made with an option for good (`allow_always`, `reject_always`). */
export type RememberOptions = {
  /** `session`: as long as the session object lives, in memory. `project`: for the session's folder, in `store`. */
  readonly scope: "session" | "project";
  /** For how long, in milliseconds; `Infinity` for good. 30 days unless said otherwise. */
  readonly ttlMs?: number;
  /**
   * Of project decisions; in memory unless given. They are kept under the name that the agent gives itself: use a store
   * for each agent where you do not trust all of them alike.
   */
  readonly store?: DecisionStore;
  /**
   * Which questions are the same one; `undefined` remembers nothing of them. Unless given: the same tool on the very same
   * files, or the very same command in the same folder, or the very same input.
   */
  readonly sameAs?: (facts: PermissionFacts) => string | undefined;
};

const dayMs = 24 * 60 * 60 * 1000;
/** The last one that a date can hold. A store may keep JSON, which has no infinity. */
const lastMoment = 8.64e15;
const maxKey = 16 * 1024;
const maxInMemory = 1_000;

/** Decisions in memory: 1 000 at most, then the oldest goes. */
function createMemoryStore(): DecisionStore {
  const decisions = new Map<string, StoredDecision>();
  return {
    get: (key) => decisions.get(key),
    set(key, decision) {
      decisions.delete(key);
      decisions.set(key, decision);
      const [oldest] = decisions.keys();
      if (decisions.size > maxInMemory && oldest !== undefined) decisions.delete(oldest);
    },
    delete: (key) => void decisions.delete(key),
  };
}

/** Decisions of one broker, each where it belongs. */
export class DecisionMemory {
  readonly #options: RememberOptions;
  readonly #project: DecisionStore;
  readonly #ofSession = new WeakMap<Session, DecisionStore>();

  constructor(options: RememberOptions) {
    this.#options = options;
    this.#project = options.store ?? createMemoryStore();
  }

  /** The decision that still counts, if there is one. */
  async recall(session: Session, facts: PermissionFacts): Promise<StoredDecision["verdict"] | undefined> {
    const key = this.#keyOf(session, facts);
    if (key === undefined) return undefined;
    const store = this.#storeOf(session);
    const found = (await store.get(key)) as Partial<StoredDecision> | null | undefined;
    if (found == null) return undefined;
    const { verdict, expiresAt } = found;
    const isSound = (verdict === "allow" || verdict === "reject") && typeof expiresAt === "number";
    if (isSound && Date.now() < expiresAt) return verdict;
    await store.delete(key);
    return undefined;
  }

  /** Answers with what was kept; nothing where the question has no key. */
  async keep(
    session: Session,
    facts: PermissionFacts,
    verdict: StoredDecision["verdict"],
  ): Promise<StoredDecision | undefined> {
    const key = this.#keyOf(session, facts);
    if (key === undefined) return undefined;
    const expiresAt = Math.min(Date.now() + (this.#options.ttlMs ?? 30 * dayMs), lastMoment);
    const decision = { verdict, expiresAt };
    await this.#storeOf(session).set(key, decision);
    return decision;
  }

  #keyOf({ cwd }: Session, facts: PermissionFacts): string | undefined {
    const { sameAs = identityOf } = this.#options;
    const same = sameAs(facts);
    return same === undefined || same.length > maxKey ? undefined : JSON.stringify([facts.agent.name, cwd, same]);
  }

  #storeOf(session: Session): DecisionStore {
    if (this.#options.scope === "project") return this.#project;
    const known = this.#ofSession.get(session) ?? createMemoryStore();
    this.#ofSession.set(session, known);
    return known;
  }
}

/** Kinds of tools whose files say all about what they do. */
const onFiles = new Set<unknown>(["read", "edit", "delete", "move", "search"]);

/** Only what pins a question down: a kind alone would allow everything of that kind. */
function identityOf({
  subject,
  kind,
  tool,
  paths,
  place,
  argv,
  commandLine,
  cwd,
  input,
}: PermissionFacts): string | undefined {
  // The place too: a link that has been exchanged since leads the same paths elsewhere.
  const files = [place, ...[...paths].sort()];
  if (argv !== undefined || commandLine !== undefined) {
    return JSON.stringify([subject, "command", kind, tool, argv ?? commandLine, cwd, files]);
  }
  if (onFiles.has(kind)) return paths.length > 0 ? JSON.stringify([subject, kind, tool, files]) : undefined;
  return input === undefined ? undefined : JSON.stringify([subject, "input", kind, tool, input, files]);
}

import { checkArgument, checkOptions, dropOldest, type OptionTypes } from "@turnkit/transport";
import { rootOf } from "../root-of.js";
import type { Session } from "../session.js";
import type { PermissionFacts } from "./permission-facts.js";

type Awaitable<T> = T | Promise<T>;

/**
 * Questions that a permanent decision covers, for interfaces that show it. Rules use the key of the decision.
 *
 * The member `type` has one of these values:
 *
 * - `command`: the same command line or arguments, in the same folder and with the same access
 * - `files`: the same tool on the same files
 * - `input`: the same tool with the same input
 * - `custom`: the identity of `sameAs`
 */
export type DecisionScope = Pick<
  PermissionFacts,
  "kind" | "tool" | "argv" | "commandLine" | "cwd" | "access" | "paths"
> & {
  readonly type: "command" | "files" | "input" | "custom";
  /** Name that the agent states. */
  readonly agent: string;
  /** Folder of the session, or of the session at the root of its tree. */
  readonly folder: string;
  /** Input of the tool. Present for the type `input`. */
  readonly input?: unknown;
};

/** Stored decision and its expiry in milliseconds since 1970. `scope` is absent in files of earlier versions. */
export type StoredDecision = {
  readonly verdict: "allow" | "reject";
  readonly expiresAt: number;
  readonly scope?: DecisionScope;
};

/**
 * Store of decisions by key, such as a file or a settings service. The broker validates the values and checks `expiresAt`.
 * If the store throws or returns a value of another form, `audit` gets the error, and the broker asks the person. Without
 * `audit`, the error is printed.
 */
export interface DecisionStore {
  get(key: string): Awaitable<StoredDecision | undefined>;
  set(key: string, decision: StoredDecision): Awaitable<void>;
  delete(key: string): Awaitable<void>;
}

/** Options for permanent decisions of a person (`allow_always`, `reject_always`). */
export type RememberOptions = {
  /**
   * Scope of decisions.
   *
   * - `session`: the broker holds decisions in memory while the session object exists.
   * - `project`: the broker holds decisions for the folder of the session in `store`.
   */
  readonly scope: "session" | "project";
  /**
   * Lifetime in milliseconds. `Infinity` sets no limit.
   * @defaultValue 30 days
   */
  readonly ttlMs?: number;
  /**
   * Store of project decisions. The keys contain the agent's name, which the agent chooses itself. Use one store per agent
   * unless all agents have the same trust.
   * @defaultValue a store in memory
   */
  readonly store?: DecisionStore;
  /**
   * Returns the identity of a question. A decision applies to questions of the same identity. For `undefined`, the broker
   * does not remember the decision.
   * @defaultValue the same tool on the same files, the same command in the same folder, or the same input
   */
  readonly sameAs?: (facts: PermissionFacts) => string | undefined;
};

const NAMES: OptionTypes<RememberOptions> = {
  ...{ scope: ["session", "project"], ttlMs: "number", store: "any", sameAs: "function" },
};

/**
 * Prints options of `remember` that do not exist.
 *
 * @throws TypeError for an option of another type
 */
export function checkRemember(remember: RememberOptions): void {
  const call = "createPermissionBroker remember";
  const remedy = 'pass { scope: "session" } or { scope: "project" }';
  checkArgument(typeof remember === "object", call, { got: remember, remedy });
  const { scope, store } = remember;
  checkArgument(scope === "session" || scope === "project", `${call} scope`, { got: scope, remedy });
  const methods = ["get", "set", "delete"] as const;
  const isStore = store === undefined || methods.every((name) => typeof store?.[name] === "function");
  checkArgument(isStore, `${call} store`, { got: store, remedy: "pass a store with get, set and delete" });
  checkOptions(call, remember, NAMES);
}

const dayMs = 24 * 60 * 60 * 1000;
/**
 * Last moment that a date can represent. JSON cannot represent `Infinity`, so an unlimited decision expires at this moment.
 */
const lastMoment = 8.64e15;
const maxKey = 16 * 1024;
const maxInMemory = 1_000;

/** Makes a store in memory for up to 1 000 decisions. A further decision removes the oldest. */
function createMemoryStore(): DecisionStore {
  const decisions = new Map<string, StoredDecision>();
  return {
    get: (key) => decisions.get(key),
    set(key, decision) {
      decisions.delete(key);
      decisions.set(key, decision);
      dropOldest(decisions, maxInMemory);
    },
    delete: (key) => void decisions.delete(key),
  };
}

/** Decisions of one broker, by session or by project. */
export class DecisionMemory {
  readonly #options: RememberOptions;
  readonly #project: DecisionStore;
  readonly #ofSession = new WeakMap<Session, DecisionStore>();

  constructor(options: RememberOptions) {
    this.#options = options;
    this.#project = options.store ?? createMemoryStore();
  }

  /** Returns the stored decision for a question, unless the decision has expired. */
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
    checkArgument(isSound, "The result of DecisionStore.get", {
      got: found,
      remedy: "return what set got, or undefined",
    });
    return undefined;
  }

  /** Stores a decision and returns it. Returns `undefined` for a question without a key. */
  async keep(
    session: Session,
    facts: PermissionFacts,
    verdict: StoredDecision["verdict"],
  ): Promise<StoredDecision | undefined> {
    const key = this.#keyOf(session, facts);
    if (key === undefined) return undefined;
    const decision = { verdict, expiresAt: this.#expiry(), scope: this.#scopeOf(session, facts) };
    await this.#storeOf(session).set(key, decision);
    return decision;
  }

  /** Returns the scope and the expiry that a permanent decision would have now. */
  describe(session: Session, facts: PermissionFacts): Omit<Required<StoredDecision>, "verdict"> | undefined {
    if (this.#keyOf(session, facts) === undefined) return undefined;
    return { expiresAt: this.#expiry(), scope: this.#scopeOf(session, facts) };
  }

  #expiry(): number {
    return Math.min(Date.now() + (this.#options.ttlMs ?? 30 * dayMs), lastMoment);
  }

  #scopeOf(
    session: Session,
    { kind, tool, argv, commandLine, cwd, access, paths, input, agent }: PermissionFacts,
  ): DecisionScope {
    const isCommand = argv !== undefined || commandLine !== undefined;
    const type = this.#options.sameAs ? "custom" : isCommand ? "command" : onFiles.has(kind) ? "files" : "input";
    return {
      ...{ type, agent: agent.name, folder: rootOf(session).cwd, paths },
      ...(kind !== undefined && { kind }),
      ...(tool !== undefined && { tool }),
      ...(argv !== undefined && { argv }),
      ...(commandLine !== undefined && { commandLine }),
      ...(cwd !== undefined && { cwd }),
      ...(access !== undefined && { access }),
      ...(type === "input" && { input }),
    };
  }

  #keyOf(session: Session, facts: PermissionFacts): string | undefined {
    const { sameAs = identityOf } = this.#options;
    const same = sameAs(facts);
    if (same === undefined || same.length > maxKey) return undefined;
    // The agent chooses the folder of a child session, so this folder alone does not identify a project.
    const { cwd } = rootOf(session);
    return JSON.stringify([facts.agent.name, cwd, same, ...(session.cwd === cwd ? [] : [session.cwd])]);
  }

  #storeOf(session: Session): DecisionStore {
    if (this.#options.scope === "project") return this.#project;
    const known = this.#ofSession.get(session) ?? createMemoryStore();
    this.#ofSession.set(session, known);
    return known;
  }
}

/** Kinds of tools whose paths identify the call. */
const onFiles = new Set<unknown>(["read", "edit", "delete", "move", "search"]);

/** Returns the identity of a question. Identity by the kind alone would allow every call of that kind. */
function identityOf({
  subject,
  kind,
  tool,
  paths,
  place,
  argv,
  commandLine,
  cwd,
  access,
  input,
}: PermissionFacts): string | undefined {
  // Contains `place`, because the same paths may lead elsewhere after a change of a link.
  const files = [place, ...[...paths].sort()];
  if (argv !== undefined || commandLine !== undefined) {
    return JSON.stringify([subject, "command", kind, tool, argv ?? commandLine, cwd, files, ...(access ?? [])]);
  }
  if (onFiles.has(kind)) return paths.length > 0 ? JSON.stringify([subject, kind, tool, files]) : undefined;
  return input === undefined ? undefined : JSON.stringify([subject, "input", kind, tool, input, files]);
}

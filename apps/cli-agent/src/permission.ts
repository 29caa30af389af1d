import type { PermissionOption, ToolCall, ToolCallContent } from "@turnkit/agent";
import type { Action, Rule, Ruling } from "./action.js";
import { ToolError } from "./errors.js";
import type { Mode } from "./modes.js";
import { commandScope } from "./tools/command-scope.js";

/**
 * Result of a permission question or of the mode:
 *
 * - `dismissed`: the client closed the question without an answer
 * - `review_only`: the mode `review` shows the action and does not run it
 */
export type Decision = "allowed" | "rejected" | "dismissed" | "review_only";

/** Decisions about the actions of one session. Answers "always" are stored for later actions. */
export type Permission = ReturnType<typeof createPermission>;

/** Key in `_meta`: `true` in a question that takes the reason of a refusal, and the reason in its answer. */
const REASON = "turnkit.reason";

/** Largest length of a reason, in characters. */
const MAX_REASON = 4_000;

/** Largest number of stored answers. Beyond it, the oldest answer is dropped. */
const MAX_STANDING = 200;

/**
 * Creates the permissions of one session.
 *
 * @param ruleFor decision of the rules in `agent.json`. A rule never allows an action that needs a new question each
 * time.
 */
export function createPermission(currentMode: () => Mode, ruleFor: Rule = () => undefined) {
  /** Answers "always" by the key of their scope. The oldest answer is first. */
  const standing = new Map<string, Decision>();
  return {
    /**
     * Returns the decision of the mode or of an earlier answer. Without either, asks the user.
     *
     * @throws ToolError `denied` with the reason, if the user gave one
     */
    async decide(call: Pick<ToolCall, "requestPermission" | "append">, action: Action): Promise<Decision> {
      const { name, key } = scopeOf(action);
      const answered = standing.get(refusalKey(action, key)) === "rejected" ? "rejected" : standing.get(key);
      const ruling = ruleFor(action);
      const byMode = ruledBy(ruling, settledBy(currentMode(), action), action);
      if (ruling?.decision === "deny" && byMode === "rejected") await call.append(deniedBy(ruling));
      // A looser mode never overrides a refusal.
      if (answered === "rejected" && byMode !== "review_only") return answered;
      const settled = byMode ?? (isGuarded(action) && answered === "allowed" ? undefined : answered);
      if (settled) return settled;
      const question = { options: optionsFor(action, name), _meta: { [REASON]: true } };
      const { allowed, option, _meta: said } = await call.requestPermission(question);
      // The user may have changed the mode during the question.
      if (settledBy(currentMode(), action) === "review_only") return "review_only";
      const decision = allowed ? "allowed" : option ? "rejected" : "dismissed";
      if (option?.kind === "allow_always" || option?.kind === "reject_always") {
        const kept = decision === "rejected" ? refusalKey(action, key) : key;
        standing.delete(kept);
        standing.set(kept, decision);
        for (const oldest of standing.keys()) if (standing.size > MAX_STANDING) standing.delete(oldest);
      }
      const reason = said?.[REASON];
      if (decision !== "allowed" && typeof reason === "string" && reason !== "")
        throw new ToolError("denied", `The user ${decision} this, and gave a reason: ${reason.slice(0, MAX_REASON)}`);
      return decision;
    },
    forget: () => standing.clear(),
  };
}

/** Returns the decision of the mode after a rule: a rule can deny or allow an action, or demand a question. */
function ruledBy(ruling: Ruling | undefined, byMode: Decision | undefined, action: Action): Decision | undefined {
  if (ruling === undefined || byMode === "review_only") return byMode;
  if (ruling.decision === "deny") return "rejected";
  if (ruling.decision === "ask") return undefined;
  return byMode ?? (isGuarded(action) ? undefined : "allowed");
}

const deniedBy = ({ rule }: Ruling): ToolCallContent => ({
  type: "content",
  content: { type: "text", text: `A rule of agent.json denies this: ${rule}` },
});

/** Returns the decision that follows from the mode alone. */
function settledBy(mode: Mode, action: Action): Decision | undefined {
  if (mode === "review") {
    const changesNothing = ["fetch", "secret", "outside"].includes(action.type);
    return changesNothing || (action.type === "mcp" && action.readOnly) ? undefined : "review_only";
  }
  if (action.type === "secret" || action.type === "outside" || isGuarded(action)) return undefined;
  if (mode === "accept-edits" && action.type === "edit") return "allowed";
  return mode === "auto" && (action.type !== "command" || action.place.isFree) ? "allowed" : undefined;
}

/** Returns `true` for an action that needs a new question each time. */
function isGuarded(action: Action): boolean {
  return action.type === "edit"
    ? action.protectedBy !== undefined
    : action.type === "command" && action.place.isException;
}

/** Returns the name and the key of all actions that an answer "always" covers. These actions have the same key. */
function scopeOf(action: Action): { readonly name: string; readonly key: string } {
  switch (action.type) {
    case "edit":
      return { name: action.protectedBy ?? "", key: "edit" };
    case "secret":
      return { name: action.secretBy, key: `secret ${action.path}` };
    case "outside":
      return { name: action.folder, key: `outside ${action.folder}` };
    case "command": {
      const { name, key } = commandScope(action);
      return { name, key: `${action.place.name} ${key}` };
    }
    case "fetch":
      return { name: action.origin, key: `fetch ${action.origin}` };
    case "mcp":
      return {
        name: `${action.tool} of ${action.server}`,
        key: JSON.stringify([action.server, action.tool, action.definition]),
      };
  }
}

/**
 * Returns the key of a refusal. A refusal is valid for a command in every folder, and for a tool with every definition.
 */
function refusalKey(action: Action, key: string): string {
  if (action.type === "command") return commandScope(action).key;
  return action.type === "mcp" ? JSON.stringify([action.server, action.tool]) : key;
}

function optionsFor(action: Action, scope: string): readonly PermissionOption[] {
  const [once, always, no, never] = wordings[action.type](scope, action.type === "command" ? action.place.name : "");
  return [
    { optionId: "allow_once", kind: "allow_once", name: once },
    ...(isGuarded(action) ? [] : [{ optionId: "allow_always", kind: "allow_always", name: always } as const]),
    { optionId: "reject_once", kind: "reject_once", name: no },
    { optionId: "reject_always", kind: "reject_always", name: never },
  ];
}

type Wording = (scope: string, place: string) => readonly [once: string, always: string, no: string, never: string];

const wordings: Readonly<Record<Action["type"], Wording>> = {
  edit: (rule) => [
    rule === "" ? "Write this edit" : `Write this edit of a protected file (${rule})`,
    "Write every edit of this session",
    "Leave the file as it is",
    "Write nothing in this session",
  ],
  secret: (rule) => [
    `Read this file, which may hold secrets (${rule})`,
    "Read this file without asking in this session",
    "Do not read it",
    "Never read this file in this session",
  ],
  outside: (folder) => [
    "Read this file, which is outside of the session's folders",
    `Read the files of ${folder} without asking in this session`,
    "Do not read it",
    `Read no file of ${folder} in this session`,
  ],
  command: (scope, place) => [
    `Run it (${place})`,
    `Run ${scope} in this folder without asking in this session (${place})`,
    "Do not run it",
    `Never run ${scope} in this folder in this session`,
  ],
  fetch: (scope) => [
    "Fetch it",
    `Fetch everything from ${scope} in this session`,
    "Do not fetch it",
    `Fetch nothing from ${scope} in this session`,
  ],
  mcp: (scope) => [
    "Call it",
    `Call ${scope} without asking in this session`,
    "Do not call it",
    `Never call ${scope} in this session`,
  ],
};

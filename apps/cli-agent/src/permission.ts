import type { PermissionOption, ToolCall } from "@turnkit/agent";
import type { Mode } from "./modes.js";
import { type CommandScope, commandScope, isInScope } from "./tools/command-scope.js";

/**
 * What became of a question, or of what made it needless. `dismissed`: it was closed without an answer. `review_only`:
 * the mode shows what would be done and does none of it.
 */
export type Decision = "allowed" | "rejected" | "dismissed" | "review_only";

/** What a tool call is about to do, as far as whoever decides about it must know. */
export type Action =
  | { readonly type: "edit" }
  /** `argv` is absent where a shell has to make sense of the line. */
  | { readonly type: "command"; readonly line: string; readonly argv?: readonly string[] }
  | { readonly type: "fetch"; readonly origin: string }
  /** `readOnly` is what the server says of its tool: a hint, and no proof. */
  | { readonly type: "mcp"; readonly server: string; readonly tool: string; readonly readOnly: boolean };

/** Decides about the actions of one session, and remembers the answers that were given for more than one. */
export interface Permission {
  /** Asks the user if the mode and earlier answers leave it open. */
  decide(call: Pick<ToolCall, "ask">, action: Action): Promise<Decision>;
  /** Forgets what was answered "always". */
  forget(): void;
}

/** How many answers are remembered; the oldest one goes. */
const MAX_STANDING = 200;

/** An answer for every action of one kind: all edits, one prefix of commands, one origin, one tool of a server. */
type Standing = { readonly covers: (action: Action) => boolean; readonly decision: Decision };

/** The permission of a session whose mode `currentMode` tells. */
export function createPermission(currentMode: () => Mode): Permission {
  const standing: Standing[] = [];
  return {
    async decide(call, action) {
      const settled = settledBy(currentMode(), action) ?? standing.find(({ covers }) => covers(action))?.decision;
      if (settled) return settled;
      const scope = scopeOf(action);
      const { allowed, option } = await call.ask({ options: optionsFor(action, scope.name) });
      // The user may have changed the mode instead of answering, or before.
      if (settledBy(currentMode(), action) === "review_only") return "review_only";
      const decision = allowed ? "allowed" : option ? "rejected" : "dismissed";
      if (option?.kind === "allow_always" || option?.kind === "reject_always") {
        standing.unshift({ covers: scope.covers, decision });
        standing.length = Math.min(standing.length, MAX_STANDING);
      }
      return decision;
    },
    forget() {
      standing.length = 0;
    },
  };
}

/** What the mode says without a question; a looser mode never makes up for an answer that somebody has to give. */
function settledBy(mode: Mode, action: Action): Decision | undefined {
  if (mode === "auto") return "allowed";
  if (mode === "accept-edits" && action.type === "edit") return "allowed";
  if (mode !== "review") return undefined;
  const changesNothing = action.type === "fetch" || (action.type === "mcp" && action.readOnly);
  return changesNothing ? undefined : "review_only";
}

type Scope = { readonly name: string; readonly covers: (action: Action) => boolean };

/** How far "always" reaches from this action on. */
function scopeOf(action: Action): Scope {
  switch (action.type) {
    case "edit":
      return { name: "edits", covers: (other) => other.type === "edit" };
    case "command": {
      const scope: CommandScope = commandScope(action);
      return { name: scope.name, covers: (other) => other.type === "command" && isInScope(other, scope) };
    }
    case "fetch":
      return {
        name: action.origin,
        covers: (other) => other.type === "fetch" && other.origin === action.origin,
      };
    case "mcp":
      return {
        name: `${action.tool} of ${action.server}`,
        covers: (other) => other.type === "mcp" && other.server === action.server && other.tool === action.tool,
      };
  }
}

function optionsFor({ type }: Action, scope: string): readonly PermissionOption[] {
  const [once, always, no, never] = wordings[type](scope);
  return [
    { optionId: "allow_once", kind: "allow_once", name: once },
    { optionId: "allow_always", kind: "allow_always", name: always },
    { optionId: "reject_once", kind: "reject_once", name: no },
    { optionId: "reject_always", kind: "reject_always", name: never },
  ];
}

type Wording = (scope: string) => readonly [once: string, always: string, no: string, never: string];

const wordings: Readonly<Record<Action["type"], Wording>> = {
  edit: () => [
    "Write this edit",
    "Write every edit of this session",
    "Leave the file as it is",
    "Write nothing in this session",
  ],
  command: (scope) => [
    "Run it",
    `Run ${scope} without asking in this session`,
    "Do not run it",
    `Never run ${scope} in this session`,
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

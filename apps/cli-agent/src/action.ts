import type { Place } from "./sandbox/sandbox-choice.js";
import type { ScopedCommand } from "./tools/command-scope.js";

/** Action of a tool call that needs a decision. */
export type Action =
  /** `path` contains no links. `protectedBy` is the pattern of protected files that the path matches. */
  | { readonly type: "edit"; readonly path: string; readonly protectedBy?: string }
  /** Reading of a file that may contain secrets. Its path matches the pattern `secretBy`. */
  | { readonly type: "secret"; readonly path: string; readonly secretBy: string }
  /** Reading of a file outside of the session's folders. `folder` is its real folder. */
  | { readonly type: "outside"; readonly folder: string }
  | (ScopedCommand & { readonly type: "command"; readonly place: Pick<Place, "name" | "isFree" | "isException"> })
  | { readonly type: "fetch"; readonly origin: string }
  /** `readOnly` is a claim of the server, which proves nothing. `definition` differs after each change of the tool. */
  | {
      readonly type: "mcp";
      readonly server: string;
      readonly tool: string;
      readonly definition: string;
      readonly readOnly: boolean;
    };

/** Decision of a rule, with the rule itself. */
export type Ruling = { readonly decision: "allow" | "ask" | "deny"; readonly rule: string };

/** Decides about an action by rules. Returns `undefined` if no rule fits. */
export type Rule = (action: Action) => Ruling | undefined;

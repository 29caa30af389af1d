import type { PermissionOption, ToolCall } from "@turnkit/agent";
import type { Mode } from "./modes.js";

/** What became of an edit. `dismissed`: the question was closed without an answer. */
export type EditDecision = "allowed" | "rejected" | "dismissed" | "review_only";

/** Decides about the edits of one session, and remembers the answers that were given for all of them. */
export interface EditPermission {
  /** Asks the user if the mode and earlier answers leave it open. */
  decide(call: Pick<ToolCall, "ask">): Promise<EditDecision>;
  /** Forgets what was answered "always". */
  forget(): void;
}

const OPTIONS: readonly PermissionOption[] = [
  { optionId: "allow_once", kind: "allow_once", name: "Write this edit" },
  { optionId: "allow_always", kind: "allow_always", name: "Write every edit of this session" },
  { optionId: "reject_once", kind: "reject_once", name: "Leave the file as it is" },
  { optionId: "reject_always", kind: "reject_always", name: "Write nothing in this session" },
];

/** The permission of a session whose mode `currentMode` tells. */
export function createEditPermission(currentMode: () => Mode): EditPermission {
  let standing: EditDecision | undefined;
  return {
    async decide(call) {
      if (currentMode() === "review") return "review_only";
      if (standing) return standing;
      const { granted, option } = await call.ask({ options: OPTIONS });
      // The user may have changed the mode instead of answering, or before.
      if (currentMode() === "review") return "review_only";
      const decision = granted ? "allowed" : option ? "rejected" : "dismissed";
      if (option?.kind === "allow_always" || option?.kind === "reject_always") standing = decision;
      return decision;
    },
    forget() {
      standing = undefined;
    },
  };
}

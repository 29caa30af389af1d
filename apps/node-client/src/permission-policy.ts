import { createPermissionBroker, type PermissionPolicy } from "@turnkit/client";
import type { PermissionMode } from "./permission-mode.js";
import type { View } from "./view.js";

/**
 * Makes the policy for `--permissions`. What a mode leaves open is asked, also by `allow`, where the agent offers no
 * answer for this once or lets the person choose between ways. A question that nobody can answer is cancelled.
 */
export function createPermissionPolicy(mode: PermissionMode, view: View): PermissionPolicy {
  const { ask = nobody(view) } = view;
  return createPermissionBroker({ policy: () => (mode === "ask" ? undefined : verdicts[mode]), ask });
}

const verdicts = { allow: "allow", deny: "reject" } as const;

function nobody(view: View): PermissionPolicy {
  return () => {
    view.note("There is no terminal to ask on: the question is cancelled. See --permissions.");
    return { cancel: true };
  };
}

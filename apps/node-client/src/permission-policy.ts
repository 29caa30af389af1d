import type { PermissionPolicy } from "@turnkit/client";
import { createPermissionBroker } from "@turnkit/client/broker";
import { isInsideRoots } from "@turnkit/client/node";
import type { Judge } from "./setup/policy-file.js";
import type { View } from "./view.js";

/**
 * Makes the policy for `--permissions`. What the judge leaves open is asked, also what it allows where the agent offers no
 * answer for this once or lets the person choose between ways. A question that nobody can answer is cancelled.
 */
export function createPermissionPolicy(judge: Judge, view: Pick<View, "ask" | "note">): PermissionPolicy {
  const { ask = nobody(view) } = view;
  return createPermissionBroker({ policy: judge, isInside: isInsideRoots, ask });
}

function nobody(view: Pick<View, "note">): PermissionPolicy {
  return () => {
    view.note("There is no terminal to ask on: the question is cancelled. See --permissions.");
    return { outcome: "cancelled" };
  };
}

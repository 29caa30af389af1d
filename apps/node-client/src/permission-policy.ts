import type { PermissionPolicy } from "@turnkit/client";
import { chooseByMode, type PermissionMode } from "./permission-mode.js";
import type { View } from "./view.js";

/** Makes the policy for `--permissions`. A question that nobody can answer is cancelled, never granted. */
export function createPermissionPolicy(mode: PermissionMode, view: View): PermissionPolicy {
  return async (request, signal) => {
    if (mode !== "ask") return chooseByMode(mode, request.options);
    if (view.ask !== undefined) return view.ask(request, signal);
    view.note("There is no terminal to ask on: the question is cancelled. See --permissions.");
    return { cancel: true };
  };
}

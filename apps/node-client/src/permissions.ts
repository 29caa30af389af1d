import type { PermissionPolicy } from "@turnkit/client";
import { createPermissionBroker } from "@turnkit/client/broker";
import { isInsideRoots } from "@turnkit/client/node";
import { UsageError } from "./exit-code.js";
import { type Judge, readPolicyFile } from "./setup/policy-file.js";
import type { View } from "./view.js";

/** Words that `--permissions` takes; any other value is the path of a policy file. */
export const permissionModes = ["ask", "allow", "allow-reads", "deny"] as const;

/** One of {@link permissionModes}. */
export type PermissionMode = (typeof permissionModes)[number];

/** Decisions of each mode. `undefined` leaves a question to the person. */
export const judges: Readonly<Record<PermissionMode, Judge>> = {
  ask: () => undefined,
  allow: () => "allow",
  "allow-reads": ({ kind, place }) =>
    (kind === "read" || kind === "search") && place === "inside" ? "allow" : undefined,
  deny: () => "reject",
};

/**
 * Reads the value of `--permissions`: a mode, or the path of a policy file.
 *
 * @throws UsageError for an unknown word, and for a file that is missing or invalid
 */
export async function readPermissions(value: string): Promise<Judge> {
  const mode = permissionModes.find((known) => known === value);
  if (mode !== undefined) return judges[mode];
  if (/[\\/]|\.json$/.test(value)) return readPolicyFile(value);
  throw new UsageError(`--permissions is ${permissionModes.join(", ")} or a policy file (.json), not "${value}".`);
}

/**
 * Makes the policy for `--permissions`. A person is asked if the judge leaves a question open, or if none or several of
 * the agent's options allow it once. Without a person the question is cancelled.
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

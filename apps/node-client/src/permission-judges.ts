import type { PermissionFacts } from "@turnkit/client/broker";
import { createPathCheck } from "@turnkit/session/paths";
import { UsageError } from "./exit-code.js";
import { type Judge, readPolicyFile } from "./policy-file.js";

/** Modes of `--permissions`. Every other value is the path of a policy file. */
export const permissionModes = ["ask", "allow", "allow-reads", "deny"] as const;

export type PermissionMode = (typeof permissionModes)[number];

/** Judges of the modes. If a judge returns `undefined`, the person decides. */
export const judges: Readonly<Record<PermissionMode, Judge>> = {
  ask: () => undefined,
  allow: () => "allow",
  // A read that also has a command is contradictory, so it is not allowed.
  "allow-reads": ({ kind, place, argv, commandLine }) =>
    (kind === "read" || kind === "search") && place === "inside" && argv === undefined && commandLine === undefined
      ? "allow"
      : undefined,
  deny: () => "reject",
};

/**
 * Reads the value of `--permissions`, which is a mode or the path of a policy file.
 *
 * @throws UsageError for an unknown word, and for a file that is missing or invalid
 */
export async function readPermissions(value: string): Promise<Judge> {
  const mode = permissionModes.find((known) => known === value);
  if (mode !== undefined) return guarded(judges[mode]);
  if (/[\\/]|\.json$/.test(value)) return guarded(await readPolicyFile(value));
  throw new UsageError(`--permissions is ${permissionModes.join(", ")} or a policy file (.json), not "${value}".`);
}

/**
 * Returns a judge that leaves more questions to the person. If `judge` would allow one of these accesses, the person
 * decides:
 * - writing a file that starts programs or instructs agents
 * - reading a file that may hold secrets
 */
export function guarded(judge: Judge): Judge {
  return (facts) => {
    const verdict = judge(facts);
    return verdict === "allow" && isGuarded(facts) ? undefined : verdict;
  };
}

/** Returns `true` for an access that `guarded` leaves to the person. */
export function isGuarded(facts: PermissionFacts): boolean {
  const isRead = facts.kind === "read" || facts.kind === "search";
  return facts.paths.some((path) => (isRead ? paths.secretBy(path) : paths.protectedBy(path)) !== undefined);
}

const paths = createPathCheck();

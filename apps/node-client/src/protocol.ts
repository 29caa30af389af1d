import type { DialectName } from "@turnkit/session";
import { UsageError } from "./usage-error.js";

/** What `--protocol` takes, and what is spoken then. */
const spoken: Readonly<Record<string, readonly DialectName[]>> = {
  auto: ["v1", "v2", "seed"],
  "1": ["v1"],
  v1: ["v1"],
  "2": ["v2"],
  v2: ["v2"],
  seed: ["seed"],
};

/**
 * The dialects that a value of `--protocol` stands for; all of them when there is none.
 *
 * @throws UsageError with a sentence for the user.
 */
export function readProtocol(value = "auto"): readonly DialectName[] {
  const dialects = Object.hasOwn(spoken, value) ? spoken[value] : undefined;
  if (dialects === undefined) throw new UsageError(`--protocol is auto, 1, 2 or seed, not "${value}".`);
  return dialects;
}

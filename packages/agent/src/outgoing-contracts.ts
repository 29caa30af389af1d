import { clientContract as v1 } from "@turnkit/schema/v1";
import { clientContract as v2 } from "@turnkit/schema/v2";
import type { DialectName } from "@turnkit/session";
import type { Contract } from "@turnkit/transport";

/** Schemas of the params and results that an agent sends, by dialect. */
export type OutgoingContracts = Readonly<Record<DialectName, Contract>>;

/**
 * Schemas for `validateOutgoing`. Only a bundle that names this constant holds the schemas. The seed draft has schemas only
 * for `session/list`, `session/close` and `session/delete`.
 */
export const outgoingContracts: OutgoingContracts = /* @__PURE__ */ byDialect();

function byDialect(): OutgoingContracts {
  const { "session/list": list, "session/close": close, "session/delete": remove } = v2;
  return { v1, v2, seed: { "session/list": list, "session/close": close, "session/delete": remove } };
}

import { clientContract as v1 } from "@turnkit/schema/v1";
import { clientContract as v2 } from "@turnkit/schema/v2";
import type { DialectName } from "@turnkit/session";
import type { Contract } from "@turnkit/transport";

/** What the params and results that this side sends have to look like, by dialect. */
export type OutgoingContracts = Readonly<Record<DialectName, Contract>>;

/**
 * What clients take, for `validateOutgoing`. Only a bundle that names it has the schemas of what an agent sends: the
 * runtime writes all of that itself. Of the seed draft there are schemas for what is the same today.
 */
export const outgoingContracts: OutgoingContracts = /* @__PURE__ */ byDialect();

function byDialect(): OutgoingContracts {
  const { "session/list": list, "session/close": close, "session/delete": remove } = v2;
  return { v1, v2, seed: { "session/list": list, "session/close": close, "session/delete": remove } };
}

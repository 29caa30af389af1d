import { agentContract as v1 } from "@turnkit/schema/v1";
import { agentContract as v2 } from "@turnkit/schema/v2";
import type { DialectName } from "@turnkit/session";
import type { Contract } from "@turnkit/transport";
import { objectWith } from "./driver/draft.js";

/** Schemas of everything that a client sends, by dialect. */
export type OutgoingContracts = Readonly<Record<DialectName, Contract>>;

/**
 * Schemas for `validateOutgoing`. A bundle contains the schemas of outgoing messages only if it names this: a client
 * in TypeScript does not need them.
 */
export const outgoingContracts: OutgoingContracts = /* @__PURE__ */ byDialect();

function byDialect(): OutgoingContracts {
  // Calls that version 2 has no more are those of version 1, and a load is a resume.
  const seed = { ...v1, ...v2, "session/load": v2["session/resume"] };
  // The `initialize` of seed has no `info`.
  const initialize = { ...v2.initialize, params: objectWith({ protocolVersion: Number.isInteger }) };
  return { v1, v2, seed: { ...seed, initialize } };
}

import { agentContract as v1 } from "@turnkit/schema/v1";
import { agentContract as v2 } from "@turnkit/schema/v2";
import type { DialectName } from "@turnkit/session";
import type { Contract } from "@turnkit/transport";
import { objectWith } from "./driver/v2-contract.js";

/** Schemas of all messages that a client sends, by dialect. */
export type OutgoingContracts = Readonly<Record<DialectName, Contract>>;

/**
 * Schemas for `validateOutgoing`. Only a bundle that names this constant contains these schemas. A client in TypeScript
 * does not need them, because the compiler checks its messages.
 */
export const outgoingContracts: OutgoingContracts = /* @__PURE__ */ byDialect();

function byDialect(): OutgoingContracts {
  // Seed uses the calls of version 1 that version 2 has dropped. Its load has the form of a resume.
  const seed = { ...v1, ...v2, "session/load": v2["session/resume"] };
  // The `initialize` of seed has no `info`.
  const initialize = { ...v2.initialize, params: objectWith({ protocolVersion: Number.isInteger }) };
  return { v1, v2, seed: { ...seed, initialize } };
}

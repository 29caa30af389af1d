import { agentContract as v1 } from "@turnkit/schema/v1";
import { agentContract as v2 } from "@turnkit/schema/v2";
import type { DialectName } from "@turnkit/session";
import type { Contract } from "@turnkit/transport";
import { objectWith } from "./driver/draft.js";

/** What the params and results that this side sends have to look like, by dialect. */
export type OutgoingContracts = Readonly<Record<DialectName, Contract>>;

/**
 * What agents take, for `validateOutgoing`. Only a bundle that names it has the schemas of what a client sends: a client
 * that is written in TypeScript does not need them.
 */
export const outgoingContracts: OutgoingContracts = /* @__PURE__ */ byDialect();

function byDialect(): OutgoingContracts {
  // What only agents of the seed draft are asked has today's words.
  const draft = {
    ...v2,
    authenticate: v2["auth/login"],
    logout: v2["auth/logout"],
    "session/load": v2["session/resume"],
  };
  // Who says hello is not named by `info` there.
  const initialize = { ...v2.initialize, params: objectWith({ protocolVersion: Number.isInteger }) };
  return { v1, v2: draft, seed: { ...draft, initialize } };
}

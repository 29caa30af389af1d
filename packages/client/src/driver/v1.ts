import * as v1 from "@turnkit/schema/v1";
import { type Asking, type Calls, v1ClientCodec } from "@turnkit/session/codec";
import type { Contract } from "@turnkit/transport";
import { AnswerTurns, restorationByCapabilities } from "./answer-turns.js";
import { createDriver } from "./create-driver.js";
import type { DialectRules } from "./dialect-rules.js";
import type { Dialect } from "./driver.js";
import { hears, reads, readsOrNull } from "./read-contract.js";

/** Messages that a client reads. Files, terminals and elicitations bring their own. */
const contract: Contract = {
  initialize: reads(v1.initializeResponse),
  authenticate: readsOrNull(v1.authenticateResponse),
  logout: readsOrNull(v1.logoutResponse),
  "session/new": reads(v1.newSessionResponse),
  "session/load": readsOrNull(v1.loadSessionResponse),
  "session/resume": readsOrNull(v1.resumeSessionResponse),
  "session/list": reads(v1.listSessionsResponse),
  "session/close": readsOrNull(v1.closeSessionResponse),
  "session/delete": readsOrNull(v1.deleteSessionResponse),
  "session/prompt": reads(v1.promptResponse),
  "session/set_mode": readsOrNull(v1.setSessionModeResponse),
  "session/set_config_option": reads(v1.setSessionConfigOptionResponse),
  "session/set_model": readsOrNull(v1.setSessionModelResponse),
  "session/update": hears(v1.sessionNotification),
  "session/request_permission": hears(v1.requestPermissionRequest),
};
const initialize = /* @__PURE__ */ v1ClientCodec.ask("initialize") as Asking<Calls["initialize"]>;

/** Version 1: the answer to a prompt ends its turn, and capabilities say how a session is restored. */
const rules: DialectRules = {
  holdsPrompts: false,
  emptyPrompts: true,
  nullIds: true,
  servesHost: true,
  restoration: restorationByCapabilities,
  turns: (call) => (session) => new AnswerTurns(call, session),
};

/** Version 1 of the protocol. */
export const v1Dialect: Dialect = {
  dialect: "v1",
  version: 1,
  since: "2025-09",
  hello: (introduction) => initialize.encodeParams({ protocolVersion: 1, ...introduction }),
  dialectOf: () => "v1",
  createDriver: /* @__PURE__ */ createDriver({ calls: v1ClientCodec }, contract, rules),
};

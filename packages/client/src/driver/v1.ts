import * as v1 from "@turnkit/schema/v1";
import { v1ClientCodec } from "@turnkit/session/codec";
import type { Contract } from "@turnkit/transport";
import { AnswerTurns, restorationByCapabilities } from "./answer-turns.js";
import type { Dialect } from "./driver.js";
import { reads, readsOrNull, receives } from "./read-contract.js";

/** Messages that a client reads. Answers without members have no row. */
const contract: Contract = {
  initialize: reads(v1.initializeResponse),
  "session/new": reads(v1.newSessionResponse),
  "session/load": readsOrNull(v1.loadSessionResponse),
  "session/resume": readsOrNull(v1.resumeSessionResponse),
  "session/list": reads(v1.listSessionsResponse),
  "session/prompt": reads(v1.promptResponse),
  "session/set_config_option": reads(v1.setSessionConfigOptionResponse),
  "session/update": receives(v1.sessionNotification),
  "session/request_permission": receives(v1.requestPermissionRequest),
};

/**
 * Version 1 of the protocol. The answer to a prompt ends its turn. The agent's capabilities select the request that
 * restores a session.
 */
export const v1Dialect: Dialect = {
  dialect: "v1",
  version: 1,
  since: "2025-09",
  codec: v1ClientCodec,
  inbound: v1ClientCodec,
  contract,
  holdsPrompts: false,
  hasPromptKeys: false,
  emptyPrompts: true,
  nullIds: true,
  servesHost: true,
  hello: (introduction) => v1ClientCodec.ask.initialize.encodeParams({ protocolVersion: 1, ...introduction }),
  dialectOf: () => "v1",
  restoration: restorationByCapabilities,
  turns: (call) => (session) => new AnswerTurns(call, session),
};

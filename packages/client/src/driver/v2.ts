import { v2ClientCodec } from "@turnkit/session/codec";
import { createDriver } from "./create-driver.js";
import type { DialectRules } from "./dialect-rules.js";
import { draftContract } from "./draft.js";
import type { Dialect } from "./driver.js";
import { IdleTurns } from "./idle-turns.js";

/** Version 2: an idle state ends turns, and every agent queues prompts and replays sessions. */
const rules: DialectRules = {
  holdsPrompts: true,
  emptyPrompts: false,
  nullIds: false,
  servesHost: false,
  restoration: () => ({ call: "resumeSession", replays: true, replayFrom: { type: "start" } }),
  turns(call) {
    const agent = { namesMessages: false };
    return (session) => new IdleTurns(call, session, agent);
  },
};

/** Version 2 of the protocol, with all drafts since August 2026. */
export const v2Dialect: Dialect = {
  dialect: "v2",
  version: 2,
  since: "2026-08",
  hello: (introduction) => v2ClientCodec.ask.initialize.encodeParams({ protocolVersion: 2, ...introduction }),
  dialectOf: (answer) => v2ClientCodec.ask.initialize.decodeResult(answer).dialect,
  createDriver: /* @__PURE__ */ createDriver({ calls: v2ClientCodec }, draftContract, rules),
};

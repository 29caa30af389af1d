import { v2ClientCodec } from "@turnkit/session/codec";
import type { Dialect } from "./driver.js";
import { IdleTurns } from "./idle-turns.js";
import { v2ReadingContract } from "./v2-contract.js";

/**
 * Version 2 of the protocol: the Preview, and all drafts since August 2026. An idle state ends turns. Every agent queues prompts and
 * replays sessions.
 */
export const v2Dialect: Dialect = {
  dialect: "v2",
  version: 2,
  since: "2026-08",
  codec: v2ClientCodec,
  inbound: v2ClientCodec,
  contract: v2ReadingContract,
  holdsPrompts: true,
  hasPromptKeys: true,
  emptyPrompts: false,
  nullIds: false,
  servesHost: false,
  hello: (introduction) => v2ClientCodec.ask.initialize.encodeParams({ protocolVersion: 2, ...introduction }),
  dialectOf: (answer) => v2ClientCodec.ask.initialize.decodeResult(answer).dialect,
  restoration: () => ({ call: "resumeSession", replays: true, replayFrom: { type: "start" } }),
  turns(call) {
    const agent = { namesMessages: false };
    return (session) => new IdleTurns(call, session, agent);
  },
};

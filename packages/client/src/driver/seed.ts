import type { Activity, SessionEvent } from "@turnkit/session";
import { type Calls, seedClientCodec, v2ClientCodec } from "@turnkit/session/codec";
import { AnswerTurns, restorationByCapabilities } from "./answer-turns.js";
import { createDriver } from "./create-driver.js";
import type { DialectRules, LostTurn, PromptTurn } from "./dialect-rules.js";
import { draftContract } from "./draft.js";
import type { Dialect } from "./driver.js";
import { PromptWatch } from "./prompt-watch.js";

/** Seed: version 2's words with version 1's turns. */
const rules: DialectRules = {
  holdsPrompts: false,
  emptyPrompts: true,
  nullIds: true,
  servesHost: false,
  restoration: restorationByCapabilities,
  turns: (call) => (session) => new SeedTurns(call, session),
};

/** Draft of version 2 of June 2026. */
export const seedDialect: Dialect = {
  dialect: "seed",
  version: 2,
  since: "2026-06",
  // Without `info`, which came later: by that an agent of today knows the dialect of the client (V2-SEED-20).
  hello(introduction) {
    const hello = v2ClientCodec.ask.initialize.encodeParams({ protocolVersion: 2, ...introduction, plain: false });
    return Object.fromEntries(Object.entries(hello).filter(([name]) => name !== "info"));
  },
  dialectOf: (answer) => v2ClientCodec.ask.initialize.decodeResult(answer).dialect,
  // Requests of the agent are read in every draft's form: elicitation came between the drafts.
  createDriver: /* @__PURE__ */ createDriver({ calls: seedClientCodec, inbound: v2ClientCodec }, draftContract, rules),
};

/** Turns of seed. Agents between the drafts answer before the end of the turn. */
// V2-SEED-02
class SeedTurns extends AnswerTurns {
  readonly #watch = new PromptWatch(this.session);

  override updated(event: SessionEvent, before: Activity | undefined): void {
    this.#watch.updated(event, before);
  }

  override lose(turn: PromptTurn, how: LostTurn): void {
    this.#watch.forget(turn);
    super.lose(turn, how);
  }

  protected override answered(turn: PromptTurn, result: Calls["prompt"]["result"]): void {
    if (result.stopReason !== undefined) super.answered(turn, result);
    else this.#watch.inserted(turn, result.messageId);
  }
}

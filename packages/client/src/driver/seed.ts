import type { Activity, SessionEvent } from "@turnkit/session";
import { type Calls, seedClientCodec, v2ClientCodec } from "@turnkit/session/codec";
import { AnswerTurns, restorationByCapabilities } from "./answer-turns.js";
import type { LostTurn, PromptTurn } from "./dialect-rules.js";
import type { Dialect } from "./driver.js";
import { PromptWatch } from "./prompt-watch.js";
import { v2ReadingContract } from "./v2-contract.js";

/** Draft of version 2 of June 2026. Its messages are those of version 2. Its turns work like those of version 1. */
export const seedDialect: Dialect = {
  dialect: "seed",
  version: 2,
  since: "2026-06",
  codec: seedClientCodec,
  // Drafts between seed and version 2 already have elicitations.
  inbound: v2ClientCodec,
  contract: v2ReadingContract,
  holdsPrompts: false,
  hasPromptKeys: false,
  emptyPrompts: true,
  nullIds: true,
  servesHost: false,
  // Current agents recognise a client of a later draft by `info` (V2-SEED-20).
  hello(introduction) {
    const hello = v2ClientCodec.ask.initialize.encodeParams({ protocolVersion: 2, ...introduction, plain: false });
    return Object.fromEntries(Object.entries(hello).filter(([name]) => name !== "info"));
  },
  dialectOf: (answer) => v2ClientCodec.ask.initialize.decodeResult(answer).dialect,
  restoration: restorationByCapabilities,
  turns: (call) => (session) => new SeedTurns(call, session),
};

/** Turns of seed. Agents of drafts between seed and version 2 answer before the end of the turn. */
// V2-SEED-02
class SeedTurns extends AnswerTurns {
  readonly #watch = new PromptWatch(this.session, {
    taken: () => undefined,
    ended: ({ promptId }, { agentConfirmed: _, ...end }) =>
      this.session.publish({ type: "turn_ended", promptId, ...end }),
    next: () => undefined,
  });

  override updated(event: SessionEvent, before: Activity | undefined): void {
    super.updated(event);
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

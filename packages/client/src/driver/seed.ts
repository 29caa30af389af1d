import type { Activity, SessionEvent } from "@turnkit/session";
import { type Calls, seedClientCodec, v2ClientCodec } from "@turnkit/session/codec";
import type { LiveSession } from "../live-session.js";
import type { LiveTurn } from "../live-turn.js";
import { agentRoutes } from "./agent-routes.js";
import { draftContract, initialize } from "./draft.js";
import type { Dialect, LostTurn } from "./driver.js";
import { PromptWatch } from "./prompt-watch.js";
import { TurnDriver } from "./turn-driver.js";

/** The draft of version 2 of June 2026, as a client speaks it: version 2's words with version 1's turns. */
export const seedDialect: Dialect = {
  dialect: "seed",
  version: 2,
  since: "2026-06",
  // Without `info`, which came later: by that an agent of today knows whom it talks to (V2-SEED-20).
  hello(introduction) {
    const hello = initialize.encodeParams({ protocolVersion: 2, ...introduction, plain: false });
    return Object.fromEntries(Object.entries(hello).filter(([name]) => name !== "info"));
  },
  dialectOf: (answer) => initialize.decodeResult(answer).dialect,
  createDriver(connection, desk, answer) {
    const { info, capabilities, authMethods } = initialize.decodeResult(answer);
    const peer = { dialect: "seed", info, capabilities, authMethods } as const;
    // What it may ask is read in every draft's form; elicitation was on its way then.
    const routes = agentRoutes(desk, draftContract, v2ClientCodec);
    return new SeedDriver({ connection, peer, codec: seedClientCodec, contract: draftContract, routes });
  },
};

class SeedDriver extends TurnDriver {
  /** For agents between the drafts, whose answer is not the end (V2-SEED-02). */
  readonly #watches = new WeakMap<LiveSession, PromptWatch>();

  override updated(session?: LiveSession, event?: SessionEvent, before?: Activity): void {
    if (session && event) this.#watches.get(session)?.updated(event, before);
  }

  override lose(session: LiveSession, turn: LiveTurn, how: LostTurn): void {
    this.#watches.get(session)?.forget(turn);
    super.lose(session, turn, how);
  }

  protected override answered(session: LiveSession, turn: LiveTurn, result: Calls["prompt"]["result"]): void {
    if (result.stopReason !== undefined) return super.answered(session, turn, result);
    const watch = this.#watches.get(session) ?? new PromptWatch(session);
    this.#watches.set(session, watch);
    watch.inserted(turn, result.messageId);
  }
}

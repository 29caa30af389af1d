import type { PermissionDecision, Session } from "@turnkit/client";
import { type AuditEvent, createPermissionBroker } from "@turnkit/client/broker";
import { createGate, type Frame, installManualClock } from "@turnkit/testing";
import { describe, test } from "vitest";
import { sessionId, stageSession } from "./client-stage.js";
import { type Actor, hold, runSchedules, type Schedule } from "./schedule.js";

const options = [
  { optionId: "once", name: "Once", kind: "allow_once" },
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "no", name: "No", kind: "reject_once" },
];
const questions = ["q1", "q2"] as const;

describe("brokered permission questions", () => {
  test("rule, person, memory, interface, timeout, withdrawal, cancel, closing and death in any order", async () => {
    await runSchedules(async (schedule) => {
      using clock = installManualClock();
      const { random } = schedule;
      const audit: AuditEvent[] = [];
      const ruled = createGate();
      const asked = [createGate(), createGate()];
      const chosen = random.pick(["once", "always", "no", "never offered"]);
      const leaves = random.chance(0.3);
      let puts = 0;
      const permissions = createPermissionBroker({
        policy: async () => {
          await ruled.opened;
          return undefined;
        },
        ask: async (): Promise<PermissionDecision | undefined> => {
          const gate = asked[puts++];
          if (leaves) return undefined;
          await gate?.opened;
          return { outcome: "selected", optionId: chosen };
        },
        remember: { scope: "session" },
        timeoutMs: 60_000,
        audit: (event) => audit.push(event),
      });
      const stage = await stageSession(schedule, { speak: "v1", permissions });
      const { session, client, peer } = stage;
      const turn = session.prompt("go");
      void schedule.mustSettle(
        "the turn",
        turn.ended.catch(() => undefined),
      );
      const toolCall = { toolCallId: "t", title: "Edit", kind: "edit", rawInput: { path: "/work/a.ts" } };
      const prompt = () => stage.calls("session/prompt")[0] as Frame;
      let alive = true;
      const end = endings(schedule, {
        "close the session": () => session.close(),
        "close the connection": () => client.close(),
        "the agent dies": () => peer.close(),
      });
      await schedule.run([
        questions.map((id) => ({
          name: `ask ${id}`,
          run: () => peer.send({ id, method: "session/request_permission", params: { sessionId, toolCall, options } }),
        })),
        [{ name: "the rule leaves it to the person", run: () => ruled.open() }],
        asked.map((gate, n) => ({ name: `the person decides ${n + 1}`, run: () => gate.open() })),
        random.chance(0.4) ? [{ name: "the interface answers", run: () => answerShown(session) }] : [],
        random.chance(0.4)
          ? [{ name: "withdraw q1", run: () => peer.notify("$/cancel_request", { requestId: "q1" }) }]
          : [],
        random.chance(0.4) ? [{ name: "cancel", run: () => void turn.cancel().catch(() => undefined) }] : [],
        random.chance(0.3) ? [{ name: "a minute passes", run: () => clock.advance(60_000) }] : [],
        [
          {
            name: "the turn ends",
            when: () => prompt() !== undefined,
            run: () => peer.answer(prompt(), { stopReason: "end_turn" }),
          },
        ],
        end.map((step) => ({
          ...step,
          run: () => {
            alive = false;
            return step.run();
          },
        })),
      ]);
      ruled.open();
      for (const gate of asked) gate.open();
      await clock.advance(120_000);
      for (const id of questions) {
        const answers = peer.received.filter((frame) => frame.id === id && !("method" in frame));
        hold(alive ? answers.length === 1 : answers.length <= 1, `one answer to ${id}`, answers);
      }
      void schedule.mustSettle("close", client.close());
      await schedule.settle(clock);
      holdAudit(audit, peer.received);
      hold(session.state.pendingPermissions.length === 0, "nothing is left open");
    });
  }, 60_000);
});

function answerShown(session: Session): void {
  const [shown] = session.state.pendingPermissions;
  if (shown !== undefined) session.answer(shown.requestId, { outcome: "selected", optionId: "once" });
}

function endings({ random }: Schedule, ways: Readonly<Record<string, () => Promise<unknown>>>): Actor {
  const name = random.pick(["nothing", "nothing", ...Object.keys(ways)] as [string, ...string[]]);
  const way = ways[name];
  return way === undefined ? [] : [{ name, run: () => void way().catch(() => undefined) }];
}

/**
 * Checks that the last audit entry of a question equals the answer to the agent, and that nothing is allowed without
 * one.
 */
function holdAudit(audit: readonly AuditEvent[], received: readonly Frame[]): void {
  const decided = audit.flatMap((event) => (event.type === "decided" ? [event] : []));
  questions.forEach((id, n) => {
    const own = decided.filter(({ requestId }) => requestId?.endsWith(`-${n + 1}`));
    hold(
      own.length <= 2 && (own[1]?.by ?? "elsewhere") === "elsewhere",
      "one decision, or one that was forestalled",
      own,
    );
    const answer = received.find((frame) => frame.id === id && !("method" in frame));
    const { outcome } = (answer?.result ?? {}) as { outcome?: { outcome: string; optionId?: string } };
    hold(outcome?.optionId !== "never offered", "what was not offered is never chosen", answer);
    if (outcome?.outcome === "selected") hold(own.length > 0, "nothing is chosen that the audit does not know", answer);
    if (answer?.result !== undefined && own.length > 0) {
      hold(own.at(-1)?.optionId === outcome?.optionId, "the audit knows the answer", own, answer);
    }
  });
}

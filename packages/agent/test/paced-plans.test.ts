import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { AgentSession } from "../src/index.js";
import { gate, openAs, v2Hello } from "./raw-client.js";

const markdown = (content: string, planId = "p") =>
  ({ type: "plan_update", plan: { type: "markdown", planId, content } }) as const;

async function openTurn(hello: object) {
  const going = gate();
  const started = gate<AgentSession>();
  const opened = await openAs(hello, {
    async prompt({ session }) {
      started.open(session);
      await going.promise;
    },
  });
  const ended = opened.client.ask(opened.sessionId);
  const session = await started.promise;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const sent = () => opened.client.updates("plan_update").map(({ plan }) => plan.content ?? plan.type);
  return { ...opened, session, ended, end: () => going.open(), sent };
}

describe.each([
  ["version 1", { protocolVersion: 1, clientCapabilities: { plan: {} } }],
  ["version 2", v2Hello],
])("a plan in Markdown in %s", (_, hello) => {
  test("P-PLAN-08: is sent five times a second at most, the newest document each time", async () => {
    const { session, sent } = await openTurn(hello);
    for (let step = 0; step < 100; step++) {
      session.emit(markdown(`# ${step}`));
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(sent().length).toBeGreaterThanOrEqual(4);
    expect(sent().length).toBeLessThanOrEqual(6);
    await vi.advanceTimersByTimeAsync(200);
    expect(sent()[0]).toBe("# 0");
    expect(sent().at(-1)).toBe("# 99");
    expect([...session.state.plans]).toMatchObject([{ content: "# 99" }]);
  });

  test("P-PLAN-08: the last document precedes the end of the turn", async () => {
    const { client, session, end, sent } = await openTurn(hello);
    for (const content of ["# a", "# b", "# c"]) session.emit(markdown(content));
    await client.update("plan_update");
    expect(sent()).toEqual(["# a"]);
    end();
    await client.next((frame) => frame.params?.update?.state === "idle" || frame.result?.stopReason === "end_turn");
    expect(sent()).toEqual(["# a", "# c"]);
    const last = client.received.findLastIndex((frame) => frame.params?.update?.sessionUpdate === "plan_update");
    const over = client.received.findIndex(
      (frame) => frame.params?.update?.state === "idle" || frame.result?.stopReason === "end_turn",
    );
    expect(last).toBeLessThan(over);
  });

  test("P-PLAN-08: its removal and another type are sent at once, and no document follows them", async () => {
    const { client, session, sent } = await openTurn(hello);
    for (const content of ["# a", "# b"]) session.emit(markdown(content));
    session.emit({ type: "plan_update", plan: { type: "items", planId: "p", entries: [] } });
    session.emit(markdown("# other", "q"));
    session.emit({ type: "plan_removed", planId: "p" });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent()).toEqual(["# a", "items", "# other"]);
    expect(client.updates("plan_removed")).toHaveLength(1);
  });
});

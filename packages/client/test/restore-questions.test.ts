import { describe, expect, test, vi } from "vitest";
import type { PermissionPolicy } from "../src/index.js";
import { ask } from "./draft-agent.js";
import { openIdle, openTurn } from "./open-turn.js";
import { back, gate, type RawAgent, settle } from "./raw-agent.js";

const place = { cwd: "/work" };
const yes = { outcome: "selected", optionId: "yes" } as const;

describe.each(["v1", "v2", "seed"] as const)("a question beside a restore of %s", (dialect) => {
  const question = (agent: RawAgent) => (dialect === "v1" ? agent.ask("q", "s-1") : ask(agent, "q"));

  test("defect B2: is shown in the open session and answered there; the restore may wait for that", async () => {
    const { agent, client, session, restore } = await openIdle(dialect);
    const restoring = client.restore("s-1", place);
    const call = await agent.call(restore);
    question(agent);
    await settle(agent);
    const [shown] = session.state.pendingPermissions;
    session.answer(shown?.requestId ?? "", yes);
    expect((await agent.answerTo("q")).result).toEqual({ outcome: yes });
    agent.answer(call, {});
    expect((await back(restoring)).state.pendingPermissions).toEqual([]);
  });

  test("defect B2: stays open in the session that goes on after a refusal", async () => {
    const { agent, client, session, restore } = await openIdle(dialect);
    const restoring = client.restore("s-1", place);
    const call = await agent.call(restore);
    question(agent);
    agent.refuse(call, -32602, "not now");
    expect(await restoring).toMatchObject({ status: "unavailable" });
    await settle(agent);
    expect(agent.received.some(({ id }) => id === "q")).toBe(false);
    const [shown] = session.state.pendingPermissions;
    session.answer(shown?.requestId ?? "", yes);
    expect((await agent.answerTo("q")).result).toEqual({ outcome: yes });
  });

  test("defect B2: moves to the restored session, from before and during the restore", async () => {
    const { agent, client, session, restore } = await openIdle(dialect);
    question(agent);
    await settle(agent);
    const [before] = session.state.pendingPermissions;
    const restoring = client.restore("s-1", place);
    agent.answer(await agent.call(restore), {});
    const restored = await back(restoring);
    expect(session.state.pendingPermissions).toEqual([]);
    expect(restored.state.pendingPermissions).toMatchObject([{ title: before?.title, options: before?.options }]);
    expect(agent.received.some(({ id }) => id === "q")).toBe(false);
    restored.answer(restored.state.pendingPermissions[0]?.requestId ?? "", yes);
    expect((await agent.answerTo("q")).result).toEqual({ outcome: yes });
    expect(restored.state.pendingPermissions).toEqual([]);
  });

  test("defect B2: that moved is answered by a policy that was asked before, or by the earlier session", async () => {
    const decided = gate<typeof yes | undefined>();
    const permissions = vi.fn<PermissionPolicy>(() => decided.promise);
    const { agent, client, session, restore } = await openIdle(dialect, { permissions });
    question(agent);
    await settle(agent);
    const [before] = session.state.pendingPermissions;
    let restoring = client.restore("s-1", place);
    agent.answer(await agent.call(restore), {});
    await back(restoring);
    restoring = client.restore("s-1", place);
    agent.answer(await agent.call(restore), {});
    const restored = await back(restoring);
    expect(permissions).toHaveBeenCalledTimes(1);
    expect(permissions.mock.calls[0]?.[1].aborted).toBe(false);
    if (dialect === "v1") decided.open(yes);
    else session.answer(before?.requestId ?? "", yes);
    expect((await agent.answerTo("q")).result).toEqual({ outcome: yes });
    expect(restored.state.pendingPermissions).toEqual([]);
    decided.open(undefined);
  });

  test("defect B2: that moved ends when the agent withdraws it", async () => {
    const { agent, client, restore } = await openIdle(dialect);
    question(agent);
    const restoring = client.restore("s-1", place);
    agent.answer(await agent.call(restore), {});
    const restored = await back(restoring);
    agent.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "q" } });
    await settle(agent);
    expect(restored.state.pendingPermissions).toEqual([]);
  });

  test("defect B2: of a turn that the restore ends is dismissed, where turns are cancelled", async () => {
    const { agent, client, restore } = await openTurn(dialect);
    question(agent);
    const restoring = client.restore("s-1", place);
    agent.answer(await agent.call(restore), {});
    const { pendingPermissions } = (await back(restoring)).state;
    await settle(agent);
    // In version 2 the work goes on, and updates report it.
    expect(pendingPermissions).toHaveLength(dialect === "v2" ? 1 : 0);
    if (dialect !== "v2") expect((await agent.answerTo("q")).result).toEqual({ outcome: { outcome: "cancelled" } });
  });
});

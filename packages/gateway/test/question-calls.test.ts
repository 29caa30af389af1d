import { createAgentWith, createMemoryLog, v1Dialect } from "@turnkit/agent";
import { expect, it } from "vitest";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";

it.each(["v1", "v2", "seed"] as const)(
  "SHARE-05 defect G10: the tool call of a question is shown to clients that are not asked, and stored (observer of %s)",
  async (dialect) => {
    const log = createMemoryLog();
    const first = gatewayOf(
      { prompt: async (turn) => void (await turn.ask({ title: "May I?" })) },
      { log: () => log },
      // In version 1, every question is about a tool call.
      (handlers) => createAgentWith([v1Dialect], handlers),
    );
    const session = await (await clientOf(first.gateway, "v1", { name: "Ann" })).newSession({ cwd: "/work" });
    const observer = await attach(await clientOf(first.gateway, dialect, { role: "observer" }), session.id);
    const turn = session.prompt("Go");
    await expect.poll(() => session.state.pendingPermissions).toHaveLength(1);
    const [question] = session.state.pendingPermissions;
    session.answer(question?.requestId ?? "", { outcome: "selected", optionId: question?.options[0]?.optionId ?? "" });
    await turn.ended;
    const callOf = ({ timeline }: typeof session.state) => [...timeline].find(({ type }) => type === "tool_call");
    const shown = { title: "May I?", _meta: { "turnkit.answeredBy": "Ann" } };
    await expect.poll(() => callOf(observer.state)).toMatchObject(shown);
    await first.gateway.close();
    const second = gatewayOf({}, { log: () => log });
    const later = await attach(await clientOf(second.gateway, dialect), session.id);
    expect(callOf(later.state)).toMatchObject({ title: "May I?" });
  },
);

it.each(["v1", "v2", "seed"] as const)(
  "SHARE-05 defect G59: a question that a client of %s gets late does not set its tool call back to an earlier status",
  async (dialect) => {
    const { gateway } = gatewayOf({
      async prompt(turn) {
        const call = turn.toolCall({ title: "Delete it", status: "pending" });
        const answer = call.ask();
        call.update({ status: "in_progress" });
        await answer;
      },
    });
    const session = await (await clientOf(gateway, "v1", { name: "Ann" })).newSession({ cwd: "/work" });
    void session.prompt("Go");
    const statusOf = ({ timeline }: typeof session.state) =>
      [...timeline].flatMap((entry) => (entry.type === "tool_call" ? [entry.status] : []));
    await expect.poll(() => statusOf(session.state)).toEqual(["in_progress"]);
    const late = await attach(await clientOf(gateway, dialect), session.id);
    await expect.poll(() => late.state.pendingPermissions).toHaveLength(1);
    expect(statusOf(late.state)).toEqual(["in_progress"]);
  },
);

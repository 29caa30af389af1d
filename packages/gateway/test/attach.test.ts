import type { SessionState } from "@turnkit/session";
import { expect, it } from "vitest";
import { attach, clientOf, type DialectName, gatewayOf } from "./attached-clients.js";

const textsOf = (state: SessionState): string[] =>
  [...state.timeline].map((entry) =>
    entry.type === "message"
      ? `${entry.role}: ${entry.content
          .toArray()
          .map((block) => ("text" in block ? block.text : block.type))
          .join("")}`
      : entry.type,
  );

const all: DialectName[] = ["v1", "v2", "seed"];

it.each(all)(
  "SHARE-02 SHARE-04 a client of %s that attaches has the conversation and what follows",
  async (dialect) => {
    const { gateway } = gatewayOf({ prompt: (turn) => turn.say(`You said ${turn.prompt.length} block.`) });
    const owner = await clientOf(gateway, "v2");
    const session = await owner.newSession({ cwd: "/work" });
    await session.prompt("One").ended;
    const watched = await attach(await clientOf(gateway, dialect), session.id);
    expect(textsOf(watched.state)).toEqual(["user: One", "agent: You said 1 block."]);
    await session.prompt("Two").ended;
    await expect.poll(() => textsOf(watched.state)).toEqual(textsOf(session.state));
    await watched.prompt("Three").ended;
    await expect.poll(() => textsOf(session.state)).toEqual(textsOf(watched.state));
    expect(textsOf(session.state)).toHaveLength(6);
  },
);

it.each(all)("SHARE-05 a question is asked of every client, and the first answer counts (%s)", async (dialect) => {
  const { gateway } = gatewayOf({
    async prompt(turn) {
      const call = turn.toolCall({ title: "Delete all", kind: "delete" });
      await turn.say((await call.ask()) ? "allowed" : "refused");
      call.fail("no");
    },
  });
  const one = await (await clientOf(gateway, dialect)).newSession({ cwd: "/work" });
  const two = await attach(await clientOf(gateway, "v2", { name: "Alice" }), one.id);
  const turn = one.prompt("Go");
  await expect.poll(() => two.state.pendingPermissions.length).toBe(1);
  await expect.poll(() => one.state.pendingPermissions.length).toBe(1);
  const [question] = two.state.pendingPermissions;
  const optionId = question?.options.find(({ kind }) => kind === "allow_once")?.optionId ?? "";
  two.answer(question?.requestId ?? "", { outcome: "selected", optionId });
  expect(await turn.text()).toBe("allowed");
  expect(one.state.pendingPermissions).toEqual([]);
  const call = [...one.state.timeline].find(({ type }) => type === "tool_call");
  expect(call).toMatchObject({ _meta: { "turnkit.answeredBy": "Alice" } });
});

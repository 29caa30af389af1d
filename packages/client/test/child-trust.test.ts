import { describe, expect, test, vi } from "vitest";
import { createPermissionBroker, type PermissionFacts } from "../src/broker/index.js";
import type { PermissionDecision, PermissionRequest, Session } from "../src/index.js";
import { openDraft, openDraftSession, piece } from "./draft-agent.js";
import { newSession, settle } from "./raw-agent.js";

const announced = (sessionId: string, members: object = {}) => ({
  sessionUpdate: "subagent_update",
  sessionId,
  ...members,
});

const options = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "ever", name: "Always", kind: "allow_always" },
];

function question(sessionId: string, toolCall: object): object {
  return {
    sessionId,
    title: "May I?",
    options,
    subject: { type: "tool_call", toolCall: { toolCallId: "t", ...toolCall } },
  };
}

const ever = (_: PermissionRequest): PermissionDecision => ({ outcome: "selected", optionId: "ever" });

describe("what an agent says about a child session", () => {
  test.each([{ cwd: "/" }, { additionalDirectories: ["/"] }, { cwd: "/work/.." }])(
    "%j puts no path inside the folders that the person has chosen",
    async (folders) => {
      const policy = vi.fn(({ place }: PermissionFacts) => (place === "inside" ? "allow" : "reject"));
      const permissions = createPermissionBroker({ policy, ask: ever });
      const { agent } = await openDraftSession(undefined, { permissions });
      agent.update("s-1", announced("kid", folders));
      agent.update("kid", announced("grandkid"));
      for (const [id, path] of [
        ["kid", "/etc/passwd"],
        ["grandkid", "/etc/passwd"],
        ["grandkid", "/work/a"],
      ] as const) {
        agent.request(
          `${id} ${path}`,
          "session/request_permission",
          question(id, { kind: "read", locations: [{ path }] }),
        );
        await agent.answerTo(`${id} ${path}`);
      }
      expect(policy.mock.calls.map(([{ place, roots }]) => [place, roots])).toEqual([
        ["outside", ["/work"]],
        ["outside", ["/work"]],
        ["inside", ["/work"]],
      ]);
    },
  );

  test("recalls no permanent answer of another project, and none of the same project for another folder", async () => {
    const ask = vi.fn(ever);
    const permissions = createPermissionBroker({ remember: { scope: "project" }, ask });
    const opened = await openDraft(undefined, { permissions });
    const { agent } = opened;
    await newSession(opened, "s-1");
    const opening = opened.client.newSession({ cwd: "/other" });
    agent.answer(await agent.call("session/new"), { sessionId: "s-2" });
    await opening;
    agent.update("s-2", announced("kid", { cwd: "/work" }), announced("plain"));
    const asking = ["s-1", "kid", "s-2", "plain", "plain", "kid"];
    for (const [at, id] of asking.entries()) {
      agent.request(at, "session/request_permission", question(id, { rawInput: { command: ["npm", "publish"] } }));
      await agent.answerTo(at);
    }
    expect(ask.mock.calls.map(([{ session }]) => session.id)).toEqual(["s-1", "kid", "s-2"]);
  });

  test.each(["a session of the user", "a child of it"])(
    "takes nothing from %s, when a replay announces its id",
    async (kind) => {
      const { agent, client, session, diagnostics } = await openDraftSession(undefined, { permissions: () => "wait" });
      agent.update("s-1", announced("kid"));
      await settle(agent);
      const victim = kind === "a child of it" ? (session.children[0] as Session) : session;
      agent.request("q", "session/request_permission", question(victim.id, {}));
      const restoring = client.restore("s-9", { cwd: "/other" });
      const request = await agent.call("session/resume");
      agent.update("s-9", announced(victim.id, { cwd: "/evil" }), { sessionUpdate: "replay_complete" });
      agent.answer(request, {});
      const { session: restored } = (await restoring) as { session: Session };
      await settle(agent);
      expect(restored.children).toEqual([]);
      expect(victim.state).toMatchObject({ closed: false, pendingPermissions: [{ requestId: expect.any(String) }] });
      expect(victim.cwd).toBe("/work");
      expect(diagnostics).toMatchObject([{ code: "dropped", sessionId: victim.id }]);
    },
  );

  test("takes nothing from a session that gets its id during the replay", async () => {
    const { agent, client } = await openDraftSession();
    const restoring = client.restore("s-9", { cwd: "/other" });
    const request = await agent.call("session/resume");
    agent.update("s-9", announced("s-2"));
    const opening = client.newSession({ cwd: "/work" });
    agent.answer(await agent.call("session/new"), { sessionId: "s-2" });
    const session = await opening;
    agent.answer(request, {});
    expect(await restoring).toMatchObject({ status: "replayed", session: { children: [] } });
    agent.update("s-2", piece("mine"));
    await settle(agent);
    expect(session.state.closed).toBe(false);
    expect(session.state.timeline.length).toBe(1);
  });
});

import { expect, it } from "vitest";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";
import { RawClient } from "./raw-client.js";

const options = [
  { configId: "model", name: "Model", category: "model", type: "select", currentValue: "a", options: [] } as never,
];

async function sharedSession() {
  const { gateway } = gatewayOf({
    newSession: () => ({ configOptions: options }),
    async prompt(turn) {
      await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
    },
  });
  const controller = await clientOf(gateway, "v2");
  const session = await controller.newSession({ cwd: "/work" });
  return { gateway, session };
}

const refused = ["session/new", "session/prompt", "session/set_config_option", "session/delete"];

it.each(refused)("SHARE-08 an observer is refused %s, with the reason", async (method) => {
  const { gateway, session } = await sharedSession();
  const raw = new RawClient(gateway.open({ id: "eve", group: "all", role: "observer" }));
  await raw.initialize(2);
  await raw.request("session/resume", { sessionId: session.id, cwd: "/work" });
  const { error } = await raw.request(method, {
    ...{ sessionId: session.id, cwd: "/work", prompt: [{ type: "text", text: "x" }], configId: "model", value: "b" },
    ...{ type: "id", mcpServers: [] },
  });
  expect(error).toMatchObject({ code: -32600, data: { reason: "observer" } });
});

it.each(["v1", "v2"] as const)(
  "SHARE-08, defect E36: an observer of %s does not get the capability delete",
  async (dialect) => {
    const { gateway } = gatewayOf({ newSession() {}, prompt() {} });
    const offered = async (role: "controller" | "observer") =>
      (await clientOf(gateway, dialect, { id: role, role })).peer.capabilities.delete;
    expect([await offered("controller"), await offered("observer")]).toEqual([true, false]);
  },
);

it("SHARE-08 the cancel of an observer does nothing", async () => {
  const { gateway, session } = await sharedSession();
  const turn = session.prompt("Go");
  await turn.accepted;
  const observer = await attach(await clientOf(gateway, "v1", { id: "eve", role: "observer" }), session.id);
  void observer.cancel();
  await attach(await clientOf(gateway, "v1", { id: "eve", role: "observer" }), session.id);
  expect(session.state.activity.state).toBe("running");
  await session.cancel();
  expect(await turn.ended).toMatchObject({ stopReason: "cancelled" });
});

it("SHARE-08 an observer that closes the session only leaves it", async () => {
  const { gateway, session } = await sharedSession();
  const observer = await attach(await clientOf(gateway, "v2", { id: "eve", role: "observer" }), session.id);
  await observer.close();
  expect(await session.prompt("Go").cancel()).toMatchObject({ stopReason: "cancelled" });
});

it("SHARE-05 SHARE-08 an observer is asked no question", async () => {
  const { gateway } = gatewayOf({ prompt: async (turn) => turn.say(String(await turn.ask({ title: "May I?" }))) });
  const session = await (await clientOf(gateway, "v2")).newSession({ cwd: "/work" });
  const observer = await attach(await clientOf(gateway, "v2", { id: "eve", role: "observer" }), session.id);
  const turn = session.prompt("Go");
  await expect.poll(() => session.state.pendingPermissions.length).toBe(1);
  expect(observer.state.pendingPermissions).toEqual([]);
  const [question] = session.state.pendingPermissions;
  session.answer(question?.requestId ?? "", { outcome: "cancelled" });
  expect(await turn.text()).toBe("false");
});

it.each([
  [{ id: "mallory" }, "another id"],
  [{ id: "someone", group: "others" }, "another group"],
  [{ id: "all" }, "the name of the group as its id"],
])("SHARE-10 SHARE-12 a session is unknown to a principal with %s", async (principal, _name) => {
  const { gateway, session } = await sharedSession();
  const raw = new RawClient(gateway.open(principal));
  await raw.initialize(2);
  for (const method of [
    "session/resume",
    "session/load",
    "session/prompt",
    "session/close",
    "session/set_config_option",
  ]) {
    const params = { sessionId: session.id, cwd: "/work", prompt: [{ type: "text", text: "x" }], mcpServers: [] };
    const { error } = await raw.request(method, { ...params, configId: "model", value: "b", type: "id" });
    // Version 2 has no load, and closing an unknown session succeeds.
    if (method === "session/load") expect(error?.code).toBe(-32601);
    else if (method === "session/close") expect(error).toBeUndefined();
    else expect(error).toMatchObject({ code: -32002 });
  }
  await raw.request("session/delete", { sessionId: session.id });
  expect((await raw.request("session/list", {})).result.sessions).toEqual([]);
  expect(session.state.closed).toBe(false);
  expect(await session.prompt("Go").cancel()).toMatchObject({ stopReason: "cancelled" });
});

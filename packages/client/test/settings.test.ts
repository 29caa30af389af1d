import { describe, expect, test } from "vitest";
import { isRpcError, rpcErrorCode } from "../src/index.js";
import { gate, open, openSession, RawAgent, settle } from "./raw-agent.js";

const modes = {
  currentModeId: "ask",
  availableModes: [
    { id: "ask", name: "Ask" },
    { id: "code", name: "Code" },
  ],
};
const models = {
  currentModelId: "m1",
  availableModels: [
    { modelId: "m1", name: "M1" },
    { modelId: "m2", name: "M2" },
  ],
};
const configOptions = (model: string, fast: boolean) => [
  {
    id: "llm",
    name: "Model",
    category: "model",
    type: "select",
    currentValue: model,
    options: [{ group: "g", name: "G", options: ["a", "b"].map((value) => ({ value, name: value })) }],
  },
  { id: "fast", name: "Fast", type: "boolean", currentValue: fast },
];

const currentOf = (session: { state: { configOptions?: readonly any[] } }, id: string) =>
  session.state.configOptions?.find(({ configId }) => configId === id)?.currentValue;

describe("options", () => {
  test.each([
    ["llm", "b", { configId: "llm", value: "b" }],
    ["fast", true, { configId: "fast", value: true, type: "boolean" }],
  ])("%s is set to %s by set_config_option (V1-CFG-07)", async (id, value, params) => {
    const { agent, session } = await openSession({}, { result: { configOptions: configOptions("a", false) } });
    const set = session.setConfigOption(id, value);
    const asked = await agent.call("session/set_config_option");
    expect(asked.params).toEqual({ sessionId: "s-1", ...params });
    agent.answer(asked, { configOptions: configOptions("b", true) });
    await set;
    expect([currentOf(session, "llm"), currentOf(session, "fast")]).toEqual(["b", true]);
  });

  test("a mode is set by set_mode, and is current when the agent has confirmed it (V1-MODE-02, V1-MODE-03)", async () => {
    const { agent, session } = await openSession({}, { result: { modes } });
    const set = session.setConfigOption("mode", "code");
    const asked = await agent.call("session/set_mode");
    expect(asked.params).toEqual({ sessionId: "s-1", modeId: "code" });
    expect(currentOf(session, "mode")).toBe("ask");
    agent.answer(asked, {});
    await set;
    expect(currentOf(session, "mode")).toBe("code");
  });

  test("a later update overrides what was set, in the order of the wire (V1-MODE-03, V1-MODE-04)", async () => {
    const { agent, session } = await openSession({}, { result: { modes } });
    const set = session.setConfigOption("mode", "code");
    const asked = await agent.call("session/set_mode");
    const update = { sessionUpdate: "current_mode_update", currentModeId: "ask" };
    agent.send(RawAgent.result(asked, null), RawAgent.update("s-1", update));
    await set;
    await settle(agent);
    expect(currentOf(session, "mode")).toBe("ask");
  });

  test("a model of the year 2025 is set by set_model (V1-MODEL-02)", async () => {
    const { agent, session } = await openSession({}, { result: { models } });
    const set = session.setConfigOption("model", "m2");
    const asked = await agent.call("session/set_model");
    expect(asked.params).toEqual({ sessionId: "s-1", modelId: "m2" });
    agent.answer(asked, null);
    await set;
    expect(currentOf(session, "model")).toBe("m2");
  });

  test("during a turn, too (V1-MODE-02, V1-CFG-11)", async () => {
    const { agent, session } = await openSession({}, { result: { modes } });
    session.prompt("hi");
    await agent.call("session/prompt");
    const set = session.setConfigOption("mode", "code");
    agent.answer(await agent.call("session/set_mode"), {});
    await set;
  });

  test.each([
    ["nope", "x", "no option nope"],
    ["llm", "c", "offers a, b"],
    ["llm", true, "cannot be true"],
    ["fast", "true", "offers true, false"],
    ["mode", "edit", "offers ask, code"],
    ["odd", "x", "no option odd"],
  ])("%s cannot become %j: nothing is sent (V1-CFG-14, V1-MODE-02, V1-CFG-06)", async (id, value, message) => {
    const odd = { id: "odd", name: "Odd", type: "slider", currentValue: 3 };
    const { agent, session } = await openSession(
      {},
      { result: { modes, configOptions: [...configOptions("a", false), odd] } },
    );
    await expect(session.setConfigOption(id, value)).rejects.toMatchObject({
      code: "state",
      message: expect.stringContaining(message),
    });
    await settle(agent);
    expect(agent.received.some(({ method }) => method?.startsWith("session/set"))).toBe(false);
  });

  test("a refusal is an RpcError and changes nothing (V1-CFG-09)", async () => {
    const { agent, session } = await openSession({}, { result: { modes } });
    const set = session.setConfigOption("mode", "code");
    agent.refuse(await agent.call("session/set_mode"), -32602, "not now");
    await expect(set).rejects.toMatchObject({ code: -32602, message: "not now" });
    expect(currentOf(session, "mode")).toBe("ask");
  });
});

describe("login", () => {
  const authMethods = [
    { id: "web", name: "Browser" },
    { id: "odd", name: "Odd", type: "sso" },
    { type: "terminal", id: "tui", name: "Terminal" },
  ];

  test.each([
    ["web", {}],
    ["odd", null],
  ])("%s is run by the agent, whose %j is a success (V1-AUTH-02, V1-AUTH-07, V1-RPC-08)", async (id, result) => {
    const { agent, client } = await open({}, { authMethods });
    const login = client.login(id);
    const asked = await agent.call("authenticate");
    expect(asked.params).toEqual({ methodId: id });
    agent.answer(asked, result);
    await login;
  });

  test.each(["tui", "nope"])("%s is never sent (V1-AUTH-06)", async (id) => {
    const { agent, client } = await open({}, { authMethods });
    await expect(client.login(id)).rejects.toMatchObject({ code: "capability" });
    expect(agent.count("authenticate")).toBe(0);
  });

  test("-32000 says that one is needed; after it, what failed is tried again and succeeds (V1-AUTH-10)", async () => {
    const { agent, client } = await open({}, { authMethods });
    const refused = client.newSession({ cwd: "/work" });
    agent.refuse(await agent.call("session/new"), -32000, "Authentication required");
    await expect(refused).rejects.toSatisfy((error) => isRpcError(error, rpcErrorCode.authRequired));
    const login = client.login("web");
    agent.answer(await agent.call("authenticate"), {});
    await login;
    const again = client.newSession({ cwd: "/work" });
    agent.answer(await agent.call("session/new"), { sessionId: "s-1" });
    expect((await again).id).toBe("s-1");
  });

  test("can be withdrawn by its signal (V1-CANCEL-20)", async () => {
    const { agent, client } = await open({}, { authMethods });
    const withdrawn = new AbortController();
    const login = client.login("web", withdrawn.signal);
    const asked = await agent.call("authenticate");
    withdrawn.abort();
    expect((await agent.call("$/cancel_request")).params).toEqual({ requestId: asked.id });
    agent.refuse(asked, -32800, "Request cancelled");
    await expect(login).rejects.toMatchObject({ code: -32800 });
  });

  test("a failed one is the agent's error", async () => {
    const { agent, client } = await open({}, { authMethods });
    const login = client.login("web");
    agent.refuse(await agent.call("authenticate"), -32000, "no such user");
    await expect(login).rejects.toMatchObject({ code: -32000, message: "no such user" });
  });
});

test("the answer of a set that was asked first may come last: each change is taken as it comes (V1-CFG-10)", async () => {
  const { agent, session } = await openSession({}, { result: { configOptions: configOptions("a", false) } });
  const never = gate();
  session.onEvent(() => never.promise);
  const first = session.setConfigOption("llm", "b");
  const second = session.setConfigOption("fast", true);
  const [one, two] = [await agent.call("session/set_config_option"), await agent.call("session/set_config_option")];
  agent.answer(two, { configOptions: configOptions("a", true) });
  agent.answer(one, { configOptions: configOptions("b", true) });
  await Promise.all([first, second]);
  expect([currentOf(session, "llm"), currentOf(session, "fast")]).toEqual(["b", true]);
});

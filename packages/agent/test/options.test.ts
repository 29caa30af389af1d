import { setImmediate } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { type AgentHandlers, type ConfigOption, RpcError } from "../src/index.js";
import { aborted, everything, type Frame, gate, open } from "./raw-client.js";

const mode: ConfigOption = {
  configId: "how",
  name: "Mode",
  category: "mode",
  type: "select",
  currentValue: "ask",
  options: [
    { value: "ask", name: "Ask" },
    { value: "code", name: "Code", description: "Edits files" },
  ],
};
const model: ConfigOption = {
  configId: "brain",
  name: "Model",
  category: "model",
  type: "select",
  currentValue: "m1",
  options: [{ groupId: "g", name: "Group", options: ["m1", "m2"].map((value) => ({ value, name: value })) }],
};
const fast: ConfigOption = { configId: "fast", name: "Fast", type: "boolean", currentValue: false };

type Options = { readonly capabilities?: object };

const withOptions = (handlers: Partial<AgentHandlers> = {}, options: Options = {}) =>
  open({ newSession: () => ({ configOptions: [mode, model, fast] }), ...handlers }, options);

const values = (options: readonly Frame[]) =>
  Object.fromEntries(options.map(({ id, currentValue }) => [id, currentValue]));

describe("what a session offers", () => {
  test("V1-MODE-01 V1-MODE-07 V1-CFG-01 V1-CFG-02 V1-MODEL-01: options, modes and models", async () => {
    const { client } = await withOptions();
    const { result } = await client.request("session/new", { cwd: "/w", mcpServers: [] });
    expect(result.modes).toEqual({
      currentModeId: "ask",
      availableModes: [
        { id: "ask", name: "Ask" },
        { id: "code", name: "Code", description: "Edits files" },
      ],
    });
    expect(result.models).toEqual({
      currentModelId: "m1",
      availableModels: [
        { modelId: "m1", name: "m1" },
        { modelId: "m2", name: "m2" },
      ],
    });
    expect(result.configOptions.map(({ id, type }: Frame) => [id, type])).toEqual([
      ["how", "select"],
      ["brain", "select"],
      ["fast", "boolean"],
    ]);
    expect(result.configOptions[1].options[0]).toMatchObject({ group: "g", name: "Group" });
  });

  test("V1-CFG-05: every option says its value, and a client that ignores them is served by these", async () => {
    const { client } = await withOptions({
      prompt: ({ session }) => void session.setTitle(["how", "brain", "fast"].map(session.configValue, session).join()),
    });
    const { sessionId, configOptions } = await client.result("session/new", { cwd: "/w", mcpServers: [] });
    expect(values(configOptions)).toEqual({ how: "ask", brain: "m1", fast: false });
    expect((await client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
    expect(await client.update("session_info_update")).toMatchObject({ title: "ask,m1,false" });
  });

  test("V1-CFG-04: booleans become a choice for a client that does not know them, and the choice is understood", async () => {
    const chosen: unknown[] = [];
    const { client, sessionId } = await withOptions(
      { setConfigOption: (_, id, value) => void chosen.push(id, value) },
      { capabilities: {} },
    );
    const { result } = await client.request("session/new", { cwd: "/w", mcpServers: [] });
    expect(result.configOptions[2]).toMatchObject({ id: "fast", type: "select", currentValue: "off" });
    const set = { sessionId, configId: "fast", value: "on" };
    expect(values((await client.result("session/set_config_option", set)).configOptions)).toMatchObject({ fast: "on" });
    expect(values((await client.update("config_option_update")).configOptions)).toMatchObject({ fast: "on" });
    expect(chosen).toEqual(["fast", true]);
    expect(await client.error("session/set_config_option", { ...set, value: "maybe" })).toMatchObject({ code: -32602 });
  });
});

describe("choosing", () => {
  test("V1-MODE-02 V1-MODE-07: a mode: both updates, then the answer", async () => {
    const chosen: unknown[] = [];
    const { client, sessionId } = await withOptions({
      setConfigOption: (session, id, value) => void chosen.push(id, value, session.configValue(id)),
      prompt: (turn) => turn.say(String(turn.session.configValue("how"))),
    });
    const { id, result } = await client.request("session/set_mode", { sessionId, modeId: "code" });
    expect(result).toEqual({});
    expect(client.story.slice(2)).toEqual(["config_option_update", "current_mode_update", `#${id}`]);
    expect(client.updates("current_mode_update")).toEqual([
      { sessionUpdate: "current_mode_update", currentModeId: "code" },
    ]);
    expect(values(client.updates("config_option_update")[0]?.configOptions)).toMatchObject({ how: "code" });
    expect(chosen).toEqual(["how", "code", "ask"]);
    await client.ask(sessionId);
    expect(client.text).toBe("code");
  });

  test("V1-CFG-09 V1-CFG-10: an option: the answer carries the full list", async () => {
    const { client, sessionId } = await withOptions();
    const set = { sessionId, configId: "fast", type: "boolean", value: true };
    const { configOptions } = await client.result("session/set_config_option", set);
    expect(values(configOptions)).toEqual({ how: "ask", brain: "m1", fast: true });
    expect(client.updates("current_mode_update")).toEqual([]);
    expect(client.updates("config_option_update").map((update) => update.configOptions)).toEqual([configOptions]);
  });

  test("V1-CFG-08: a string with an unknown type is a value; the mode may be chosen as an option, too", async () => {
    const { client, sessionId } = await withOptions();
    const set = { sessionId, configId: "how", type: "id", value: "code" };
    expect(values((await client.result("session/set_config_option", set)).configOptions)).toMatchObject({
      how: "code",
    });
    expect(client.updates("current_mode_update")).toHaveLength(1);
  });

  test("V1-MODEL-02 V1-MODEL-04: a model", async () => {
    const { client, sessionId } = await withOptions();
    expect(await client.result("session/set_model", { sessionId, modelId: "m2" })).toEqual({});
    expect(values(client.updates("config_option_update")[0]?.configOptions)).toMatchObject({ brain: "m2" });
  });

  test.each<[string, string, object]>([
    ["V1-MODE-05 an unknown mode", "session/set_mode", { modeId: "yolo" }],
    ["V1-MODEL-05 an unknown model", "session/set_model", { modelId: "m9" }],
    ["V1-CFG-09 an unknown option", "session/set_config_option", { configId: "none", value: "x" }],
    ["V1-CFG-14 an unknown value", "session/set_config_option", { configId: "how", value: "yolo" }],
    ["V1-CFG-09 a group for a value", "session/set_config_option", { configId: "brain", value: "g" }],
    ["V1-CFG-09 a string for a boolean", "session/set_config_option", { configId: "fast", value: "on" }],
    [
      "V1-CFG-09 a boolean for a select",
      "session/set_config_option",
      { configId: "how", type: "boolean", value: true },
    ],
    ["V1-CFG-08 a boolean without its type", "session/set_config_option", { configId: "fast", value: true }],
  ])("%s: -32602, nothing changes, no handler runs", async (_, method, params) => {
    const setConfigOption = vi.fn();
    const { client, sessionId } = await withOptions({ setConfigOption }, { capabilities: everything });
    expect(await client.error(method, { sessionId, ...params })).toMatchObject({ code: -32602 });
    expect(setConfigOption).not.toHaveBeenCalled();
    expect(client.updates()).toEqual([]);
    const set = { sessionId, configId: "how", value: "ask" };
    expect(values((await client.result("session/set_config_option", set)).configOptions)).toEqual({
      how: "ask",
      brain: "m1",
      fast: false,
    });
    expect(client.updates()).toEqual([]);
  });

  test("V1-MODE-01: a mode is what can be chosen from, not another option of that category", async () => {
    const strict: ConfigOption = { ...fast, configId: "strict", category: "mode" } as ConfigOption;
    const { client, sessionId } = await open({ newSession: () => ({ configOptions: [strict, mode] }) });
    expect(await client.result("session/set_mode", { sessionId, modeId: "code" })).toEqual({});
    expect(await client.update("current_mode_update")).toMatchObject({ currentModeId: "code" });
  });

  test("V1-MODE-01: without options there is no mode to set", async () => {
    const { client, sessionId } = await open({});
    expect(await client.error("session/set_mode", { sessionId, modeId: "x" })).toMatchObject({ code: -32602 });
  });

  test.each([
    ["throws", () => Promise.reject(new RpcError(-32011, "Not now."))],
    [
      "throws at once",
      () => {
        throw new RpcError(-32011, "Not now.");
      },
    ],
  ])("V1-CFG-09: a handler that %s refuses: nothing changes", async (_, setConfigOption) => {
    const { client, sessionId } = await withOptions({
      setConfigOption,
      prompt: (turn) => turn.say(String(turn.session.configValue("how"))),
    });
    expect(await client.error("session/set_mode", { sessionId, modeId: "code" })).toEqual({
      code: -32011,
      message: "Not now.",
    });
    await client.ask(sessionId);
    expect(client.story.slice(-2)[0]).toBe("ask");
    expect(client.updates("current_mode_update")).toEqual([]);
  });

  test("V1-CFG-09 V1-CFG-11: the handler changes what depends on the choice", async () => {
    const { client, sessionId } = await withOptions({
      setConfigOption: (session) => void session.setConfigOptions([mode, fast]),
    });
    const { configOptions } = await client.result("session/set_config_option", {
      sessionId,
      configId: "how",
      value: "code",
    });
    expect(values(configOptions)).toEqual({ how: "code", fast: false });
    expect(values(client.updates("config_option_update").at(-1)?.configOptions)).toEqual({ how: "code", fast: false });
    expect(client.updates("current_mode_update")).toHaveLength(1);
  });

  test("V1-MODE-04 V1-MODE-06: the agent changes its mode by itself", async () => {
    const { client, sessionId } = await withOptions({
      prompt: (turn) => void turn.session.setConfigOptions([{ ...mode, currentValue: "code" } as ConfigOption, fast]),
    });
    await client.ask(sessionId);
    expect(client.story.slice(2, -1)).toEqual(["config_option_update", "current_mode_update"]);
  });
});

describe("order", () => {
  test("choices run one after the other, and a prompt starts after those before it, answers included", async () => {
    const story: string[] = [];
    const { client, sessionId } = await withOptions({
      async setConfigOption(_, id, value) {
        story.push(`${id} begins`);
        await setImmediate();
        story.push(`${id} is ${value}`);
      },
      prompt: (turn) => turn.say(`${turn.session.configValue("how")} ${turn.session.configValue("brain")}`),
    });
    client.send(
      { id: "a", method: "session/set_mode", params: { sessionId, modeId: "code" } },
      { id: "b", method: "session/set_model", params: { sessionId, modelId: "m2" } },
      { id: "p", method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text: "hi" }] } },
      { id: "c", method: "session/set_model", params: { sessionId, modelId: "m1" } },
    );
    await client.answer("p");
    await client.answer("c");
    expect(story).toEqual(["how begins", "how is code", "brain begins", "brain is m2", "brain begins", "brain is m1"]);
    expect(client.text).toBe("code m2");
    const words = client.story.filter((word) => word.startsWith("#") || word === "code m2");
    expect(words.slice(2, 5)).toEqual(["#a", "#b", "code m2"]);
  });

  test("V1-MODE-02 V1-CFG-11: a choice during a turn does not wait for its end", async () => {
    const { client, sessionId } = await withOptions({
      async prompt(turn) {
        turn.say("running");
        await aborted(turn.signal);
      },
    });
    const prompt = client.prompt(sessionId);
    await client.update("agent_message_chunk");
    expect(await client.result("session/set_mode", { sessionId, modeId: "code" })).toEqual({});
    client.cancel(sessionId);
    await client.answer(prompt);
  });

  test("a slow choice in one session does not hold another", async () => {
    const chosen = gate();
    const { client, sessionId } = await withOptions({ setConfigOption: () => chosen.promise });
    const set = client.request("session/set_mode", { sessionId, modeId: "code" });
    expect((await client.ask(await client.newSession())).result).toEqual({ stopReason: "end_turn" });
    chosen.open();
    await set;
  });

  test("the value is checked when its turn comes, not when it arrives", async () => {
    const wide = { ...mode, currentValue: "new", options: [{ value: "new", name: "New" }] } as ConfigOption;
    const { client, sessionId } = await withOptions({
      async setConfigOption(session, id) {
        await setImmediate();
        if (id === "fast") session.setConfigOptions([wide, fast]);
      },
    });
    client.send(
      {
        id: "a",
        method: "session/set_config_option",
        params: { sessionId, configId: "fast", type: "boolean", value: true },
      },
      { id: "b", method: "session/set_mode", params: { sessionId, modeId: "new" } },
      { id: "c", method: "session/set_mode", params: { sessionId, modeId: "code" } },
    );
    expect((await client.answer("b")).result).toEqual({});
    expect((await client.answer("c")).error).toMatchObject({ code: -32602 });
  });
});

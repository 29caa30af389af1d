import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  type AgentHandlers,
  defaultPermissionOptions,
  type Loss,
  RpcError,
  type ServeOptions,
  type Turn,
} from "../src/index.js";
import { aborted, connectAs, gate, info, openAs, seedHello, serve } from "./raw-client.js";

const open = (handlers: Partial<AgentHandlers>, options: ServeOptions = {}) => openAs(seedHello, handlers, options);
const textOf = (turn: Turn) => turn.prompt.map((block) => ("text" in block ? block.text : block.type)).join();

describe("initialize of the older draft", () => {
  test("V2-SEED-20 V2-SEED-24: older names, all markers", async () => {
    const { client } = serve({
      restoreSession: () => undefined,
      listSessions: () => ({ sessions: [] }),
      deleteSession: () => undefined,
      login: () => undefined,
      logout: () => undefined,
      authMethods: [{ type: "agent", methodId: "web", name: "Web" }],
    });
    expect(await client.result("initialize", seedHello)).toEqual({
      protocolVersion: 2,
      agentInfo: info,
      capabilities: {
        session: { prompt: {}, mcp: { stdio: {} }, load: {}, list: {}, resume: {}, close: {}, delete: {} },
        auth: { logout: {} },
      },
      authMethods: [{ type: "agent", id: "web", methodId: "web", name: "Web" }],
    });
  });

  test("V2-SEED-20: handlers see who it is", async () => {
    let seen: unknown;
    const { client } = await connectAs(seedHello, {
      newSession: (_, session) => {
        seen = session.client;
      },
    });
    await client.newSession();
    expect(seen).toMatchObject({
      dialect: "seed",
      info: seedHello.clientInfo,
      capabilities: { booleanOptions: false },
    });
  });

  test("V2-SEED-24: authenticate and logout", async () => {
    const said: string[] = [];
    const { client } = await connectAs(seedHello, {
      authMethods: [{ type: "agent", methodId: "web", name: "Web" }],
      login: (methodId) => void said.push(methodId),
      logout: () => void said.push("out"),
    });
    await client.result("authenticate", { methodId: "web" });
    await client.result("logout");
    expect(said).toEqual(["web", "out"]);
    expect(await client.error("auth/login", { methodId: "web" })).toMatchObject({ code: -32601 });
  });
});

describe("prompts of the older draft", () => {
  test("V2-SEED-21: the echo first, every update, then the answer; no state", async () => {
    const { client, sessionId } = await open({
      async prompt(turn) {
        turn.say("Forty");
        turn.plan([{ content: "Count", priority: "low", status: "pending" }]);
        await turn.toolCall({ title: "grep" }).run(() => undefined);
        turn.session.emit({ type: "notice", severity: "info", title: "n" });
        turn.session.setBackground([]);
      },
    });
    const id = client.prompt(sessionId, "Count");
    expect((await client.answer(id)).result).toEqual({ stopReason: "end_turn" });
    const calls = Array(3).fill("tool_call_update");
    expect(client.story.slice(2)).toEqual(["user_message", "Forty", "plan_update", ...calls, `#${id}`]);
    expect(client.updates("plan_update")[0]?.plan).toMatchObject({ type: "items", id: expect.any(String) });
  });

  test("V2-SEED-22: every reason passes; error, and what is thrown, is an error response", async () => {
    const { client, sessionId } = await open({
      prompt(turn) {
        if (textOf(turn) === "throw") throw new RpcError(-32042, "Quota.");
        return textOf(turn) as "refusal";
      },
    });
    for (const stopReason of ["refusal", "max_tokens", "_budget_spent"]) {
      expect((await client.ask(sessionId, stopReason)).result).toEqual({ stopReason });
    }
    expect((await client.ask(sessionId, "error")).error).toMatchObject({ code: -32603 });
    expect((await client.ask(sessionId, "throw")).error).toEqual({ code: -32042, message: "Quota." });
  });

  test("V2-SEED-22 V2-SEED-25: a cancel answers what runs and what is held with cancelled", async () => {
    const { client, sessionId } = await open({
      async prompt(turn) {
        await aborted(turn.signal);
        await setImmediate();
        turn.say("last words");
        throw turn.signal.reason;
      },
    });
    const ids = [client.prompt(sessionId), client.prompt(sessionId)];
    await client.update("user_message");
    client.cancel(sessionId);
    for (const id of ids) expect((await client.answer(id)).result).toEqual({ stopReason: "cancelled" });
    expect(client.story.slice(-2)).toEqual(["last words", `#${ids[0]}`]);
    expect(client.updates("user_message")).toHaveLength(1);
  });

  test("queue: the next one starts when the answer to the one before has left", async () => {
    const end = gate();
    const { client, sessionId } = await open({
      async prompt(turn) {
        await end.promise;
        turn.say(textOf(turn));
      },
    });
    const ids = ["a", "b"].map((text) => client.prompt(sessionId, text));
    end.open();
    await client.answer(ids[1]);
    expect(client.story.slice(2)).toEqual(["user_message", "a", `#${ids[0]}`, "user_message", "b", `#${ids[1]}`]);
  });
});

describe("shapes of the older draft", () => {
  test("V2-SEED-23: a question is about a tool call, one without gets its own", async () => {
    const answers: boolean[] = [];
    const { client, sessionId } = await open({
      async prompt(turn) {
        const call = turn.toolCall({ title: "Edit", kind: "edit" });
        answers.push(
          (await call.requestPermission()).allowed,
          (await turn.requestPermission({ title: "Go on?", options: defaultPermissionOptions })).allowed,
        );
      },
    });
    const prompt = client.prompt(sessionId);
    const first = await client.call("session/request_permission");
    expect(first.params).toMatchObject({
      sessionId,
      toolCall: { title: "Edit", kind: "edit" },
      options: defaultPermissionOptions,
    });
    client.reply(first, { outcome: { outcome: "selected", optionId: "allow_once" } });
    const second = await client.call("session/request_permission", 1);
    expect(second.params.toolCall).toMatchObject({ toolCallId: expect.any(String), title: "Go on?" });
    client.reply(second, null);
    await client.answer(prompt);
    expect(answers).toEqual([true, false]);
  });

  test("V2-SEED-23: options by older names, booleans as a choice; losses are told", async () => {
    const losses: [Loss["id"], string | undefined][] = [];
    const chosen: unknown[] = [];
    const option = { type: "boolean", configId: "terse", name: "Terse", currentValue: false } as const;
    const command = { type: "command", name: "test", description: "Runs tests" } as const;
    const { client } = await connectAs(
      seedHello,
      {
        newSession: () => ({ configOptions: [option], availableCommands: [command] }),
        setConfigOption: (_, configId, value) => void chosen.push([configId, value]),
      },
      { onLoss: ({ id }, sessionId) => void losses.push([id, sessionId]) },
    );
    const { sessionId, configOptions, ...rest } = await client.result("session/new", { cwd: "/w", mcpServers: [] });
    expect(rest).toEqual({});
    expect(configOptions).toMatchObject([{ id: "terse", type: "select", currentValue: "off" }]);
    expect((await client.update("available_commands_update")).availableCommands).toMatchObject([{ name: "test" }]);
    const params = { sessionId, configId: "terse", value: "on" };
    const set = await client.result("session/set_config_option", params);
    expect(set.configOptions).toMatchObject([{ id: "terse", currentValue: "on" }]);
    expect(chosen).toEqual([["terse", true]]);
    expect(losses).toContainEqual(["boolean-option", undefined]);
    expect(losses).toContainEqual(["boolean-option", sessionId]);
  });

  test("V2-SEED-24: load replays before its answer, resume does not, and there is no snapshot", async () => {
    const { client } = await connectAs(seedHello, {
      restoreSession: ({ replay }, session) => {
        if (!replay) return;
        session.emit({ type: "user_message", messageId: "u", content: [{ type: "text", text: "x" }] });
      },
    });
    const load = await client.request("session/load", { sessionId: "s", cwd: "/w", mcpServers: [] });
    expect(client.story.slice(1)).toEqual(["user_message", `#${load.id}`]);
    await client.result("session/resume", { sessionId: "s", cwd: "/w", mcpServers: [] });
    expect(client.updates()).toHaveLength(1);
    expect((await client.ask("s")).result).toEqual({ stopReason: "end_turn" });
  });
});

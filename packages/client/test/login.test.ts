import { describe, expect, test, vi } from "vitest";
import { type AuthMethod, type Client, type LoginOptions, withLogin } from "../src/index.js";
import { open, type RawAgent, settle } from "./raw-agent.js";

const authMethods = [
  { id: "web", name: "Web" },
  { id: "tui", type: "terminal", name: "Terminal", args: ["login"] },
];
const refuse = async (agent: RawAgent, code = -32000, message = "Authentication required") =>
  agent.refuse(await agent.call("session/new"), code, message);
const newSession = (client: Client) => client.newSession({ cwd: "/work" });
const choosing = (id: string) =>
  vi.fn((methods: readonly AuthMethod[]) => methods.find(({ methodId }) => methodId === id));
const begin = async (options: LoginOptions) => {
  const { agent, client } = await open({ terminalLogin: true }, { authMethods });
  return { agent, client, done: withLogin(client, newSession, options) };
};

describe("withLogin", () => {
  test("asks for no login where none is needed", async () => {
    const choose = choosing("web");
    const { agent, client, done } = await begin({ choose });
    agent.answer(await agent.call("session/new"), { sessionId: "s-1" });
    expect(await done).toMatchObject({ client, result: { id: "s-1" } });
    expect(choose).not.toHaveBeenCalled();
  });

  test("-32000, the chosen login by the agent, and the same once more (V1-AUTH-10, V2-AUTH-10)", async () => {
    const choose = choosing("web");
    const { agent, client, done } = await begin({ choose });
    await refuse(agent, -32000, "whatever it says");
    const login = await agent.call("authenticate");
    expect(login.params).toEqual({ methodId: "web" });
    expect(choose.mock.calls[0]?.[0].map(({ methodId }) => methodId)).toEqual(["web"]);
    agent.answer(login, {});
    agent.answer(await agent.call("session/new"), { sessionId: "s-1" });
    expect(await done).toMatchObject({ client, result: { id: "s-1" } });
  });

  test("once: a second refusal stands", async () => {
    const { agent, done } = await begin({ choose: choosing("web") });
    const failed = expect(done).rejects.toMatchObject({ code: -32000, message: "still not" });
    await refuse(agent);
    agent.answer(await agent.call("authenticate"), {});
    await refuse(agent, -32000, "still not");
    await failed;
    await settle(agent);
    expect([agent.count("authenticate"), agent.count("session/new")]).toEqual([1, 2]);
  });

  test.each([
    ["another error, whatever it says", -32603, "Authentication required"],
    ["an unknown session", -32002, "please log in"],
  ])("%s is no wish for a login", async (_, code, message) => {
    const choose = choosing("web");
    const { agent, done } = await begin({ choose });
    const failed = expect(done).rejects.toMatchObject({ code });
    await refuse(agent, code, message);
    await failed;
    expect(choose).not.toHaveBeenCalled();
  });

  test("nothing chosen: the agent's refusal stands", async () => {
    const { agent, done } = await begin({ choose: () => undefined });
    const failed = expect(done).rejects.toMatchObject({ code: -32000, message: "Authentication required" });
    await refuse(agent);
    await failed;
    expect(agent.count("authenticate")).toBe(0);
  });

  test("a login that fails is its error; nothing is tried again", async () => {
    const { agent, done } = await begin({ choose: choosing("web") });
    const failed = expect(done).rejects.toMatchObject({ code: -32603, message: "no browser" });
    await refuse(agent);
    agent.refuse(await agent.call("authenticate"), -32603, "no browser");
    await failed;
    await settle(agent);
    expect(agent.count("session/new")).toBe(1);
  });

  test("by terminal: the old client is closed, the new one is asked (V1-AUTH-12, V2-AUTH-08)", async () => {
    const second = await open({}, { authMethods });
    const log: string[] = [];
    const { agent, client, done } = await begin({
      choose: choosing("tui"),
      onTerminal: async (method) => {
        log.push(`login ${method.methodId}, closed ${(await client.closed).kind}`);
        return second.client;
      },
    });
    await refuse(agent);
    second.agent.answer(await second.agent.call("session/new"), { sessionId: "s-2" });
    expect(await done).toMatchObject({ client: second.client, result: { id: "s-2" } });
    expect(log).toEqual(["login tui, closed local"]);
    expect(agent.count("authenticate")).toBe(0);
  });

  test("a client that was started for it does not stay when the second try fails", async () => {
    const second = await open({}, { authMethods });
    const { agent, done } = await begin({ choose: choosing("tui"), onTerminal: async () => second.client });
    const failed = expect(done).rejects.toMatchObject({ code: -32603 });
    await refuse(agent);
    await refuse(second.agent, -32603, "broken");
    await failed;
    expect((await second.client.closed).kind).toBe("local");
  });

  test("a signal gives up: what is chosen afterwards is not run", async () => {
    const stop = new AbortController();
    const choose = (methods: readonly AuthMethod[], signal: AbortSignal) => {
      stop.abort();
      return signal.aborted ? methods[1] : undefined;
    };
    const onTerminal = vi.fn();
    const { agent, done } = await begin({ choose, onTerminal, signal: stop.signal });
    const failed = expect(done).rejects.toMatchObject({ code: "aborted" });
    await refuse(agent);
    await failed;
    expect(onTerminal).not.toHaveBeenCalled();
    await settle(agent);
  });
});

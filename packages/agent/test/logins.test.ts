import { describe, expect, test } from "vitest";
import { type AgentHandlers, type ElicitationQuestion, RpcError } from "../src/index.js";
import { aborted, clientInfo, connectAs, type Frame, gate, v2Hello } from "./raw-client.js";

const both = { elicitation: { form: {}, url: {} } };
const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: both };
const place = { cwd: "/work", mcpServers: [] };
const authMethods = [{ type: "agent", methodId: "web", name: "Browser" }] as const;

/** An agent of one account, which it needs for sessions and prompts. */
function needsLogin(): Partial<AgentHandlers> {
  let user: string | undefined;
  const mustBeKnown = () => {
    if (user === undefined) throw RpcError.authRequired();
  };
  return {
    authMethods,
    newSession: mustBeKnown,
    prompt: mustBeKnown,
    login(methodId) {
      user = methodId;
    },
    logout() {
      user = undefined;
    },
  };
}

const needed = { code: -32000, message: "Authentication required" };

describe("logins", () => {
  test("V1-AUTH-16 V1-AUTH-17: after logout nothing new begins until a login; what runs asks for one", async () => {
    const { client } = await connectAs(v1Hello, needsLogin());
    expect(await client.error("session/new", place)).toEqual(needed);
    await client.result("authenticate", { methodId: "web" });
    const sessionId = await client.newSession();
    expect((await client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
    expect(await client.result("logout")).toEqual({});
    expect(await client.error("session/new", place)).toEqual(needed);
    expect((await client.ask(sessionId)).error).toEqual(needed);
    await client.result("authenticate", { methodId: "web" });
    expect(await client.newSession()).toBeTypeOf("string");
    // The session was kept.
    expect((await client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
  });

  test("V2-AUTH-09 V2-AUTH-10: version 2 is told with the answer of session/new, or with the end of the work", async () => {
    const { client } = await connectAs(v2Hello, needsLogin());
    expect(await client.error("session/new", place)).toEqual(needed);
    await client.result("auth/login", { methodId: "web" });
    const sessionId = await client.newSession();
    await client.result("auth/logout");
    expect(await client.error("session/new", place)).toEqual(needed);
    expect((await client.ask(sessionId)).result).toHaveProperty("messageId");
    expect(await client.update("state_update", 1)).toMatchObject({ stopReason: "error", error: needed });
  });
});

describe("questions of a request outside of sessions", () => {
  const form: ElicitationQuestion = {
    mode: "form",
    message: "Which account?",
    requestedSchema: { type: "object", properties: { account: { type: "string" } }, required: ["account"] },
  };
  const url: ElicitationQuestion = { mode: "url", message: "Sign in", elicitationId: "e-1", url: "https://x.test/in" };

  test.each([
    ["V1-ELIC-03 version 1", v1Hello, "authenticate"],
    ["V2-ELI-02 version 2", v2Hello, "auth/login"],
  ])("%s: they name the request, and no session", async (_, hello, method) => {
    const answers: unknown[] = [];
    const { client } = await connectAs(hello, {
      authMethods,
      async login(_methodId, _signal, call) {
        answers.push(await call.elicit(form), await call.elicit(url));
        call.completeElicitation("e-1");
        call.completeElicitation("e-1");
      },
    });
    client.send({ id: "login", method, params: { methodId: "web" } });
    const first = await client.call("elicitation/create");
    expect(first.params).toEqual({ ...form, requestId: "login" });
    client.reply(first, { action: "accept", content: { account: "work" } });
    const second = await client.call("elicitation/create", 1);
    expect(second.params).toEqual({ ...url, requestId: "login" });
    client.reply(second, { action: "accept" });
    expect((await client.answer("login")).result).toEqual({});
    expect(answers).toEqual([{ action: "accept", content: { account: "work" } }, { action: "accept" }]);
    // Told once, and before the request's answer.
    expect(client.story.slice(1)).toEqual([
      "elicitation/create",
      "elicitation/create",
      "elicitation/complete",
      "#login",
    ]);
  });

  test("V2-ELI-10: one that session/new asks touches no state, and the session opens with its answer", async () => {
    const { client } = await connectAs(v2Hello, {
      async newSession(_request, session, call) {
        const answer = await call.elicit(form);
        if (answer.action === "accept") session.setTitle(String(answer.content?.account));
      },
    });
    client.send({ id: 7, method: "session/new", params: place });
    const question = await client.call("elicitation/create");
    expect(question.params).toMatchObject({ requestId: 7 });
    expect(question.params).not.toHaveProperty("sessionId");
    client.reply(question, { action: "accept", content: { account: "work" } });
    expect((await client.answer(7)).result).toEqual({ sessionId: expect.any(String) });
    expect(await client.update("session_info_update")).toMatchObject({ title: "work" });
    expect(client.updates("state_update")).toEqual([]);
  });

  test.each<[string, Frame]>([
    ["is cancelled", { method: "$/cancel_request", params: { requestId: "login" } }],
    ["was answered", { method: "_test/answer" }],
  ])("V1-CANCEL-14: they are withdrawn when the request %s", async (how, then) => {
    const answer = gate();
    const asked = gate<unknown>();
    const { client } = await connectAs(v1Hello, {
      authMethods,
      extensions: { "_test/answer": () => answer.open() },
      async login(_methodId, signal, call) {
        const answered = call.elicit(form);
        void answered.then(asked.open);
        if (how === "is cancelled") await aborted(signal);
        else await answer.promise;
        signal.throwIfAborted();
      },
    });
    client.send({ id: "login", method: "authenticate", params: { methodId: "web" } });
    const question = await client.call("elicitation/create");
    client.send(then);
    expect(await client.call("$/cancel_request")).toMatchObject({ params: { requestId: question.id } });
    expect(await asked.promise).toEqual({ action: "cancel" });
  });

  test("V1-ELIC-01: without the mode nothing is sent, and the handler hears of it", async () => {
    const { client } = await connectAs(
      { ...v1Hello, clientCapabilities: {} },
      { authMethods, login: (_methodId, _signal, call) => call.elicit(form).then(() => undefined) },
    );
    expect(await client.error("authenticate", { methodId: "web" })).toMatchObject({ code: -32603 });
    expect(client.story).toHaveLength(2);
  });
});

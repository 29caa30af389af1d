import { describe, expect, test } from "vitest";
import { type AgentHandlers, createAgent } from "../src/index.js";
import { info, openAs, serve, v2Hello } from "./raw-client.js";

const hellos = { "version 1": { protocolVersion: 1, clientCapabilities: {} }, "version 2": v2Hello };
const login = { authMethods: [{ type: "agent", methodId: "key", name: "Key" }], logout() {} };

async function* later() {
  yield "hello";
}
function* now() {
  yield "hello";
}

describe("defect N141: a generator as a handler, whose body never runs", () => {
  test.each<[string, object, string]>([
    ["prompt", { prompt: later }, "createAgent prompt got a generator function: pass a function without `*`"],
    ["a synchronous prompt", { prompt: now }, "createAgent prompt got a generator function"],
    ["login", { ...login, login: later }, "createAgent login got a generator function"],
    ["an extension", { extensions: { _undo: later } }, "createAgent extensions _undo got a generator function"],
  ])("is refused as %s", (_, handlers, message) => {
    const make = () => createAgent({ info, prompt() {}, ...handlers } as unknown as AgentHandlers);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });
});

describe.each(Object.entries(hellos))("defect N141: a generator that a handler returns in %s", (_, hello) => {
  test.each([
    ["prompt", later],
    ["a synchronous prompt", now],
  ])("is a failure of %s", async (_, generator) => {
    const { client, sessionId, diagnostics } = await openAs(hello, { prompt: (() => generator()) as never });
    client.prompt(sessionId);
    await expect.poll(() => JSON.stringify(client.received)).toContain("Internal error");
    const message = "returned a generator, whose body never runs";
    expect(diagnostics).toMatchObject([{ code: "handler_failed", message: expect.stringContaining(message) }]);
  });

  test("is a failure of login", async () => {
    const { client } = serve({ ...login, login: () => later() } as never);
    await client.result("initialize", hello);
    const name = hello === v2Hello ? "auth/login" : "authenticate";
    expect(await client.error(name, { methodId: "key" })).toMatchObject({ code: -32603 });
  });

  test("is a report for another stream", async () => {
    const { client, sessionId, diagnostics } = await openAs(hello, { prompt: (() => new ReadableStream()) as never });
    client.prompt(sessionId);
    await expect
      .poll(() => diagnostics.map(({ message }) => message))
      .toEqual([
        expect.stringContaining("returned a stream that nothing reads. Pass it to turn.say. It was left out."),
      ]);
  });

  test("refuses the work of a tool call", async () => {
    const { client, sessionId, diagnostics } = await openAs(hello, {
      prompt: async (turn) => void (await turn.toolCall({ title: "t" }).run(later as never)),
    });
    client.prompt(sessionId);
    await expect.poll(() => JSON.stringify(client.received)).toContain("Internal error");
    expect(diagnostics.map(({ message }) => message).join()).toContain(
      "run of a tool call work got a generator function",
    );
  });
});

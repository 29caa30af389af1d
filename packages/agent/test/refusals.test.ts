import { describe, expect, test } from "vitest";
import type { AgentHandlers, ConfigOption } from "../src/index.js";
import { connectAs, gate, open, v2Hello } from "./raw-client.js";

const mode: ConfigOption = {
  ...{ type: "select", configId: "mode", name: "Mode", currentValue: "ask" },
  options: [
    { value: "ask", name: "Ask" },
    { value: "auto", name: "Auto" },
  ],
};

/** Chooses a value with a handler that returns `result`. Returns the reports. */
async function choose(result: unknown) {
  const { client, sessionId, diagnostics } = await open({
    newSession: () => ({ configOptions: [mode] }),
    setConfigOption: (() => result) as never,
  });
  await client.result("session/set_config_option", { sessionId, configId: "mode", value: "auto" });
  return diagnostics;
}

describe("defect N42: a result in place of a refusal is reported", () => {
  test.each([false, { configOptions: [] }])("of setConfigOption: %j", async (result) => {
    expect(await choose(result)).toMatchObject([
      { code: "handler_failed", message: expect.stringContaining("the value was changed. Throw to refuse the value") },
    ]);
  });

  test.each([undefined, null])("and %j is none", async (result) => {
    expect(await choose(result)).toEqual([]);
  });

  test("of login, logout and deleteSession", async () => {
    const no = (() => false) as never;
    const handlers: Partial<AgentHandlers> = {
      authMethods: [{ type: "agent", methodId: "a", name: "A" }],
      ...{ login: no, logout: no, deleteSession: no },
    };
    const { client, diagnostics } = await connectAs(v2Hello, handlers);
    await client.result("auth/login", { methodId: "a" });
    await client.result("auth/logout");
    await client.result("session/delete", { sessionId: "a" });
    expect(diagnostics.map(({ message }) => message)).toEqual(
      ["login", "logout", "deleteSession"].map(
        (name) => `The handler ${name} returned false, and the client got a success. Throw to refuse.`,
      ),
    );
  });
});

describe("defect N45: a handler that ignores the cancel of its turn", () => {
  test("is reported when the turn ends without it", async () => {
    const began = gate();
    const { client, sessionId, diagnostics } = await open(
      {
        prompt: () => {
          began.open();
          return new Promise<undefined>(() => {});
        },
      },
      { cancelGraceMs: 5 },
    );
    const id = client.prompt(sessionId);
    await began.promise;
    client.cancel(sessionId);
    expect((await client.answer(id)).result).toEqual({ stopReason: "cancelled" });
    expect(diagnostics).toMatchObject([
      {
        ...{ code: "unfinished", sessionId },
        message:
          "The prompt handler still works 5 ms after its turn was cancelled. The turn ended without it. Pass turn.signal to all slow work.",
      },
    ]);
  });

  test("and one that ends is not", async () => {
    const began = gate();
    const { client, sessionId, diagnostics } = await open({
      prompt: ({ signal }) => {
        began.open();
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
      },
    });
    const id = client.prompt(sessionId);
    await began.promise;
    client.cancel(sessionId);
    await client.answer(id);
    expect(diagnostics).toEqual([]);
  });
});

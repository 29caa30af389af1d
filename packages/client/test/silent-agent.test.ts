import { afterEach, describe, expect, test, vi } from "vitest";
import { allowOnce, rejectOnce } from "../src/index.js";
import { open, openSession, settle } from "./raw-agent.js";

afterEach(() => vi.useRealTimers());

describe("defect S39: a request that the agent does not answer", () => {
  const configOptions = [{ id: "fast", name: "Fast", type: "boolean", currentValue: false }];

  test.each(["session/new", "_x/a", "setConfigOption"])("%s is reported after 10 s", async (method) => {
    const { agent, client, session, diagnostics } = await openSession({}, { result: { configOptions } });
    vi.useFakeTimers();
    if (method === "session/new") client.newSession({ cwd: "/work" }).catch(() => undefined);
    else if (method === "_x/a") client.request(method, {}).catch(() => undefined);
    else session.setConfigOption("fast", true).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(diagnostics).toEqual([]);
    await vi.advanceTimersByTimeAsync(50_000);
    const message = expect.stringContaining(`The agent has not answered ${method} for 10 s.`);
    expect(diagnostics).toEqual([{ code: "unanswered", method, message }]);
    await agent.close();
  });

  test("is no report if it answers or refuses in time", async () => {
    const { agent, client, diagnostics } = await open();
    vi.useFakeTimers();
    const asked = client.request("_x/a", {});
    agent.answer(await agent.call("_x/a"), { a: 1 });
    expect(await asked).toEqual({ a: 1 });
    const opening = client.newSession({ cwd: "/work" });
    agent.refuse(await agent.call("session/new"), -32000, "Log in.");
    await expect(opening).rejects.toThrow("Log in.");
    await vi.advanceTimersByTimeAsync(50_000);
    expect(diagnostics).toEqual([]);
  });
});

describe("defect S40: a question for which allowOnce or rejectOnce finds no option", () => {
  const options = [
    { optionId: "y", name: "Yes", kind: "allow_always" },
    { optionId: "n", name: "No", kind: "reject_always" },
  ];
  const params = { sessionId: "s-1", toolCall: { toolCallId: "t1", title: "Build" }, options };

  test.each([
    ["allowOnce", allowOnce, "allow_once"],
    ["rejectOnce", rejectOnce, "reject_once"],
    [
      "a policy that calls allowOnce",
      async (question: Parameters<typeof allowOnce>[0]) => allowOnce(question),
      "allow_once",
    ],
  ] as const)("is cancelled and reported: %s", async (_, permissions, kind) => {
    const { agent, diagnostics } = await openSession({ permissions });
    agent.request("q", "session/request_permission", params);
    expect(await agent.answerTo("q")).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
    const said = `no single option of kind ${kind}. The question offers: allow_always, reject_always.`;
    expect(diagnostics).toMatchObject([{ code: "unanswered", message: expect.stringContaining(said) }]);
  });

  test("is no report if a policy cancels on its own", async () => {
    const { agent, diagnostics } = await openSession({ permissions: () => ({ outcome: "cancelled" }) });
    agent.request("q", "session/request_permission", params);
    expect(await agent.answerTo("q")).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
    expect(diagnostics).toEqual([]);
  });
});

describe("defect S41: a custom notification that nothing handles", () => {
  test.each([
    ["a near name", "_x/progres", "Do you mean _x/progress?"],
    ["another name", "_other/thing", "nothing handles it."],
  ])("is reported to a client with extensions: %s", async (_, method, hint) => {
    const { agent, diagnostics } = await open({ extensions: { "_x/progress": () => undefined } });
    agent.send({ jsonrpc: "2.0", method, params: {} });
    await settle(agent);
    expect(diagnostics).toMatchObject([{ code: "unhandled", method, message: expect.stringContaining(hint) }]);
  });

  test.each([
    ["without extensions", {}],
    ["with a fallback", { extensions: { "_x/progress": () => undefined }, fallback: () => ({}) }],
  ])("is no report for a client %s", async (_, options) => {
    const { agent, diagnostics } = await open(options);
    agent.send({ jsonrpc: "2.0", method: "_x/progres", params: {} });
    await settle(agent);
    expect(diagnostics).toEqual([]);
  });
});

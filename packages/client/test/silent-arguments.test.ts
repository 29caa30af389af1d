import { afterEach, describe, expect, test, vi } from "vitest";
import { allowOnce, createElicitations, type PermissionPolicy, type Session } from "../src/index.js";
import { open, openSession, settle } from "./raw-agent.js";

test.each<[string, unknown]>([
  ["an unknown member", { folder: "/tmp" }],
  ["a text", "/tmp"],
  ["a signal", new AbortController().signal],
  ["a list", ["/tmp"]],
  ["a cwd of another type", { cwd: 1 }],
])("defect N78: a filter of listSessions that would select all sessions is refused: %s", async (_name, filter) => {
  const { client } = await open({}, { agentCapabilities: { sessionCapabilities: { list: {} } } });
  expect(() => client.listSessions(filter as never)).toThrow(TypeError);
});

test("defect N78: a second argument of listSessions that is no signal is refused", async () => {
  const { client } = await open({}, { agentCapabilities: { sessionCapabilities: { list: {} } } });
  const { signal } = new AbortController();
  expect(() => client.listSessions({}, { signal } as never)).toThrow("listSessions signal got");
});

test("defect N78: a signal in place of the options of a prompt is refused", async () => {
  const { session } = await openSession();
  expect(() => session.prompt("x", AbortSignal.abort() as never)).toThrow(
    "pass an object such as { signal }, or nothing",
  );
});

describe("defect N82: a handler of questions that awaits a prompt of its own session", () => {
  afterEach(() => void vi.useRealTimers());

  const stuck = expect.objectContaining({
    code: "listener_stuck",
    message: expect.stringContaining("Do not await the prompt inside the handler"),
  });

  /** Opens a session whose first prompt asks, and passes 5 s. */
  async function asked(permissions: PermissionPolicy) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { agent, session, diagnostics } = await openSession({ permissions });
    session.prompt("go").ended.catch(() => undefined);
    await agent.call("session/prompt");
    agent.ask(1, "s-1");
    await settle(agent);
    vi.advanceTimersByTime(5_000);
    return diagnostics;
  }

  test("is reported after 5 s", async () => {
    const policy: PermissionPolicy = async (question) => {
      await question.session.prompt("explain").ended;
      return allowOnce(question);
    };
    expect(await asked(policy)).toEqual([stuck]);
  });

  test.each<[string, PermissionPolicy]>([
    [
      "does not await it",
      (question) => {
        question.session.prompt("later").ended.catch(() => undefined);
        return allowOnce(question);
      },
    ],
    ["waits for a person", () => new Promise(() => undefined)],
  ])("is not reported if it %s", async (_name, policy) => {
    expect(await asked(policy)).toEqual([]);
  });

  test("is reported of a form too", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const form = async ({ session }: { session?: Session }) => {
      await session?.prompt("explain").ended;
      return { action: "cancel" } as const;
    };
    const { agent, session, diagnostics } = await openSession({ elicitations: createElicitations({ form }) });
    session.prompt("go").ended.catch(() => undefined);
    await agent.call("session/prompt");
    const requestedSchema = { type: "object", properties: {} };
    agent.request(1, "elicitation/create", { sessionId: "s-1", mode: "form", message: "Which?", requestedSchema });
    await settle(agent);
    vi.advanceTimersByTime(5_000);
    expect(diagnostics).toEqual([stuck]);
  });
});

import { describe, expect, test } from "vitest";
import { type AuditEvent, createPermissionBroker, type PermissionBrokerOptions } from "../src/broker/index.js";
import { allowOnce, rejectOnce } from "../src/index.js";
import { ask as askDraft, NOW, openDraft, openDraftSession, SEED } from "./draft-agent.js";
import { openSession, settle } from "./raw-agent.js";

const files = { readTextFile: () => "" };
const terminals = {
  create: async () => {
    throw new Error("not here");
  },
};

describe("defect F1: handlers that the agreed version has no methods for", () => {
  test.each([
    ["version 2", NOW],
    ["the seed draft", SEED],
  ])("are reported once, in %s", async (_, said) => {
    const { diagnostics } = await openDraft(said, { files, terminals });
    expect(diagnostics.map(({ code, message }) => [code, /The option (\w+) is not used/.exec(message)?.[1]])).toEqual([
      ["unused_option", "files"],
      ["unused_option", "terminals"],
    ]);
  });

  test("are used in version 1, and nothing is reported", async () => {
    const { diagnostics } = await openSession({ files, terminals });
    expect(diagnostics).toEqual([]);
  });
});

describe("defect F10: a question that nobody answers", () => {
  test("is reported at once, and one report is enough", async () => {
    const { agent, session, diagnostics } = await openDraftSession();
    askDraft(agent, "a");
    askDraft(agent, "b");
    await settle(agent);
    expect(session.state.pendingPermissions).toHaveLength(2);
    expect(diagnostics).toMatchObject([
      { code: "unanswered", sessionId: "s-1", message: expect.stringContaining("Pass the option permissions") },
    ]);
  });

  test.each([
    ["a policy answers", allowOnce],
    ["the interface answers", () => "wait" as const],
  ])("is no report where %s", async (_, permissions) => {
    const { agent, diagnostics } = await openDraftSession(NOW, { permissions });
    askDraft(agent, "a");
    await settle(agent);
    expect(diagnostics).toEqual([]);
  });
});

describe("defect F10: a broker without `ask`", () => {
  test.each<[string, Partial<PermissionBrokerOptions>]>([
    ["no rule", {}],
    ["a rule that leaves the question", { policy: () => undefined }],
    ["a rule that allows what has no such option", { policy: () => "allow" }],
  ])("reports its first cancelled question, with %s", async (_, options) => {
    const outcomes: unknown[] = [];
    const audit = (event: AuditEvent) => outcomes.push(event.type === "decided" ? event.by : event.type);
    const permissions = createPermissionBroker({ ...options, audit } as PermissionBrokerOptions);
    const { agent, diagnostics } = await openSession({ permissions });
    const choices = [
      { optionId: "a", name: "Always", kind: "allow_always" },
      { optionId: "n", name: "No", kind: "reject_once" },
    ];
    for (const id of [7, 8]) {
      const toolCall = { toolCallId: "t1", title: "Edit" };
      agent.request(id, "session/request_permission", { sessionId: "s-1", toolCall, options: choices });
      expect((await agent.answerTo(id)).result.outcome).toEqual({ outcome: "cancelled" });
    }
    expect(diagnostics).toMatchObject([
      { code: "listener_failed", message: expect.stringContaining("The broker has no `ask`, so nobody can answer.") },
    ]);
    expect(outcomes).toEqual(expect.arrayContaining(["nobody", "nobody"]));
    expect(outcomes).not.toContain("failure");
  });

  test.each<[string, Partial<PermissionBrokerOptions>]>([
    ["rules decide", { policy: () => "reject" }],
    ["rejectOnce decides", { ask: rejectOnce }],
    ["the interface decides", { ask: () => "wait" }],
  ])("is no report where %s", async (_, options) => {
    const { agent, diagnostics } = await openSession({
      permissions: createPermissionBroker(options as PermissionBrokerOptions),
    });
    agent.ask(7, "s-1");
    await settle(agent);
    expect(diagnostics).toEqual([]);
  });
});

describe("defect F4: a failure of the program", () => {
  test.each([
    ["text", "allow", 'got "allow"'],
    ["a truth", true, "got true"],
    ["null", null, "got null"],
  ])("a policy that returns %s is reported with what to return", async (_, decision, message) => {
    const { agent, diagnostics } = await openSession({ permissions: () => decision as never });
    agent.ask(7, "s-1");
    expect((await agent.answerTo(7)).result.outcome).toEqual({ outcome: "cancelled" });
    expect(diagnostics).toMatchObject([
      { code: "listener_failed", message: expect.stringContaining(`${message}: return an object such as allowOnce`) },
    ]);
  });

  test.each([
    ["text", "yes", 'got "yes"'],
    ["a decision", { outcome: "cancelled" }, "got an object of another form"],
    ["a truth", true, "got true"],
  ])("a rule that returns %s is reported, and nobody is asked", async (_, verdict, message) => {
    let asked = 0;
    const ask = () => {
      asked += 1;
      return undefined;
    };
    const permissions = createPermissionBroker({ policy: () => verdict as never, ask });
    const { agent, diagnostics } = await openSession({ permissions });
    agent.ask(7, "s-1");
    expect((await agent.answerTo(7)).result.outcome).toEqual({ outcome: "cancelled" });
    expect(diagnostics).toMatchObject([{ code: "listener_failed", message: expect.stringContaining(message) }]);
    expect(asked).toBe(0);
  });

  test("a policy that picks an unknown option is reported with what was offered", async () => {
    const { agent, diagnostics } = await openSession({
      permissions: () => ({ outcome: "selected", optionId: "nope" }),
    });
    agent.ask(7, "s-1");
    expect((await agent.answerTo(7)).result.outcome).toEqual({ outcome: "cancelled" });
    expect(diagnostics).toMatchObject([
      { code: "listener_failed", message: expect.stringContaining("does not offer nope; it offers yes, no.") },
    ]);
  });

  test("a listener that throws is reported with its cause", async () => {
    const { agent, session, diagnostics } = await openSession();
    session.onEvent(() => {
      throw new Error("no canvas");
    });
    agent.say("s-1", "Hello");
    await settle(agent);
    expect(diagnostics).toMatchObject([
      { code: "listener_failed", message: "A listener failed: no canvas", error: expect.any(Error) },
    ]);
  });
});

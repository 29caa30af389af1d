import { describe, expect, test, vi } from "vitest";
import { createPermissionBroker, type PermissionBrokerOptions, type PermissionFacts } from "../src/broker/index.js";
import type { PermissionRequest } from "../src/index.js";
import { ALWAYS, cancelled, command, edit, question, selected, start } from "./brokered.js";
import { ask as askDraft, NOW, openDraftSession } from "./draft-agent.js";
import { gate, OPTIONS, settle } from "./raw-agent.js";

type Started = Awaited<ReturnType<typeof start>>;

/** Asks, with fake timers, and is told no when a minute is over, not before; the timers are real again then. */
async function expectRefusalAfterMinute(agent: Started["agent"], session: Started["session"]): Promise<void> {
  question(agent, "q");
  await settle(agent);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(session.state.pendingPermissions).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  vi.useRealTimers();
  expect(await agent.answerTo("q")).toMatchObject(cancelled);
}

describe("a policy", () => {
  test("gets what programs can read, and no words for people (V1-PERM-04, V2-PERM-13)", async () => {
    const policy = vi.fn((_: PermissionFacts) => "allow" as const);
    const { agent, put } = await start({ policy });
    agent.update("s-1", {
      sessionUpdate: "tool_call",
      toolCallId: "t",
      title: "harmless title",
      kind: "edit",
      locations: [{ path: "/work/told.ts" }],
    });
    const content = [{ type: "diff", path: "/work/b.ts", oldText: "", newText: "x" }];
    expect(
      await put("q", { toolCall: { title: "ignore your rules", locations: [{ path: "/etc/x" }], content } }),
    ).toMatchObject(selected("yes"));
    const facts = policy.mock.calls[0]?.[0];
    expect(facts).toEqual({
      agent: { name: "raw-agent", version: "0.0.1" },
      sessionId: "s-1",
      roots: ["/work"],
      subject: "tool_call",
      toolCallId: "t",
      kind: "edit",
      paths: ["/etc/x", "/work/b.ts"],
      place: "outside",
    });
    expect(JSON.stringify(facts)).not.toMatch(/harmless|ignore/);
  });

  test.each<[string, object, Partial<PermissionFacts>]>([
    ["a list", { command: ["rm", "-rf", "x"], cwd: "/work" }, { argv: ["rm", "-rf", "x"], cwd: "/work" }],
    ["argv", { argv: ["ls"] }, { argv: ["ls"] }],
    ["a program with args", { command: "npm", args: ["test"] }, { argv: ["npm", "test"] }],
    ["a text for a shell", { command: "npm test && rm -rf ~" }, { commandLine: "npm test && rm -rf ~" }],
    ["something else", { command: 7, args: "x" }, {}],
    ["a list with holes", { command: ["rm", 7] }, {}],
  ])("sees a command that is %s as it is", async (_, rawInput, expected) => {
    const policy = vi.fn((_: PermissionFacts) => "reject" as const);
    const { put } = await start({ policy });
    await put("q", { toolCall: { rawInput } });
    const { argv, commandLine, cwd } = policy.mock.calls[0]?.[0] ?? ({} as PermissionFacts);
    expect({ argv, commandLine, cwd }).toEqual({
      argv: undefined,
      commandLine: undefined,
      cwd: undefined,
      ...expected,
    });
  });

  test.each([
    ["inside", ["/work/a", "/work/b/../c"]],
    ["outside", ["/work/a", "/work/../etc/passwd"]],
    ["outside", ["relative"]],
    ["none", []],
  ])("knows that the files are %s of the session's roots: %j", async (place, paths) => {
    const policy = vi.fn((_: PermissionFacts) => undefined);
    const { put } = await start({ policy });
    await put("q", { toolCall: { locations: paths.map((path) => ({ path })) } });
    expect(policy.mock.calls[0]?.[0]).toMatchObject({ place });
  });

  test.each([
    ["inside", "/work/a"],
    ["outside", "/etc"],
    ["outside", "relative"],
  ])("defect S3: the folder of a command counts: %s, %s", async (place, cwd) => {
    const policy = vi.fn((_: PermissionFacts) => undefined);
    const { put } = await start({ policy });
    await put("q", { toolCall: { kind: "execute", rawInput: { command: "npm test", cwd } } });
    expect(policy.mock.calls[0]?.[0]).toMatchObject({ place });
  });

  test.each([
    ["inside", "a", "/work/a"],
    ["inside", ".", "/work"],
    ["outside", "../b", "/work/../b"],
  ])("defect P18: the path of a command starts at the session's folder: %s, %s", async (place, path, cwd) => {
    const policy = vi.fn((_: PermissionFacts) => undefined);
    const { put } = await start({ policy });
    await put("q", { toolCall: { kind: "execute", rawInput: { command: "npm test", path } } });
    expect(policy.mock.calls[0]?.[0]).toMatchObject({ subject: "tool_call", place, cwd });
  });

  test("takes a place that nobody can find out about for outside", async () => {
    const policy = vi.fn((_: PermissionFacts) => undefined);
    const { put } = await start({ policy, isInside: () => Promise.reject(new Error("disk")) });
    await put("q", edit("/work/a"));
    expect(policy.mock.calls[0]?.[0]).toMatchObject({ place: "outside" });
  });

  test.each([
    ["allow", OPTIONS, selected("yes")],
    ["allow", ALWAYS, selected("yes")],
    ["allow", ALWAYS.filter(({ kind }) => kind !== "allow_once"), cancelled],
    ["allow", [], cancelled],
    ["allow", [...OPTIONS, { optionId: "yes", name: "Always", kind: "allow_always" }], cancelled],
    ["reject", ALWAYS, selected("no")],
    ["reject", ALWAYS.filter(({ kind }) => kind !== "reject_once"), cancelled],
    ["ALLOW", OPTIONS, cancelled],
    [true, OPTIONS, cancelled],
  ])("says %s of %j: only what it may choose, for this once", async (verdict, options, answer) => {
    const { put } = await start({ policy: () => verdict as never });
    expect(await put("q", { options })).toMatchObject(answer);
  });

  test.each([
    [{ file_path: "/etc/passwd" }, "outside", "/etc/passwd"],
    [{ path: "../up" }, "outside", "/work/../up"],
    [{ edits: [{ oldPath: "C:\\x" }] }, "outside", "C:\\x"],
    [{ uri: "file:///etc/pass%77d" }, "outside", "/etc/passwd"],
    [{ uri: "file://%zz" }, "outside", "file://%zz"],
    [{ paths: ["b", "/root/c"] }, "outside", "/root/c"],
    [{ directory: "in", pattern: "/etc/", content: "/etc/passwd", url: "https://a/b" }, "inside", "/work/in"],
    [{ path: "b", uri: "https://a/../b", file: "two\nlines" }, "inside", "/work/b"],
  ])("defect S30: the input %j of a read counts, also beside a location inside", async (rawInput, place, path) => {
    const policy = vi.fn((facts: PermissionFacts) => (facts.place === "inside" ? "allow" : undefined));
    const { put } = await start({ policy, ask: () => ({ outcome: "cancelled" }) });
    await put("q", { toolCall: { kind: "read", locations: [{ path: "/work/a" }], rawInput } });
    expect(policy.mock.calls[0]?.[0]).toMatchObject({ place, paths: expect.arrayContaining(["/work/a", path]) });
  });

  test("defect S30: an allowing policy and memory leave an unclear command to the person", async () => {
    const ask = vi.fn(() => ({ outcome: "selected", optionId: "ever" }) as const);
    const { put } = await start({ policy: () => "allow", ask, remember: { scope: "session", sameAs: () => "same" } });
    const asking = {
      options: ALWAYS,
      toolCall: { kind: "read", rawInput: { command: ["git", "status"], commandLine: "id" } },
    };
    await put("q", asking);
    await put("r", asking);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  test("defect S30: a kind beside a command is execute, whatever the agent claims", async () => {
    const policy = vi.fn((_: PermissionFacts) => "reject" as const);
    const { put } = await start({ policy });
    await put("q", { toolCall: { kind: "read", rawInput: { command: "id > x" } } });
    expect(policy.mock.calls[0]?.[0]).toMatchObject({ kind: "execute", commandLine: "id > x" });
  });

  test("never answers what is a question to a person (V1-PERM-10)", async () => {
    const policy = vi.fn(() => "allow" as const);
    const { put, received } = await start({ policy });
    expect(await put("mode", { toolCall: { kind: "switch_mode" } })).toMatchObject(cancelled);
    const ways = ["auto", "by-hand"].map((optionId) => ({ optionId, name: optionId, kind: "allow_once" }));
    expect(await put("ways", { options: [...ways, OPTIONS[1] as object] })).toMatchObject(cancelled);
    expect(policy).not.toHaveBeenCalled();
    expect(received()).toEqual(["nobody cancel", "nobody cancel"]);
  });

  test("that fails cancels, and both are told (V1-PERM-03)", async () => {
    const broken = () => Promise.reject(new Error("rules"));
    const { put, received, diagnostics } = await start({
      policy: broken,
      ask: () => ({ outcome: "selected", optionId: "yes" }),
    });
    expect(await put("q")).toMatchObject(cancelled);
    expect(received()).toEqual(["failure cancel"]);
    expect(diagnostics).toMatchObject([{ code: "listener_failed" }]);
  });

  test("that finds the question settled meanwhile decides nothing", async () => {
    const slow = gate<"allow">();
    const { agent, session, received } = await start({
      policy: () => slow.promise,
      ask: () => ({ outcome: "selected", optionId: "yes" }),
    });
    question(agent, "q");
    await settle(agent);
    session.answer(session.state.pendingPermissions[0]?.requestId ?? "", { outcome: "selected", optionId: "no" });
    expect(await agent.answerTo("q")).toMatchObject(selected("no"));
    slow.open("allow");
    await vi.waitFor(() => expect(received()).toEqual(["elsewhere reject"]));
  });
});

describe("in version 2", () => {
  const options = { ask: () => "wait" as const, policy: () => "allow" as const };
  const openBroker = (more: PermissionBrokerOptions = options) =>
    openDraftSession(NOW, { permissions: createPermissionBroker(more) });

  test("a command is a line for a shell, in a folder", async () => {
    const policy = vi.fn((_: PermissionFacts) => "allow" as const);
    const { agent } = await openBroker({ ask: () => "wait", policy });
    askDraft(agent, "q", { type: "command", command: "npm test", cwd: "/work", toolCallId: "t" });
    expect(await agent.answerTo("q")).toMatchObject(selected("yes"));
    expect(policy.mock.calls[0]?.[0]).toMatchObject({ subject: "command", commandLine: "npm test", cwd: "/work" });
  });

  test("a subject that nobody can read is never allowed by rules (V2-PERM-06)", async () => {
    const { agent } = await openBroker({ ...options, ask: () => ({ outcome: "cancelled" }) });
    askDraft(agent, "q", { type: "_rocket", launch: true });
    expect(await agent.answerTo("q")).toMatchObject(cancelled);
  });

  test("an option of a kind that nobody knows is never chosen by rules (V2-PERM-07, V2-EXT-05)", async () => {
    const { agent, session } = await openBroker({ ...options, ask: () => "wait" });
    const kinds = ["allow", "allow_twice", "ALLOW_ONCE", "_allow_once"];
    const offered = kinds.map((kind, index) => ({ optionId: `o${index}`, name: kind, kind }));
    agent.request("q", "session/request_permission", { sessionId: "s-1", title: "?", options: offered });
    await settle(agent);
    const [shown] = session.state.pendingPermissions;
    session.answer(shown?.requestId ?? "", { outcome: "selected", optionId: "o1" });
    expect(await agent.answerTo("q")).toMatchObject(selected("o1"));
  });
});

describe("a person", () => {
  test("is asked what rules leave open; several questions are open at once", async () => {
    const gates = new Map(["a", "b"].map((title) => [title, gate<{ outcome: "selected"; optionId: string }>()]));
    const { agent, received } = await start({ ask: ({ title }) => gates.get(title)?.promise });
    question(agent, "q1", { toolCall: { toolCallId: "t1", title: "a" } });
    question(agent, "q2", { toolCall: { toolCallId: "t2", title: "b" } });
    gates.get("b")?.open({ outcome: "selected", optionId: "no" });
    expect(await agent.answerTo("q2")).toMatchObject(selected("no"));
    gates.get("a")?.open({ outcome: "selected", optionId: "yes" });
    expect(await agent.answerTo("q1")).toMatchObject(selected("yes"));
    expect(received()).toEqual(["person reject", "person allow"]);
  });

  test("that is not there means no (V2-PERM-10)", async () => {
    const { put, received } = await start({});
    expect(await put("q")).toMatchObject(cancelled);
    expect(received()).toEqual(["nobody cancel"]);
  });

  test("may answer in the state", async () => {
    const { agent, session, received } = await start({ ask: () => "wait" });
    question(agent, "q");
    await settle(agent);
    session.answer(session.state.pendingPermissions[0]?.requestId ?? "", { outcome: "selected", optionId: "yes" });
    expect(await agent.answerTo("q")).toMatchObject(selected("yes"));
    await vi.waitFor(() => expect(received()).toEqual(["elsewhere allow"]));
  });

  test("that the state cannot show a question to is nobody", async () => {
    const { agent, received } = await start({ ask: () => "wait", timeoutMs: 60_000 });
    for (let n = 0; n < 257; n++) question(agent, `q${n}`);
    expect(await agent.answerTo("q256")).toMatchObject(cancelled);
    expect(received()).toEqual(["nobody cancel"]);
  });

  test("that answers what was not offered answers nothing (V1-PERM-03)", async () => {
    const { put, received, diagnostics } = await start({
      ask: () => ({ outcome: "selected", optionId: "everything" }),
    });
    expect(await put("q")).toMatchObject(cancelled);
    expect(received()).toEqual(["person cancel"]);
    expect(diagnostics).toMatchObject([{ code: "listener_failed" }]);
  });

  test.each([
    ["by a handler", () => new Promise<never>(() => undefined)],
    ["in the state", () => undefined],
  ])("that takes too long %s means no, and hears of it", async (_, answer) => {
    vi.useFakeTimers();
    let heard: AbortSignal | undefined;
    const { agent, session, received } = await start({
      timeoutMs: 60_000,
      ask: (_request: PermissionRequest, signal: AbortSignal) => {
        heard = signal;
        return answer();
      },
    });
    await expectRefusalAfterMinute(agent, session);
    expect([heard?.aborted, received()]).toEqual([true, ["timeout cancel"]]);
  });

  test("is not asked when the rules take too long: that means no", async () => {
    vi.useFakeTimers();
    const ask = vi.fn(() => undefined);
    const { agent, session, received } = await start({
      timeoutMs: 60_000,
      policy: () => new Promise(() => undefined),
      ask,
    });
    await expectRefusalAfterMinute(agent, session);
    expect([ask.mock.calls, received()]).toEqual([[], ["timeout cancel"]]);
  });

  test("may answer in the state while the rules still think, and that is told", async () => {
    const { agent, session, received } = await start({ timeoutMs: 60_000, policy: () => new Promise(() => undefined) });
    question(agent, "q");
    await settle(agent);
    session.answer(session.state.pendingPermissions[0]?.requestId ?? "", { outcome: "selected", optionId: "yes" });
    expect(await agent.answerTo("q")).toMatchObject(selected("yes"));
    await vi.waitFor(() => expect(received()).toEqual(["elsewhere allow"]));
  });

  test("is let go when the work is cancelled (V1-PERM-05, V1-CANCEL-03)", async () => {
    let heard: AbortSignal | undefined;
    const { agent, session, received } = await start({
      timeoutMs: 60_000,
      ask: (_, signal) => {
        heard = signal;
        return new Promise(() => undefined);
      },
    });
    const turn = session.prompt("hi");
    const prompt = await agent.call("session/prompt");
    question(agent, "q");
    await vi.waitFor(() => expect(heard?.aborted).toBe(false));
    void turn.cancel();
    expect(await agent.answerTo("q")).toMatchObject(cancelled);
    agent.answer(prompt, { stopReason: "cancelled" });
    await turn.ended;
    expect([heard?.aborted, received()]).toEqual([true, ["elsewhere cancel"]]);
  });
});

describe("the audit", () => {
  test("has who, what and when, without inputs and secrets", async () => {
    const { put, audited } = await start({ policy: () => "allow" });
    await put(
      "q",
      command(["curl", "--token", "hunter2-secret"], { rawInput: { command: ["curl", "--token", "hunter2"] } }),
    );
    expect(audited).toMatchObject([
      {
        type: "decided",
        by: "policy",
        outcome: "allow",
        optionId: "yes",
        question: "permission",
        sessionId: "s-1",
        requestId: "permission-1-1",
        at: expect.any(Number),
        facts: { kind: "execute", argv: ["curl", "--token", "[redacted]"] },
      },
    ]);
    expect(audited[0]?.facts).not.toHaveProperty("input");
    expect(JSON.stringify(audited)).not.toContain("hunter2");
  });

  test("that cannot be written lets nothing pass", async () => {
    const { put, diagnostics } = await start({
      policy: () => "allow",
      audit: () => {
        throw new Error("disk full");
      },
    });
    expect(await put("q")).toMatchObject(cancelled);
    expect(diagnostics).toMatchObject([{ code: "listener_failed" }]);
  });
});

import { describe, expect, test, vi } from "vitest";
import { createElicitations, type ElicitationAnswer, type ElicitationHandlers } from "../src/index.js";
import { NOW, openDraftSession, openDraftTurn, running } from "./draft-agent.js";
import { openSession, type RawAgent, settle } from "./raw-agent.js";

const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
const form = (agent: RawAgent, id: string, more: object = { sessionId: "s-1" }) =>
  agent.request(id, "elicitation/create", { mode: "form", message: "Name?", requestedSchema, ...more });
const url = (agent: RawAgent, id: string, elicitationId = "e-1") =>
  agent.request(id, "elicitation/create", {
    mode: "url",
    message: "Sign in",
    sessionId: "s-1",
    elicitationId,
    url: "https://example.com/in",
  });
const pending: ElicitationHandlers = { form: () => undefined, url: () => undefined };

const strict = {
  type: "object",
  properties: { name: { type: "string", pattern: "^[A-Z][a-z]+$" }, age: { type: "integer" } },
  required: ["age"],
};

const by = (handlers?: ElicitationHandlers) => handlers && { elicitations: createElicitations(handlers) };

/** Both versions ask in the same way. */
const both = [
  ["version 1", (handlers?: ElicitationHandlers) => openSession(by(handlers))],
  ["version 2", (handlers?: ElicitationHandlers) => openDraftSession(NOW, by(handlers))],
] as const;

describe.each(both)("a question for the person, in %s", (_, openOne) => {
  test("goes to the handler in its place; what that returns is the answer (V1-ELIC-12, V2-ELI-01, V2-ELI-05)", async () => {
    const asked = vi.fn(() => ({ action: "accept", content: { name: "Ada" } }) as const);
    const { agent, session } = await openOne({ form: asked });
    form(agent, "q", { sessionId: "s-1", toolCallId: "t" });
    expect(await agent.answerTo("q")).toMatchObject({ result: { action: "accept", content: { name: "Ada" } } });
    expect(asked).toHaveBeenCalledWith(
      expect.objectContaining({ message: "Name?", mode: "form", toolCallId: "t", session, requestedSchema }),
      expect.any(AbortSignal),
    );
    expect(session.state.pendingElicitations).toEqual([]);
  });

  test.each<[ElicitationAnswer]>([[{ action: "accept", content: { name: "x" } }], [{ action: "decline" }]])(
    "waits in the state for an answer: %j (V1-ELIC-12, V2-ELI-05)",
    async (answer) => {
      const { agent, session } = await openOne(pending);
      form(agent, "q");
      await settle(agent);
      const [question] = session.state.pendingElicitations;
      expect(question).toMatchObject({ mode: "form", message: "Name?", status: "asked" });
      session.answer(question?.requestId as string, answer);
      expect(session.state.pendingElicitations).toEqual([]);
      expect(await agent.answerTo("q")).toMatchObject({ result: answer });
    },
  );

  test("by URL: accept is consent, and stays in sight until the thing is done (V1-ELIC-15, V1-ELIC-16, V2-ELI-08, V2-ELI-09)", async () => {
    const { agent, session } = await openOne(pending);
    url(agent, "q");
    await settle(agent);
    const [question] = session.state.pendingElicitations;
    expect(question).toMatchObject({ mode: "url", url: "https://example.com/in", elicitationId: "e-1" });
    session.answer(question?.requestId as string, { action: "accept" });
    expect(await agent.answerTo("q")).toMatchObject({ result: { action: "accept" } });
    expect(session.state.pendingElicitations).toMatchObject([{ status: "accepted" }]);
    for (const elicitationId of ["nobody", "e-1", "e-1"]) {
      agent.send({ jsonrpc: "2.0", method: "elicitation/complete", params: { elicitationId } });
    }
    await settle(agent);
    expect(session.state.pendingElicitations).toEqual([]);
  });

  test("in a way that was not advertised is refused, and so is one that nobody knows (V1-ELIC-08, V2-ELI-03)", async () => {
    const { agent, session } = await openOne({ form: () => undefined });
    url(agent, "a");
    agent.request("b", "elicitation/create", { mode: "_hologram", message: "?", sessionId: "s-1" });
    agent.request("c", "elicitation/create", { mode: "constructor", message: "?", sessionId: "s-1" });
    for (const id of ["a", "b", "c"]) expect(await agent.answerTo(id)).toMatchObject({ error: { code: -32602 } });
    expect(session.state.pendingElicitations).toEqual([]);
  });

  test("is refused by a client that asks nobody (V1-ELIC-01, V2-ELI-03)", async () => {
    const { agent } = await openOne();
    form(agent, "q");
    expect(await agent.answerTo("q")).toMatchObject({ error: { code: -32602 } });
  });

  test("that breaks its schema, or names nobody here, is refused (V1-ELIC-04, V2-ELI-02, P-ELICIT-01, V1-SESS-43)", async () => {
    const { agent } = await openOne(pending);
    form(agent, "a", {});
    form(agent, "b", { sessionId: "nobody" });
    expect(await agent.answerTo("a")).toMatchObject({ error: { code: -32602 } });
    expect(await agent.answerTo("b")).toMatchObject({ error: { code: -32002 } });
  });

  test("of a call of this client has no session; nobody but the handler can answer (V1-ELIC-03, V2-ELI-02; trap 35)", async () => {
    const handler = vi.fn<NonNullable<ElicitationHandlers["form"]>>(() => ({ action: "decline" }));
    const { agent } = await openOne({ form: handler });
    form(agent, "a", { requestId: 0 });
    expect(await agent.answerTo("a")).toMatchObject({ result: { action: "decline" } });
    expect(handler.mock.calls[0]?.[0].session).toBeUndefined();
    handler.mockImplementation(() => undefined);
    form(agent, "b", { requestId: 0 });
    expect(await agent.answerTo("b")).toMatchObject({ result: { action: "cancel" } });
    handler.mockImplementation(() => new Promise(() => undefined));
    form(agent, "c", { requestId: 0 });
    await settle(agent);
    agent.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "c" } });
    expect(await agent.answerTo("c")).toMatchObject({ result: { action: "cancel" } });
  });

  test("is answered only with what conforms to its form; otherwise it stays open, fault by fault (V1-ELIC-13, V2-ELI-06)", async () => {
    const { agent, session } = await openOne(pending);
    form(agent, "q", { sessionId: "s-1", requestedSchema: strict });
    await settle(agent);
    const id = session.state.pendingElicitations[0]?.requestId as string;
    const accept = (content?: { [name: string]: unknown }) =>
      session.answer(id, { action: "accept", ...(content && { content }) });
    const issues = [{ path: ["age"] }, { path: ["name"] }];
    expect(() => accept({ name: "Xx", age: 1.5 })).toThrow(expect.objectContaining({ code: "invalid_message" }));
    expect(() => accept({ name: "xx" })).toThrow(
      expect.objectContaining({ issues: issues.map((issue) => expect.objectContaining(issue)) }),
    );
    expect(() => accept()).toThrow("elicitation/create: invalid answer at age");
    expect(agent.received.some((frame) => frame.id === "q")).toBe(false);
    accept({ name: "Ada", age: 36 });
    expect(await agent.answerTo("q")).toMatchObject({ result: { content: { name: "Ada", age: 36 } } });
  });

  test.each(["decline", "cancel"] as const)(
    "can be answered by %s whatever its form demands (V1-ELIC-19, V2-ELI-06)",
    async (action) => {
      const { agent, session } = await openOne(pending);
      form(agent, "q", { sessionId: "s-1", requestedSchema: strict });
      await settle(agent);
      session.answer(session.state.pendingElicitations[0]?.requestId as string, { action });
      expect((await agent.answerTo("q")).result).toEqual({ action });
    },
  );

  test("names who asks, in a session and outside of one (V1-ELIC-19, V2-ELI-06)", async () => {
    const asking: unknown[] = [];
    const { agent, client } = await openOne({
      form: (question) => {
        asking.push(question.agent);
        return { action: "decline" };
      },
    });
    form(agent, "a");
    form(agent, "b", { requestId: 0 });
    for (const id of ["a", "b"]) await agent.answerTo(id);
    expect(asking).toEqual([client.peer.info, client.peer.info]);
    expect(client.peer.info.name).toBe("raw-agent");
  });

  test.each([
    ["in a session", { sessionId: "s-1" }],
    ["outside of one", { requestId: 0 }],
  ])(
    "whose handler answers what does not conform is cancelled and reported, %s (V1-ELIC-13)",
    async (_where, scope) => {
      const { agent, diagnostics } = await openOne({ form: () => ({ action: "accept", content: { name: "xx" } }) });
      form(agent, "q", { ...scope, requestedSchema: strict });
      expect((await agent.answerTo("q")).result).toEqual({ action: "cancel" });
      expect(diagnostics).toMatchObject([{ code: "listener_failed", error: { code: "invalid_message" } }]);
    },
  );

  test("outside of a session ends with the connection", async () => {
    let signal: AbortSignal | undefined;
    const { agent, client } = await openOne({
      form: (_question, fires) => {
        signal = fires;
        return new Promise(() => undefined);
      },
    });
    form(agent, "q", { requestId: 0 });
    await settle(agent);
    await agent.close();
    await client.closed;
    expect(signal?.aborted).toBe(true);
  });

  test("that the agent withdraws is cancelled, and its signal fires (V1-ELIC-21, V2-CAN-12)", async () => {
    let signal: AbortSignal | undefined;
    const { agent, session } = await openOne({
      form: (_question, fires) => {
        signal = fires;
        return undefined;
      },
    });
    form(agent, "q");
    await settle(agent);
    agent.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "q" } });
    expect(await agent.answerTo("q")).toMatchObject({ result: { action: "cancel" } });
    expect(signal?.aborted).toBe(true);
    expect(session.state.pendingElicitations).toEqual([]);
  });

  test("is cancelled with its session", async () => {
    const { agent, session } = await openOne(pending);
    form(agent, "q");
    await settle(agent);
    void session.close();
    expect(await agent.answerTo("q")).toMatchObject({ result: { action: "cancel" } });
  });

  test("whose handler fails is cancelled and reported", async () => {
    const { agent, diagnostics } = await openOne({
      form: () => {
        throw new Error("no window");
      },
    });
    form(agent, "q");
    expect(await agent.answerTo("q")).toMatchObject({ result: { action: "cancel" } });
    form(agent, "r", { requestId: 0 });
    expect(await agent.answerTo("r")).toMatchObject({ result: { action: "cancel" } });
    expect(diagnostics).toMatchObject([{ code: "listener_failed", sessionId: "s-1" }, { code: "listener_failed" }]);
  });

  test("takes no option of a permission question", async () => {
    const { agent, session } = await openOne(pending);
    form(agent, "q");
    await settle(agent);
    const id = session.state.pendingElicitations[0]?.requestId as string;
    expect(() => session.answer(id, { outcome: "selected", optionId: "yes" })).toThrow("accept, decline or cancel");
    expect(() => session.answer(id, { action: "later" as never })).toThrow("accept, decline or cancel");
    expect(session.state.pendingElicitations).toHaveLength(1);
    session.answer(id, { action: "cancel" });
    expect(await agent.answerTo("q")).toMatchObject({ result: { action: "cancel" } });
  });
});

test("a cancel of the work cancels its questions, not those of the background (V2-CAN-12, V2-PERM-12)", async () => {
  const { agent, session, turn, prompt } = await openDraftTurn(NOW, by(pending));
  agent.answer(prompt, { messageId: "u-1" });
  agent.update("s-1", { ...running, background: [{ type: "tool_call", toolCallId: "watcher" }] });
  form(agent, "front", { sessionId: "s-1", toolCallId: "t" });
  form(agent, "back", { sessionId: "s-1", toolCallId: "watcher" });
  await settle(agent);
  void turn.cancel();
  expect(await agent.answerTo("front")).toMatchObject({ result: { action: "cancel" } });
  await settle(agent);
  expect(session.state.pendingElicitations).toMatchObject([{ toolCallId: "watcher" }]);
});

test("a cancel of a version 1 turn cancels all of them, also one that crosses it", async () => {
  const { agent, session } = await openSession(by(pending));
  const turn = session.prompt("hi");
  await agent.call("session/prompt");
  form(agent, "a");
  await settle(agent);
  void turn.cancel();
  form(agent, "b");
  for (const id of ["a", "b"]) expect(await agent.answerTo(id)).toMatchObject({ result: { action: "cancel" } });
});

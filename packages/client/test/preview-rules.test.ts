import { describe, expect, test, vi } from "vitest";
import { createElicitations } from "../src/index.js";
import { idle, NOW, openDraft, openDraftSession, piece } from "./draft-agent.js";
import { open, openSession, settle } from "./raw-agent.js";

const form = { type: "object", properties: { name: { type: "string" } } };

describe("what a client offers", () => {
  test("P-CAP-01: in version 2 it needs no capability for children, plans, keys and replays", async () => {
    const { agent } = await openDraft(NOW, { elicitations: createElicitations({ form: () => undefined }) });
    expect(agent.received[0]?.params.capabilities).toEqual({ elicitation: { form: {} } });
  });

  test("P-CAP-02, P-CAP-03: its plans and child sessions are offered to agents of version 1, also beside version 2", async () => {
    const { agent: older } = await open();
    expect(older.received[0]?.params.clientCapabilities).toMatchObject({ plan: {}, subagents: {} });
    const { agent } = await openDraft();
    expect(agent.received[0]?.params).toMatchObject({
      protocolVersion: 2,
      clientCapabilities: { plan: {}, subagents: {} },
    });
  });
});

describe("an elicitation of version 2", () => {
  const openOne = () => openDraftSession(NOW, { elicitations: createElicitations({ form: () => undefined }) });

  test("P-ELICIT-01: about a session and a request, or about neither, is refused", async () => {
    const { agent, session } = await openOne();
    const question = { mode: "form", message: "Name?", requestedSchema: form };
    agent.request("both", "elicitation/create", { ...question, sessionId: "s-1", requestId: 1 });
    agent.request("neither", "elicitation/create", question);
    for (const id of ["both", "neither"]) {
      expect(await agent.answerTo(id)).toMatchObject({ error: { code: -32602 } });
    }
    expect(session.state.pendingElicitations).toEqual([]);
  });

  test.each([
    ["mode", { mode: "form", requestedSchema: 5 }],
    ["mode of a URL", { mode: "url", elicitationId: "e", url: 5 }],
    [
      "type of a property",
      { mode: "form", requestedSchema: { type: "object", properties: { a: { type: "string", minLength: -1 } } } },
    ],
    [
      "type of items",
      {
        mode: "form",
        requestedSchema: { type: "object", properties: { a: { type: "array", items: { type: "string", enum: 5 } } } },
      },
    ],
  ])("P-ELICIT-02: with a known %s and a bad payload is refused", async (_, question) => {
    const { agent, session } = await openOne();
    agent.request("q", "elicitation/create", { message: "m", sessionId: "s-1", ...question });
    expect(await agent.answerTo("q")).toMatchObject({ error: { code: -32602 } });
    expect(session.state.pendingElicitations).toEqual([]);
  });
});

describe("a plan in Markdown", () => {
  test("P-PLAN-09: names a file that nobody reads", async () => {
    const readTextFile = vi.fn(() => "");
    const { agent, session } = await openSession({ files: { readTextFile } });
    const plan = { type: "markdown", planId: "p", content: "# Plan", path: "/work/PLAN.md" };
    agent.update("s-1", { sessionUpdate: "plan_update", plan });
    await settle(agent);
    expect([...session.state.plans]).toEqual([plan]);
    expect(readTextFile).not.toHaveBeenCalled();
  });
});

describe("unstable updates of the Preview", () => {
  const cursor = {
    sessionUpdate: "cursor_update",
    cursorId: "c",
    anchor: { type: "user_message", messageId: "u", position: "after" },
  };
  const suggestions = {
    sessionUpdate: "prompt_suggestions_update",
    suggestions: [{ prompt: [{ type: "text", text: "Run the tests" }] }],
  };

  test("P-UNST-01, P-UNST-03: reach listeners and the timeline as they came, and change nothing else", async () => {
    const heard: unknown[] = [];
    const { agent, session } = await openDraftSession(NOW, {}, (event) => {
      if (event.type === "unknown") heard.push(event.raw);
    });
    agent.update("s-1", piece("a"), cursor, suggestions, piece("b"), idle());
    await settle(agent);
    expect(heard).toEqual([cursor, suggestions]);
    expect([...session.state.timeline].map(({ type }) => type)).toEqual(["message", "unknown", "unknown"]);
    expect(session.state.anomalies).toEqual([]);
  });
});

import { describe, expect, test, vi } from "vitest";
import { type AuditEvent, createElicitationBroker, type ElicitationBrokerOptions } from "../src/broker/index.js";
import { open, openSession, type RawAgent, settle } from "./raw-agent.js";

const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
const form = (agent: RawAgent, id: string, scope: object = { sessionId: "s-1" }) =>
  agent.request(id, "elicitation/create", { mode: "form", message: "Name?", requestedSchema, ...scope });

async function start(options: ElicitationBrokerOptions) {
  const audited: AuditEvent[] = [];
  const elicitations = createElicitationBroker({ audit: (event) => audited.push(event), ...options });
  return { ...(await openSession({ elicitations })), audited };
}

describe("an elicitation broker", () => {
  test("puts the question to the person, and tells the audit no word of the answer", async () => {
    const { agent, audited } = await start({ form: () => ({ action: "accept", content: { name: "Ada" } }) });
    form(agent, "q");
    expect(await agent.answerTo("q")).toMatchObject({ result: { action: "accept", content: { name: "Ada" } } });
    expect(audited).toEqual([
      {
        type: "decided",
        by: "person",
        outcome: "accept",
        question: "form",
        sessionId: "s-1",
        requestId: "elicitation-1-1",
        at: expect.any(Number),
      },
    ]);
  });

  test("offers what it has somebody for, and nothing else (V1-ELIC-08)", async () => {
    const { agent } = await start({ form: () => undefined });
    expect(agent.received[0]?.params.clientCapabilities.elicitation).toEqual({ form: {} });
    agent.request("q", "elicitation/create", {
      mode: "url",
      message: "?",
      url: "https://x",
      elicitationId: "e",
      sessionId: "s-1",
    });
    expect(await agent.answerTo("q")).toMatchObject({ error: { code: -32602 } });
  });

  test.each([
    ["by a handler", () => new Promise<never>(() => undefined)],
    ["in the state", () => undefined],
  ])("cancels what nobody answers %s in time", async (_, handler) => {
    vi.useFakeTimers();
    const { agent, audited, session } = await start({ form: handler, timeoutMs: 60_000 });
    form(agent, "q");
    await settle(agent);
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    expect(await agent.answerTo("q")).toMatchObject({ result: { action: "cancel" } });
    expect(audited).toMatchObject([{ by: "timeout", outcome: "cancel" }]);
    expect(session.state.pendingElicitations).toEqual([]);
  });

  test("writes down what was answered in the state", async () => {
    const { agent, audited, session } = await start({ form: () => undefined });
    form(agent, "q");
    await settle(agent);
    session.answer(session.state.pendingElicitations[0]?.requestId ?? "", { action: "decline" });
    expect(await agent.answerTo("q")).toMatchObject({ result: { action: "decline" } });
    await vi.waitFor(() => expect(audited).toMatchObject([{ by: "elsewhere", outcome: "decline" }]));
  });

  test("cancels at once what belongs to no session and nobody answers", async () => {
    const audited: AuditEvent[] = [];
    const elicitations = createElicitationBroker({ form: () => undefined, audit: (event) => audited.push(event) });
    const { agent } = await open({ elicitations });
    form(agent, "q", { requestId: 1 });
    expect(await agent.answerTo("q")).toMatchObject({ result: { action: "cancel" } });
    expect(audited).toMatchObject([{ by: "nobody", outcome: "cancel" }]);
  });

  test("cancels when its handler or its audit fails", async () => {
    const fail = () => {
      throw new Error("broken");
    };
    const { agent, audited } = await start({ form: fail });
    form(agent, "q");
    expect(await agent.answerTo("q")).toMatchObject({ result: { action: "cancel" } });
    expect(audited).toMatchObject([{ by: "failure", outcome: "cancel", error: expect.any(Error) }]);
    const mute = await start({ form: () => ({ action: "accept", content: {} }), audit: fail });
    form(mute.agent, "q");
    expect(await mute.agent.answerTo("q")).toMatchObject({ result: { action: "cancel" } });
  });
});

import { expect, test } from "vitest";
import { type AuditEvent, createElicitationBroker, createPermissionBroker } from "../src/broker/index.js";
import { ALWAYS, edit, question, selected, start } from "./brokered.js";
import { openSession } from "./raw-agent.js";

// An audit that answers by itself stands for whatever is quicker than the broker by a moment.

test("a permission that is settled while the audit is told of another decision is told again, as what counts", async () => {
  const received: AuditEvent[] = [];
  const { agent, session } = await openSession({
    permissions: createPermissionBroker({
      policy: () => "allow",
      ask: () => "wait",
      audit: (event) => {
        if (received.push(event) === 1)
          session.answer(event.requestId as string, { outcome: "selected", optionId: "no" });
      },
    }),
  });
  question(agent, "q");
  expect(await agent.answerTo("q")).toMatchObject(selected("no"));
  expect(received).toMatchObject([
    { type: "decided", by: "policy", outcome: "allow", optionId: "yes" },
    { type: "decided", by: "elsewhere", outcome: "reject", optionId: "no" },
  ]);
});

test("so is a question for the person", async () => {
  const received: AuditEvent[] = [];
  const { agent, session } = await openSession({
    elicitations: createElicitationBroker({
      form: () => ({ action: "accept", content: {} }),
      audit: (event) => {
        if (received.push(event) === 1) session.answer(event.requestId as string, { action: "decline" });
      },
    }),
  });
  const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
  agent.request("q", "elicitation/create", { mode: "form", message: "Name?", requestedSchema, sessionId: "s-1" });
  expect(await agent.answerTo("q")).toMatchObject({ result: { action: "decline" } });
  expect(received).toMatchObject([
    { type: "decided", by: "person", outcome: "accept" },
    { type: "decided", by: "elsewhere", outcome: "decline" },
  ]);
});

test("what is decided by the broker alone is told once", async () => {
  const received: AuditEvent[] = [];
  const { agent } = await openSession({
    permissions: createPermissionBroker({
      policy: () => "allow",
      ask: () => "wait",
      audit: (event) => received.push(event),
    }),
  });
  question(agent, "q");
  await agent.answerTo("q");
  expect(received).toHaveLength(1);
});

/** An audit whose first promise settles later. */
function slowAudit() {
  const received: AuditEvent[] = [];
  let settle = { resolve: () => {}, reject: (_: Error) => {} };
  const first = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  const audit = (event: AuditEvent) => (received.push(event) === 1 ? first : undefined);
  return { audit, received, settle };
}

test("defect R22: a permanent decision is not remembered if the question is settled otherwise during the audit", async () => {
  const { audit, received, settle } = slowAudit();
  const ask = () => ({ outcome: "selected", optionId: "ever" }) as const;
  const { agent, session } = await start({ audit, ask, remember: { scope: "session" } });
  question(agent, "q", { ...edit("/work/a"), options: ALWAYS });
  await expect.poll(() => received.length).toBe(1);
  session.answer(received[0]?.requestId as string, { outcome: "selected", optionId: "never" });
  expect(await agent.answerTo("q")).toMatchObject(selected("never"));
  settle.resolve();
  await expect.poll(() => received.at(-1)?.type).toBe("remembered");
  expect(received).toMatchObject([
    { by: "person", optionId: "ever" },
    { by: "elsewhere", optionId: "never" },
    { type: "remembered", verdict: "reject" },
  ]);
});

test.each([
  ["a permission", "no"],
  ["the same permission", "yes"],
])(
  "defect R23: an audit that rejects after %s was settled elsewhere gets the decision that counts",
  async (_, optionId) => {
    const { audit, received, settle } = slowAudit();
    const { agent, session } = await start({ audit, policy: () => "allow" });
    question(agent, "q");
    await expect.poll(() => received.length).toBe(1);
    session.answer(received[0]?.requestId as string, { outcome: "selected", optionId });
    expect(await agent.answerTo("q")).toMatchObject(selected(optionId));
    const sent = received.length;
    settle.reject(new Error("disk"));
    await expect.poll(() => received.length).toBe(sent + 1);
    expect(received.at(-1)).toMatchObject({ by: "elsewhere", optionId, error: expect.any(Error) });
  },
);

test("defect R23: so does the audit of a form", async () => {
  const { audit, received, settle } = slowAudit();
  const { agent, session } = await openSession({
    elicitations: createElicitationBroker({ form: () => ({ action: "accept", content: {} }), audit }),
  });
  const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
  agent.request("q", "elicitation/create", { mode: "form", message: "Name?", requestedSchema, sessionId: "s-1" });
  await expect.poll(() => received.length).toBe(1);
  session.answer(received[0]?.requestId as string, { action: "decline" });
  expect(await agent.answerTo("q")).toMatchObject({ result: { action: "decline" } });
  settle.reject(new Error("disk"));
  await expect.poll(() => received.length).toBe(3);
  expect(received.at(-1)).toMatchObject({ by: "elsewhere", outcome: "decline" });
});

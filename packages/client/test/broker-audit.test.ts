import { expect, test } from "vitest";
import { type AuditEvent, createElicitationBroker, createPermissionBroker } from "../src/broker/index.js";
import { question, selected } from "./brokered.js";
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
